/**
 * Why a row is not in an answer: the operator that lost it. The one thing to know: rows of a sub-plan are *compatible*
 * with the missing row where they agree with it in every column that can be traced down to them; the culprit is the
 * lowest operator whose inputs have compatible rows and whose output has none (Chapman and Jagadish, "Why Not?", 2009).
 */

import type { ColumnId, Expression, Place } from '../../engine/expression.js';
import { call } from '../../engine/operators/define.js';
import { equal, isNull } from '../../engine/operators/index.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan.js';
import { conjunction, conjuncts, expressionsOf, inputsOf } from '../../engine/traverse.js';
import type { Type, Value } from '../../engine/value.js';
import { operatorOf } from './explain.js';
import { columnNames, showExpression } from './show-expression.js';

export interface WhyNot {
  /** True where the row is in the answer after all. */
  readonly present: boolean;
  /** The operator that lost it: `filter`, `inner join`, `scan`, … */
  readonly operator?: string;
  /** The predicate to blame, as text. */
  readonly predicate?: string;
  /** Where in the SQL. */
  readonly place?: Place;
  /** How many compatible rows each input of the operator had. */
  readonly compatible?: readonly number[];
  readonly text: string;
}

/** Runs a plan and says how many rows it has. */
export type CountRows = (plan: LogicalPlan) => number;

/** Values that a row must have, by column. */
type Wanted = ReadonlyMap<ColumnId, { readonly value: Value; readonly type: Type }>;

/**
 * @param plan a decorrelated plan, not yet rewritten, so that operators are the query's own
 * @param tuple one value for each column of the answer in machine form; undefined: any value
 */
export function whyNot(plan: LogicalPlan, tuple: readonly (Value | undefined)[], count: CountRows): WhyNot {
  const wanted = new Map<ColumnId, { value: Value; type: Type }>();
  columnsOf(plan).forEach((column, i) => {
    const value = tuple[i];
    if (value !== undefined) wanted.set(column.id, { value, type: column.type });
  });
  const compatible = (node: LogicalPlan, values: Wanted): number => count(restricted(node, values));
  if (compatible(plan, wanted) > 0) return { present: true, text: 'the row is in the answer' };

  /** `node` has no compatible row. */
  const blame = (node: LogicalPlan, values: Wanted): WhyNot => {
    const inputs = inputsOf(node).map((input, i) => ({ input, values: tracedTo(node, i, values) }));
    const counts = inputs.map(({ input, values: below }) => compatible(input, below));
    const needed = requiredInputs(node);
    const empty = inputs.find((_, i) => counts[i] === 0 && needed.includes(i));
    const allEmpty = counts.length > 0 && counts.every((n) => n === 0);
    if (node.kind !== 'aggregate' || node.keys.length > 0) {
      if (node.kind === 'union' ? allEmpty : empty) {
        const next = node.kind === 'union' ? inputs[0] : empty;
        if (next) return blame(next.input, next.values);
      }
    }
    return accuse(node, counts, (predicate) => compatible(withPredicate(node, predicate), values));
  };

  /** Names the operator, and of several conjuncts the first that no compatible row passes. */
  const accuse = (
    node: LogicalPlan,
    counts: readonly number[],
    passing: (predicate: Expression) => number,
  ): WhyNot => {
    const predicate = node.kind === 'filter' ? node.predicate : node.kind === 'join' ? node.on : undefined;
    const all = conjuncts(predicate);
    const guilty =
      node.kind === 'filter' && all.length > 1 ? all.find((conjunct) => passing(conjunct) === 0) : undefined;
    const blamed = guilty ?? predicate;
    const place =
      blamed?.place ?? all.find((conjunct) => conjunct.place)?.place ?? expressionsOf(node)[0]?.place;
    const shown = blamed && showExpression(blamed, columnNames(plan));
    return {
      present: false,
      operator: operatorOf(node),
      ...(shown === undefined ? {} : { predicate: shown }),
      ...(place ? { place } : {}),
      compatible: counts,
      text: sentence(node, shown, counts),
    };
  };
  return blame(plan, wanted);
}

function sentence(node: LogicalPlan, predicate: string | undefined, counts: readonly number[]): string {
  const rows = (n: number) => `${n} compatible ${n === 1 ? 'row' : 'rows'}`;
  switch (node.kind) {
    case 'scan':
      return `table ${node.table.name} has no compatible row`;
    case 'values':
      return 'VALUES has no compatible row';
    case 'filter':
      return `the condition ${predicate} drops all of ${rows(counts[0])}`;
    case 'join':
      if (node.type === 'anti')
        return `every one of ${rows(counts[0])} has a match: ${predicate ?? 'any row'} (NOT EXISTS or NOT IN)`;
      if (node.type === 'semi')
        return `none of ${rows(counts[0])} has a match: ${predicate ?? 'any row'} (EXISTS or IN)`;
      return `no pair of ${rows(counts[0])} on the left and ${rows(counts[1])} on the right satisfies ${predicate ?? 'the join'}`;
    case 'limit':
      return `LIMIT or OFFSET cuts off ${rows(counts[0])}`;
    case 'except':
      return `EXCEPT removes ${rows(counts[0])}: the right side has them too`;
    case 'aggregate':
      return `no group of the ${rows(counts[0])} has these aggregate values`;
    case 'project':
      return `no expression of the select list gives these values for ${rows(counts[0])}`;
    default:
      return `${operatorOf(node)} loses ${counts.map(rows).join(' and ')}`;
  }
}

/** Inputs without which an operator has no row. */
function requiredInputs(node: LogicalPlan): readonly number[] {
  if (node.kind === 'union') return [];
  if (node.kind === 'except') return [0];
  if (node.kind !== 'join') return inputsOf(node).map((_, i) => i);
  switch (node.type) {
    case 'left':
    case 'anti':
    case 'semi':
      return [0];
    case 'right':
      return [1];
    case 'full':
      return [];
    default:
      return [0, 1];
  }
}

/** The node without its own predicate, filtered by another. */
function withPredicate(node: LogicalPlan, predicate: Expression): LogicalPlan {
  return node.kind === 'filter' ? { ...node, predicate } : node;
}

function restricted(plan: LogicalPlan, wanted: Wanted): LogicalPlan {
  const own = new Set(columnsOf(plan).map((column) => column.id));
  const tests = [...wanted].flatMap(([id, { value, type }]) => {
    if (!own.has(id)) return [];
    const column: Expression = { kind: 'column', id, type };
    return [value === null ? call(isNull, column) : call(equal, column, { kind: 'literal', value, type })];
  });
  const predicate = conjunction(tests);
  return predicate ? { kind: 'filter', input: plan, predicate } : plan;
}

/** What is wanted of input `i`: columns that the operator passes on, by whatever name. */
function tracedTo(node: LogicalPlan, i: number, wanted: Wanted): Wanted {
  const input = inputsOf(node)[i];
  const below = new Map<ColumnId, { value: Value; type: Type }>();
  const trace = (id: ColumnId, expression: Expression) => {
    const value = wanted.get(id);
    if (value && expression.kind === 'column') below.set(expression.id, value);
  };
  switch (node.kind) {
    case 'project':
      node.columns.forEach((column, at) => {
        trace(column.id, node.expressions[at]);
      });
      return below;
    case 'aggregate':
      for (const key of node.keys) trace(key.column.id, key.expression);
      return below;
    case 'union':
    case 'except':
    case 'intersect': {
      const columns = columnsOf(input);
      node.columns.forEach((column, at) => {
        trace(column.id, { kind: 'column', id: columns[at].id, type: columns[at].type });
      });
      return below;
    }
    default: {
      const own = new Set(columnsOf(input).map((column) => column.id));
      for (const [id, value] of wanted) if (own.has(id)) below.set(id, value);
      return below;
    }
  }
}
