/**
 * Blame by the slow way: rows of a sub-plan are pushed up through the operators above it, one by one, to see
 * what they become in the answer. What cannot be said of a row on its way (the other side of a join, an
 * aggregate's value) stays open, and an open value is never in the way.
 */
import type { ColumnId, Expression } from '../../../engine/plan/expression.js';
import { type Contains, columnsOf, type Join, type LogicalPlan } from '../../../engine/plan/plan.js';
import { columnsRead } from '../../../engine/plan/traverse-expression.js';
import { inputsOf } from '../../../engine/plan/traverse-plan.js';
import type { Value } from '../../../engine/value/value.js';
import type { Blame, Step } from '../../../planner/query/index.js';
import { evaluate } from '../../engine/reference-expression.js';
import { keyOf } from '../../engine/reference-relation.js';

/** What is known of a row. */
export type Known = ReadonlyMap<ColumnId, Value>;

/** The rows of a plan, by the reference model. */
export type RowsOf = (plan: LogicalPlan) => readonly (readonly Value[])[];

const noSubqueries = {
  parameters: [],
  subquery: () => {
    throw new TypeError('a subquery in a generated plan');
  },
};

function knownRows(plan: LogicalPlan, rowsOf: RowsOf): Known[] {
  const columns = columnsOf(plan);
  return rowsOf(plan).map((values) => new Map(values.map((value, i) => [columns[i].id, value])));
}

function nullsOf(plan: LogicalPlan): Known {
  return new Map(columnsOf(plan).map((column) => [column.id, null]));
}

/** Sets `id` to what the expression is, where all that it reads is known. */
function compute(row: Known, expression: Expression, id: ColumnId, into: Map<ColumnId, Value>): void {
  const columns = [...columnsRead(expression)].map((read) => ({ id: read, name: '', type: 'null' as const }));
  if (!columns.every((column) => row.has(column.id))) return;
  const values = columns.map((column) => row.get(column.id) ?? null);
  into.set(id, evaluate(expression, columns, values, noSubqueries));
}

/** What the node may make of a row of its input `i`, whatever its own conditions say. */
function through({ node, input: i, alone }: Step, row: Known): Known {
  switch (node.kind) {
    case 'project': {
      const made = new Map<ColumnId, Value>();
      node.expressions.forEach((expression, c) => {
        compute(row, expression, node.columns[c].id, made);
      });
      return made;
    }
    case 'aggregate': {
      const made = new Map<ColumnId, Value>();
      for (const key of node.keys) compute(row, key.expression, key.column.id, made);
      return made;
    }
    case 'union':
    case 'except':
    case 'intersect': {
      const below = columnsOf(inputsOf(node)[i]);
      const made = new Map<ColumnId, Value>();
      node.columns.forEach((column, c) => {
        if (row.has(below[c].id)) made.set(column.id, row.get(below[c].id) ?? null);
      });
      return made;
    }
    case 'join':
      return alone ? new Map([...row, ...nullsOf(i === 0 ? node.right : node.left)]) : row;
    default:
      return row;
  }
}

function pairs({ left, right }: Join | Contains, rowsOf: RowsOf): readonly Known[] {
  const rights = knownRows(right, rowsOf);
  return knownRows(left, rowsOf).flatMap((l) => rights.map((r) => new Map([...l, ...r])));
}

/** The rows that the node would put out if it kept all. */
function uncut(node: LogicalPlan, rowsOf: RowsOf): readonly Known[] {
  if (node.kind === 'contains' || (node.kind === 'join' && node.type !== 'semi' && node.type !== 'anti')) {
    const [left, right] = [knownRows(node.left, rowsOf), knownRows(node.right, rowsOf)];
    const type = node.kind === 'join' ? node.type : 'inner';
    const alone = [
      ...(type === 'left' || type === 'full' ? left.map((l) => new Map([...l, ...nullsOf(node.right)])) : []),
      ...(type === 'right' || type === 'full'
        ? right.map((r) => new Map([...nullsOf(node.left), ...r]))
        : []),
    ];
    return [...pairs(node, rowsOf), ...alone];
  }
  return knownRows(inputsOf(node)[0], rowsOf).map((row) => through({ node, input: 0 }, row));
}

/** Whether the row of the blamed node may become a row of the answer with these values. */
function becomes(row: Known, { path }: Blame, wanted: Known): boolean {
  return fits(
    [...path].reverse().reduce((known, step) => through(step, known), row),
    wanted,
  );
}

export function fits(row: Known, wanted: Known): boolean {
  return [...wanted].every(([id, value]) => !row.has(id) || keyOf([row.get(id) ?? null]) === keyOf([value]));
}

/** What is wrong with a blame, as text; undefined where it is justified. */
export function unjustified(blame: Blame, wanted: Known, rowsOf: RowsOf): string | undefined {
  const { node, verdict } = blame;
  const some = (rows: readonly Known[]): boolean => rows.some((row) => becomes(row, blame, wanted));
  if (some(knownRows(node, rowsOf))) return 'the output has a compatible row';
  if (verdict === 'lost') {
    if (!some(uncut(node, rowsOf))) return 'the inputs have no compatible row';
    if (node.kind !== 'intersect') return undefined;
    const right = knownRows(node.right, rowsOf).map((row) => through({ node, input: 1 }, row));
    return some(right) ? undefined : 'the right side has no compatible row';
  }
  if (verdict === 'undecided') return 'undecided of a small database';
  switch (node.kind) {
    case 'scan':
    case 'values':
      return undefined;
    case 'join':
    case 'contains':
      return some(pairs(node, rowsOf)) ? 'a pair is compatible' : undefined;
    default:
      // Whatever the input's rows were.
      return some([through({ node, input: 0 }, new Map())]) ? 'the node can give these values' : undefined;
  }
}
