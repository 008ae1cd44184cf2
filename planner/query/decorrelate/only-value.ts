/** Aggregates that carry a row's values through a grouping of which each group should be one row. */
import type { AggregateFunction, Expression, ScalarFunction } from '../../../engine/plan/expression.js';
import { freshColumn } from '../../../engine/plan/expression.js';
import type { AggregateCall } from '../../../engine/plan/plan.js';
import type { Value } from '../../../engine/value/value.js';
import { AssayError } from '../../../semiring/message/error.js';

export function aggregateCall(
  name: string,
  fn: AggregateFunction,
  operands: readonly Expression[],
): AggregateCall {
  const types = operands.map((operand) => operand.type);
  const type = fn.resolve(types);
  if (type === undefined)
    throw new AssayError('query/aggregate', `${fn.name} does not take (${types.join(', ')})`);
  return { column: freshColumn(name, type), function: fn, arguments: operands };
}

/** Some value of the group, NULL included. */
export const anyValue: AggregateFunction = {
  name: 'any_value',
  takesNull: true,
  resolve: ([type]) => type,
  start: () => null,
  step: (_, [value]) => value,
  finish: (value) => value as Value,
};

/** The value where it is the only one. */
export const onlyValue: ScalarFunction = {
  name: 'only_value',
  strict: false,
  resolve: ([, type]) => type,
  evaluate: ([rows, value]) => {
    if (Number(rows ?? 0) <= 1) return value;
    throw new AssayError('engine/more-than-one-row', `a subquery used as a value returned ${rows} rows`);
  },
};
