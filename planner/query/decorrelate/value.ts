/**
 * A subquery as a value, anywhere in an expression: its answer becomes columns that are joined to the row. The one
 * thing to know: a join made here never drops a row and never doubles one.
 */
import { count, max, min } from '../../../engine/aggregates/index.js';
import {
  type AggregateFunction,
  type Column,
  type Expression,
  freshColumn,
  type ScalarFunction,
} from '../../../engine/expression.js';
import {
  call,
  equal,
  greater,
  greaterOrEqual,
  isNotNull,
  isNull,
  less,
  lessOrEqual,
  negated,
  notEqual,
} from '../../../engine/operators/index.js';
import { type AggregateCall, columnsOf, type Join, type LogicalPlan } from '../../../engine/plan.js';
import { conjunction } from '../../../engine/traverse.js';
import type { Value } from '../../../engine/value.js';
import { AssayError } from '../../../semiring/error.js';
import { literal } from '../constant.js';
import { outputOf, type SubqueryExpression } from './conjunct.js';
import { correlatedEquality, reads } from './equality.js';
import { type PulledUp, pullUp } from './pull-up.js';
import { UnsupportedSubquery } from './unsupported-subquery.js';

/** A row's input with what the value needs joined to it, and the value over the joined columns. */
export interface Attached {
  readonly plan: LogicalPlan;
  readonly value: Expression;
}

/** @throws UnsupportedSubquery */
export function attachSubquery(input: LogicalPlan, subquery: SubqueryExpression): Attached {
  const pulled = pullUp(subquery.plan);
  switch (subquery.form) {
    case 'scalar':
      return attachScalar(input, pulled, subquery);
    case 'exists':
      return attachExists(input, pulled);
    default:
      return attachQuantified(input, pulled, subquery);
  }
}

function attachScalar(input: LogicalPlan, pulled: PulledUp, subquery: SubqueryExpression): Attached {
  const value = outputOf(pulled, subquery.plan);
  if (pulled.whenEmpty) {
    const [column] = columnsOf(subquery.plan);
    const empty = pulled.whenEmpty.get(column.id) ?? literal(null, column.type);
    const joined = leftJoin(input, pulled.plan, pulled.conditions);
    return { plan: joined.plan, value: choose(call(isNotNull, joined.matched), value, empty) };
  }
  if (pulled.conditions.length > 0) return attachOnlyRow(input, pulled, value, subquery);
  const marked = withMarker(pulled.plan);
  const single: LogicalPlan = { kind: 'singleRow', input: marked.plan };
  const plan: LogicalPlan = { kind: 'join', type: 'inner', left: input, right: single };
  if (pulled.computed.size === 0) return { plan, value };
  return { plan, value: choose(call(isNotNull, marked.matched), value, literal(null, value.type)) };
}

/** One row a group of the correlation's keys; more than one is an error where a row asks for it. */
function attachOnlyRow(
  input: LogicalPlan,
  pulled: PulledUp,
  value: Expression,
  subquery: SubqueryExpression,
): Attached {
  if (reads(value, pulled.outer)) {
    throw new UnsupportedSubquery(
      'a scalar subquery that gives a column of the enclosing query',
      subquery.place,
    );
  }
  const rows = aggregateCall('rows', count, []);
  const only = aggregateCall('value', anyValue, [value]);
  const grouped = groupByCorrelation(pulled, [rows, only], 'a scalar subquery');
  const joined = leftJoin(input, grouped.plan, grouped.conditions);
  return { plan: joined.plan, value: call(onlyValue, reference(rows.column), reference(only.column)) };
}

function attachExists(input: LogicalPlan, pulled: PulledUp): Attached {
  if (pulled.whenEmpty) return { plan: input, value: literal(true, 'boolean') };
  const rows = aggregateCall('rows', count, []);
  const grouped = groupByCorrelation(pulled, [rows], 'EXISTS as a value');
  const joined = attachGroup(input, grouped);
  return { plan: joined.plan, value: call(isNotNull, nonZero(reference(rows.column))) };
}

/** The count where it is over 0, else NULL (also for the NULL of an outer join). */
function nonZero(rows: Expression): Expression {
  return choose(call(greater, rows, literal(0, 'integer')), rows, literal(null, 'integer'));
}

/** `x op ANY (…)` as a three-valued value, from per-group counts and extremes; ALL is NOT ANY of the negation. */
function attachQuantified(input: LogicalPlan, pulled: PulledUp, subquery: SubqueryExpression): Attached {
  const { argument, form, comparison = equal } = subquery;
  if (!argument) throw new UnsupportedSubquery('a quantifier without a left operand', subquery.place);
  if (form === 'all') {
    const opposite = negated.get(comparison);
    if (!opposite) throw new UnsupportedSubquery(`${comparison.name} ALL as a value`, subquery.place);
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
  if (reads(element, pulled.outer)) {
    throw new UnsupportedSubquery(
      'IN or a quantifier over a column of the enclosing query, as a value,',
      subquery.place,
    );
  }
  const rows = aggregateCall('rows', count, []);
  const known = aggregateCall('known', count, [element]);
  const tests = comparison === equal ? undefined : extremes(comparison, argument, element, subquery);
  const grouped = groupByCorrelation(
    pulled,
    [rows, known, ...(tests?.calls ?? [])],
    'IN or a quantifier as a value',
  );
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
  subquery: SubqueryExpression,
): { readonly calls: readonly AggregateCall[]; readonly found: Expression } {
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
  throw new UnsupportedSubquery(`${comparison.name} ANY as a value`, subquery.place);
}

/** Joins whether the element occurs: one row for each correlation and element, so no row is doubled. */
function attachMatches(
  input: LogicalPlan,
  pulled: PulledUp,
  argument: Expression,
  element: Expression,
): { readonly plan: LogicalPlan; readonly matched: Expression } {
  const sides = pulled.conditions.map((condition) =>
    correlatedEquality(condition, pulled.outer, 'IN as a value'),
  );
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
function groupByCorrelation(pulled: PulledUp, aggregates: readonly AggregateCall[], over: string): Grouped {
  const sides = pulled.conditions.map((condition) => correlatedEquality(condition, pulled.outer, over));
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

function leftJoin(
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
function withMarker(plan: LogicalPlan): { readonly plan: LogicalPlan; readonly matched: Expression } {
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

function choose(when: Expression, then: Expression, otherwise: Expression): Expression {
  return { kind: 'case', branches: [branch(when, then)], otherwise, type: then.type };
}

function branch(
  when: Expression,
  result: Expression,
): { readonly when: Expression; readonly then: Expression } {
  // biome-ignore lint/suspicious/noThenProperty: SQL's own word; a branch is never awaited
  return { when, then: result };
}

function reference(column: Column): Expression {
  return { kind: 'column', id: column.id, type: column.type };
}

function aggregateCall(name: string, fn: AggregateFunction, operands: readonly Expression[]): AggregateCall {
  const types = operands.map((operand) => operand.type);
  const type = fn.resolve(types);
  if (type === undefined)
    throw new AssayError('query/aggregate', `${fn.name} does not take (${types.join(', ')})`);
  return { column: freshColumn(name, type), function: fn, arguments: operands };
}

/** Some value of the group, NULL included. */
const anyValue: AggregateFunction = {
  name: 'any_value',
  takesNull: true,
  resolve: ([type]) => type,
  start: () => null,
  step: (_, [value]) => value,
  finish: (value) => value as Value,
};

/** The value where it is the only one. */
const onlyValue: ScalarFunction = {
  name: 'only value',
  strict: false,
  resolve: ([, type]) => type,
  evaluate: ([rows, value]) => {
    if (Number(rows ?? 0) <= 1) return value;
    throw new AssayError('engine/more-than-one-row', `a subquery used as a value returned ${rows} rows`);
  },
};
