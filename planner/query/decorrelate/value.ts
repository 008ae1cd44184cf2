/**
 * A subquery as a value, anywhere in an expression: its answer becomes columns that are joined to the row. A
 * join made here never drops a row and never doubles one.
 */
import { boolAnd, boolOr, count, max, min } from '../../../engine/aggregates/index.js';
import {
  call,
  equal,
  greater,
  greaterOrEqual,
  isFalse,
  isNotNull,
  isNull,
  isTrue,
  less,
  lessOrEqual,
  negated,
  notEqual,
} from '../../../engine/operators/index.js';
import { type Expression, freshColumn, type ScalarFunction } from '../../../engine/plan/expression.js';
import { type AggregateCall, columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { literal } from '../optimize/constant.js';
import { outputOf, type SubqueryExpression } from './conjunct.js';
import { type CorrelatedEquality, correlatedEquality, reads } from './equality.js';
import { branch, choose, leftJoin, reference, withMarker } from './left-join.js';
import { aggregateCall, anyValue, onlyValue } from './only-value.js';
import { overBindings } from './over-bindings.js';
import { type PulledUp, pullUp } from './pull-up.js';

/** A row's input with what the value needs joined to it, and the value over the joined columns. */
export interface Attached {
  readonly plan: LogicalPlan;
  readonly value: Expression;
}

export function attachSubquery(input: LogicalPlan, subquery: SubqueryExpression): Attached {
  const pulled = joinable(pullUp(subquery.plan), subquery) ?? overBindings(input, subquery.plan);
  switch (subquery.form) {
    case 'scalar':
      return attachScalar(input, pulled, subquery);
    case 'exists':
      return attachExists(input, pulled);
    default:
      return attachQuantified(input, pulled, subquery);
  }
}

/** The subquery by the standard rules, where what they give can be grouped by its correlation. */
function joinable(pulled: PulledUp | undefined, subquery: SubqueryExpression): PulledUp | undefined {
  if (!pulled || pulled.whenEmpty) return pulled;
  if (subquery.form === 'scalar' && pulled.conditions.length === 0) return pulled;
  const valued = subquery.form !== 'exists' && reads(outputOf(pulled, subquery.plan), pulled.outer);
  const equalities = pulled.conditions.every((condition) => correlatedEquality(condition, pulled.outer));
  return equalities && !valued ? pulled : undefined;
}

/** The conditions of a subquery that {@link joinable} let through. */
function equalitiesOf({ conditions, outer }: PulledUp): readonly CorrelatedEquality[] {
  return conditions.flatMap((condition) => correlatedEquality(condition, outer) ?? []);
}

function attachScalar(input: LogicalPlan, pulled: PulledUp, subquery: SubqueryExpression): Attached {
  const value = outputOf(pulled, subquery.plan);
  if (pulled.whenEmpty) {
    const [column] = columnsOf(subquery.plan);
    const empty = pulled.whenEmpty.get(column.id) ?? literal(null, column.type);
    const joined = leftJoin(input, pulled.plan, pulled.conditions);
    return { plan: joined.plan, value: choose(call(isNotNull, joined.matched), value, empty) };
  }
  if (pulled.conditions.length > 0) return attachOnlyRow(input, pulled, value);
  const marked = withMarker(pulled.plan);
  const single: LogicalPlan = { kind: 'singleRow', input: marked.plan };
  const plan: LogicalPlan = { kind: 'join', type: 'inner', left: input, right: single };
  if (pulled.computed.size === 0) return { plan, value };
  return { plan, value: choose(call(isNotNull, marked.matched), value, literal(null, value.type)) };
}

/** One row a group of the correlation's keys; more than one is an error where a row asks for it. */
function attachOnlyRow(input: LogicalPlan, pulled: PulledUp, value: Expression): Attached {
  const rows = aggregateCall('rows', count, []);
  const only = aggregateCall('value', anyValue, [value]);
  const grouped = groupByCorrelation(pulled, [rows, only]);
  const joined = leftJoin(input, grouped.plan, grouped.conditions);
  return { plan: joined.plan, value: call(onlyValue, reference(rows.column), reference(only.column)) };
}

function attachExists(input: LogicalPlan, pulled: PulledUp): Attached {
  if (pulled.whenEmpty) return { plan: input, value: literal(true, 'boolean') };
  const rows = aggregateCall('rows', count, []);
  const grouped = groupByCorrelation(pulled, [rows]);
  const joined = attachGroup(input, grouped);
  return { plan: joined.plan, value: call(isNotNull, nonZero(reference(rows.column))) };
}

/** The count where it is over 0, else NULL (also for the NULL of an outer join). */
function nonZero(rows: Expression): Expression {
  return choose(call(greater, rows, literal(0, 'integer')), rows, literal(null, 'integer'));
}

/**
 * `x op ANY (…)` as a three-valued value, from per-group counts and extremes; ALL is NOT ANY of the negation.
 */
function attachQuantified(input: LogicalPlan, pulled: PulledUp, subquery: SubqueryExpression): Attached {
  const { argument, form, comparison = equal } = subquery;
  if (!argument) throw new TypeError('a quantifier without a left operand');
  const opposite = negated.get(comparison);
  if (form === 'all' && opposite) {
    const any = attachQuantified(input, pulled, { ...subquery, form: 'any', comparison: opposite });
    return {
      plan: any.plan,
      value: { kind: 'not', argument: any.value, type: 'boolean', place: subquery.place },
    };
  }
  const element = outputOf(pulled, subquery.plan);
  if (pulled.whenEmpty) {
    const scalar = attachScalar(input, pulled, subquery);
    return { plan: scalar.plan, value: call(comparison, argument, scalar.value) };
  }
  const rows = aggregateCall('rows', count, []);
  const known = aggregateCall('known', count, [element]);
  const tests = comparison === equal ? undefined : extremes(comparison, argument, element);
  if (comparison !== equal && !tests) return attachByTest(input, subquery, argument, comparison);
  const grouped = groupByCorrelation(pulled, [rows, known, ...(tests?.calls ?? [])]);
  let { plan } = attachGroup(input, grouped);
  let found: Expression;
  if (tests) found = tests.found;
  else {
    const matches = attachMatches(plan, pulled, argument, element);
    plan = matches.plan;
    found = call(isNotNull, matches.matched);
  }
  const unknown: Expression = {
    kind: 'or',
    arguments: [call(isNull, argument), call(less, reference(known.column), reference(rows.column))],
    type: 'boolean',
  };
  const empty = call(isNull, nonZero(reference(rows.column)));
  const value: Expression = {
    kind: 'case',
    branches: [
      branch(empty, literal(false, 'boolean')),
      branch(found, literal(true, 'boolean')),
      branch(unknown, literal(null, 'boolean')),
    ],
    otherwise: literal(false, 'boolean'),
    type: 'boolean',
    place: subquery.place,
  };
  return { plan, value };
}

/** x < ANY is x < the greatest; x <> ANY is x <> the least or x <> the greatest. */
function extremes(
  comparison: ScalarFunction,
  argument: Expression,
  element: Expression,
): { readonly calls: readonly AggregateCall[]; readonly found: Expression } | undefined {
  const least = aggregateCall('least', min, [element]);
  const most = aggregateCall('greatest', max, [element]);
  const test = (extreme: AggregateCall): Expression => call(comparison, argument, reference(extreme.column));
  if (comparison === less || comparison === lessOrEqual) return { calls: [most], found: test(most) };
  if (comparison === greater || comparison === greaterOrEqual) return { calls: [least], found: test(least) };
  if (comparison === notEqual) {
    return {
      calls: [least, most],
      found: { kind: 'or', arguments: [test(least), test(most)], type: 'boolean' },
    };
  }
  return undefined;
}

/** Any other comparison, with every row of the subquery: the OR (of ALL, the AND) of the verdicts. */
function attachByTest(
  input: LogicalPlan,
  subquery: SubqueryExpression,
  argument: Expression,
  comparison: ScalarFunction,
): Attached {
  const all = subquery.form === 'all';
  const test = call(comparison, argument, reference(columnsOf(subquery.plan)[0]));
  const verdict = aggregateCall('verdict', all ? boolAnd : boolOr, [test]);
  const rows = aggregateCall('rows', count, []);
  const known = aggregateCall('known', count, [test]);
  const plan: LogicalPlan = {
    kind: 'aggregate',
    input: subquery.plan,
    keys: [],
    aggregates: [verdict, rows, known],
  };
  const decided = reference(verdict.column);
  const value: Expression = {
    kind: 'case',
    branches: [
      branch(all ? call(isFalse, decided) : call(isTrue, decided), literal(!all, 'boolean')),
      branch(call(less, reference(known.column), reference(rows.column)), literal(null, 'boolean')),
    ],
    otherwise: literal(all, 'boolean'),
    type: 'boolean',
  };
  const column = freshColumn('verdict', 'boolean');
  return attachSubquery(input, {
    kind: 'subquery',
    form: 'scalar',
    plan: { kind: 'project', input: plan, columns: [column], expressions: [value] },
    type: 'boolean',
    place: subquery.place,
  });
}

/** Joins whether the element occurs: one row for each correlation and element, so no row is doubled. */
function attachMatches(
  input: LogicalPlan,
  pulled: PulledUp,
  argument: Expression,
  element: Expression,
): { readonly plan: LogicalPlan; readonly matched: Expression } {
  const sides = equalitiesOf(pulled);
  const keys = [...sides.map((side) => side.inner), element].map((expression) => ({
    column: freshColumn('key', expression.type),
    expression,
  }));
  const grouped: LogicalPlan = { kind: 'aggregate', input: pulled.plan, keys, aggregates: [] };
  const conditions = sides.map((side, i) => side.remake(reference(keys[i].column)));
  conditions.push(call(equal, argument, reference(keys[sides.length].column)));
  return leftJoin(input, grouped, conditions);
}

interface Grouped {
  readonly plan: LogicalPlan;
  readonly conditions: readonly Expression[];
}

/** One row for each value of the correlation's keys; exactly one row where there is no correlation. */
function groupByCorrelation(pulled: PulledUp, aggregates: readonly AggregateCall[]): Grouped {
  const sides = equalitiesOf(pulled);
  const keys = sides.map(({ inner }) => ({ column: freshColumn('key', inner.type), expression: inner }));
  return {
    plan: { kind: 'aggregate', input: pulled.plan, keys, aggregates },
    conditions: sides.map((side, i) => side.remake(reference(keys[i].column))),
  };
}

function attachGroup(input: LogicalPlan, grouped: Grouped): { readonly plan: LogicalPlan } {
  if (grouped.conditions.length > 0) return leftJoin(input, grouped.plan, grouped.conditions);
  return { plan: { kind: 'join', type: 'inner', left: input, right: grouped.plan } };
}
