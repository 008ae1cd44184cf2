/**
 * Which rows of a sub-plan are compatible with a row that is missing from the answer: those that would become
 * it as far as the operators above say. A wanted value is traced down as an expression (through a projection
 * it becomes what the projection computes), and is let go where it cannot be traced: at an aggregate's value,
 * and at one side of a join where it is computed from both.
 */
import { compileRow } from '../../../engine/evaluate/row.js';
import { compareValues } from '../../../engine/operators/compare.js';
import { call } from '../../../engine/operators/define.js';
import { equal, isNull } from '../../../engine/operators/index.js';
import type { Column, ColumnId, Expression, ScalarFunction } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import {
  columnsRead,
  conjunction,
  operandsOf,
  substitute,
  walkExpression,
} from '../../../engine/plan/traverse-expression.js';
import { inputsOf } from '../../../engine/plan/traverse-plan.js';
import type { Value } from '../../../engine/value/value.js';
import { AssayError } from '../../../semiring/message/error.js';
import { literal } from '../optimize/constant.js';
import type { WantedTuple } from './wanted-tuple.js';

/** A value that a row must give: of the answer's column, by what it is over the columns of a sub-plan. */
export interface Wanted {
  readonly column: Column;
  readonly expression: Expression;
  readonly value: Value;
}

/** What a row of a sub-plan must give to be compatible. */
export type Demand = readonly Wanted[];

/** What a row of the answer must give to be the wanted one. */
export function demandOf(plan: LogicalPlan, tuple: WantedTuple): Demand {
  return columnsOf(plan).flatMap((column, i) => {
    const value = tuple[i];
    return value === undefined ? [] : [{ column, expression: reference(column), value }];
  });
}

/** The plan's compatible rows. */
export function restricted(plan: LogicalPlan, demand: Demand, parameters: readonly Value[]): LogicalPlan {
  const predicate = conjunction(demand.map((wanted) => testOf(wanted, parameters)));
  return predicate ? { kind: 'filter', input: plan, predicate } : plan;
}

function testOf({ expression, value }: Wanted, parameters: readonly Value[]): Expression {
  if (expression.kind !== 'column') return gives(expression, value, parameters);
  if (value === null) return call(isNull, expression);
  return call(equal, expression, literal(value, expression.type));
}

/**
 * Whether an expression has a value, NULL included. It is asked of rows that the query itself would have
 * dropped before it computed anything of them: where it cannot be computed, it has not.
 */
export function gives(expression: Expression, value: Value, parameters: readonly Value[]): Expression {
  const columns = new Map<ColumnId, Expression>();
  walkExpression(expression, (inner) => {
    if (inner.kind === 'column') columns.set(inner.id, inner);
  });
  const slots = new Map([...columns.keys()].map((id, i) => [id, i]));
  let row: readonly Value[] = [];
  const evaluate = compileRow(expression, {
    column: (id) => {
      const slot = slots.get(id) ?? 0;
      return () => row[slot];
    },
    parameters,
  });
  const test: ScalarFunction = {
    name: 'gives',
    strict: false,
    resolve: () => 'boolean',
    evaluate: (values) => {
      row = values;
      try {
        const found = evaluate(0);
        return found === null || value === null ? found === value : compareValues(found, value) === 0;
      } catch (error) {
        if (error instanceof AssayError) return false;
        throw error;
      }
    },
  };
  return { kind: 'call', function: test, arguments: [...columns.values()], type: 'boolean' };
}

/**
 * What is demanded of the rows of input `i`; undefined where no row could meet it, whatever the input has.
 */
export function demandBelow(
  node: LogicalPlan,
  i: number,
  demand: Demand,
  parameters: readonly Value[],
): Demand | undefined {
  const input = inputsOf(node)[i];
  switch (node.kind) {
    case 'project':
      return over(demand, node.columns, node.expressions, input, parameters);
    case 'aggregate': {
      const keys = node.keys.map((key) => key.column);
      const expressions = node.keys.map((key) => key.expression);
      return over(demand, keys, expressions, input, parameters);
    }
    case 'union':
    case 'except':
    case 'intersect':
      return over(demand, node.columns, columnsOf(input).map(reference), input, parameters);
    default:
      return readable(demand, input, parameters);
  }
}

/** The demand on rows of one side that an outer join puts out alone, with NULLs for the other side. */
export function demandAlone(
  side: LogicalPlan,
  other: LogicalPlan,
  demand: Demand,
  parameters: readonly Value[],
): Demand | undefined {
  const columns = columnsOf(other);
  const nulls = columns.map((column) => literal(null, column.type));
  const own = columnsOf(side);
  return over(demand, [...own, ...columns], [...own.map(reference), ...nulls], side, parameters);
}

/** The demand with `columns` replaced by what they are. */
function over(
  demand: Demand,
  columns: readonly Column[],
  expressions: readonly Expression[],
  input: LogicalPlan,
  parameters: readonly Value[],
): Demand | undefined {
  const by = new Map(columns.map((column, i) => [column.id, expressions[i]]));
  const known = demand.filter(({ expression }) => [...columnsRead(expression)].every((id) => by.has(id)));
  const replaced = known.map((wanted) => ({ ...wanted, expression: substitute(wanted.expression, by) }));
  return readable(replaced, input, parameters);
}

/** What can be asked of the plan's rows. What is constant is decided here. */
function readable(
  demand: Demand,
  plan: LogicalPlan,
  parameters: readonly Value[],
): readonly Wanted[] | undefined {
  const own = new Set(columnsOf(plan).map((column) => column.id));
  const kept: Wanted[] = [];
  for (const wanted of demand) {
    const read = columnsRead(wanted.expression);
    if (read.size > 0) {
      if ([...read].every((id) => own.has(id)) && isSmall(wanted.expression)) kept.push(wanted);
      continue;
    }
    const test = gives(wanted.expression, wanted.value, parameters);
    if (test.kind === 'call' && test.function.evaluate([], []) !== true) return undefined;
  }
  return kept;
}

/** Definitions that use one another twice, again and again, double with every step. */
const mostOperands = 2000;

function isSmall(expression: Expression): boolean {
  let left = mostOperands;
  const visit = (inner: Expression): boolean => --left >= 0 && operandsOf(inner).every(visit);
  return visit(expression);
}

function reference(column: Column): Expression {
  return { kind: 'column', id: column.id, type: column.type };
}
