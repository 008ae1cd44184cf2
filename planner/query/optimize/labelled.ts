/**
 * Which columns may have cells whose provenance is not 1. The one thing to know: P(r, p) multiplies each such
 * column once an operator, so a rewrite that lets two operators read what one read before (or the reverse)
 * changes an exponent in N[X], unless no column is read by both.
 */
import type { ColumnId, Expression } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { columnsRead } from '../../../engine/plan/traverse-expression.js';
import { inputsFirst, inputsOf } from '../../../engine/plan/traverse-plan.js';

const known = new WeakMap<LogicalPlan, ReadonlySet<ColumnId>>();

/**
 * Columns of the plan's output that are labelled by cell, or are aggregates (labelled in the dependency
 * reading).
 */
export function labelledColumns(plan: LogicalPlan): ReadonlySet<ColumnId> {
  const columns = known.get(plan);
  if (columns) return columns;
  for (const node of inputsFirst(plan, (inner) => (known.has(inner) ? [] : inputsOf(inner))))
    if (!known.has(node)) known.set(node, compute(node));
  return known.get(plan) ?? none;
}

/** Of an input, which comes before what reads it. */
function labelledBelow(input: LogicalPlan): ReadonlySet<ColumnId> {
  return known.get(input) ?? none;
}

/** Lets a plan that stands for another one have its labelled columns. */
export function labelledAs(standIn: LogicalPlan, plan: LogicalPlan): void {
  known.set(standIn, labelledColumns(plan));
}

const none: ReadonlySet<ColumnId> = new Set();

function compute(plan: LogicalPlan): ReadonlySet<ColumnId> {
  switch (plan.kind) {
    case 'scan':
      return new Set(
        plan.columns
          .filter((_, i) => plan.table.columns[plan.indexes[i]].labelled)
          .map((column) => column.id),
      );
    case 'project': {
      const below = labelledBelow(plan.input);
      return new Set(
        plan.columns.filter((_, i) => readsLabelled(plan.expressions[i], below)).map((column) => column.id),
      );
    }
    case 'aggregate':
      return new Set(plan.aggregates.map((call) => call.column.id));
    case 'union': {
      const inputs = plan.inputs.map((input) => ({
        labelled: labelledBelow(input),
        columns: columnsOf(input),
      }));
      return new Set(
        plan.columns
          .filter((_, i) => inputs.some(({ labelled, columns }) => labelled.has(columns[i].id)))
          .map((column) => column.id),
      );
    }
    case 'join':
      return plan.lookup
        ? new Set([...labelledBelow(plan.left), ...columnsOf(plan.right).map((column) => column.id)])
        : ofInputs(plan);
    case 'distinct':
    case 'except':
    case 'intersect':
      return none;
    default:
      return ofInputs(plan);
  }
}

function ofInputs(plan: LogicalPlan): ReadonlySet<ColumnId> {
  const some = inputsOf(plan)
    .map(labelledBelow)
    .filter((columns) => columns.size > 0);
  return some.length > 1 ? new Set(some.flatMap((columns) => [...columns])) : (some[0] ?? none);
}

export function readsLabelled(expression: Expression, labelled: ReadonlySet<ColumnId>): boolean {
  if (labelled.size === 0) return false;
  for (const id of columnsRead(expression)) if (labelled.has(id)) return true;
  return false;
}

/** Whether no labelled column is read by two of the expressions. */
export function readDisjoint(
  expressions: readonly (Expression | undefined)[],
  labelled: ReadonlySet<ColumnId>,
): boolean {
  if (labelled.size === 0) return true;
  const seen = new Set<ColumnId>();
  for (const expression of expressions) {
    if (!expression) continue;
    for (const id of columnsRead(expression)) {
      if (!labelled.has(id)) continue;
      if (seen.has(id)) return false;
      seen.add(id);
    }
  }
  return true;
}
