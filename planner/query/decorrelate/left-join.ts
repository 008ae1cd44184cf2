/** Joining what a subquery gives to the rows that asked: never drops a row, never doubles one. */
import { type Column, type Expression, freshColumn } from '../../../engine/plan/expression.js';
import { columnsOf, type Join, type LogicalPlan } from '../../../engine/plan/plan.js';
import { conjunction } from '../../../engine/plan/traverse-expression.js';
import { literal } from '../optimize/constant.js';

/** @param right at most one of its rows meets the conditions with each row of `input` */
export function leftJoin(
  input: LogicalPlan,
  right: LogicalPlan,
  conditions: readonly Expression[],
): { readonly plan: Join; readonly matched: Expression } {
  const marked = withMarker(right);
  const on = conjunction(conditions);
  return {
    plan: { kind: 'join', type: 'left', left: input, right: marked.plan, ...(on ? { on } : {}) },
    matched: marked.matched,
  };
}

/** The plan with a column that is true in every row: NULL only where an outer join found none. */
export function withMarker(plan: LogicalPlan): { readonly plan: LogicalPlan; readonly matched: Expression } {
  const marker = freshColumn('matched', 'boolean');
  const columns = columnsOf(plan);
  return {
    plan: {
      kind: 'project',
      input: plan,
      columns: [...columns, marker],
      expressions: [...columns.map(reference), literal(true, 'boolean')],
    },
    matched: reference(marker),
  };
}

export function choose(when: Expression, then: Expression, otherwise: Expression): Expression {
  return { kind: 'case', branches: [branch(when, then)], otherwise, type: then.type };
}

export function branch(
  when: Expression,
  result: Expression,
): { readonly when: Expression; readonly then: Expression } {
  // biome-ignore lint/suspicious/noThenProperty: SQL's own word; a branch is never awaited
  return { when, then: result };
}

export function reference(column: Column): Expression {
  return { kind: 'column', id: column.id, type: column.type };
}
