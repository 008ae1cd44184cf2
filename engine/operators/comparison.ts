/** = <> < <= > >= and IS [NOT] DISTINCT FROM. A date compares with a timestamp as its midnight. */
import type { ScalarFunction } from '../plan/expression.js';
import type { Type, Value } from '../value/value.js';
import { compareValues } from './compare.js';
import { commonType, type Declared, scalar } from './define.js';

const dayLength = 86_400_000;

function resolve(types: readonly Type[]): Type | undefined {
  return types.length === 2 && commonType(types[0], types[1]) !== undefined ? 'boolean' : undefined;
}

/** Order of two values, neither NULL, of types that `resolve` accepted. */
export function compareTyped(a: Value, b: Value, left: Type, right: Type): number {
  if (left === right) return compareValues(a, b);
  const x = left === 'date' && right === 'timestamp' ? Number(a) * dayLength : a;
  const y = right === 'date' && left === 'timestamp' ? Number(b) * dayLength : b;
  return compareValues(x, y);
}

function comparison(
  name: string,
  holds: (order: number) => boolean,
  declared: Declared = {},
): ScalarFunction {
  return scalar(name, resolve, ([a, b], [left, right]) => holds(compareTyped(a, b, left, right)), declared);
}

/** The smaller set of values lies in the larger. */
const equalShare = (distinct: readonly number[]): number => 1 / Math.max(1, ...distinct);
const otherShare = (distinct: readonly number[]): number => 1 - equalShare(distinct);

export const equal = comparison('=', (order) => order === 0, { share: equalShare });
export const notEqual = comparison('<>', (order) => order !== 0, { share: otherShare });
export const less = comparison('<', (order) => order < 0);
export const lessOrEqual = comparison('<=', (order) => order <= 0);
export const greater = comparison('>', (order) => order > 0);
export const greaterOrEqual = comparison('>=', (order) => order >= 0);

function distinct([a, b]: readonly Value[], [left, right]: readonly Type[]): boolean {
  if (a === null || b === null) return a !== b;
  return compareTyped(a, b, left, right) !== 0;
}

export const isDistinctFrom = scalar('is distinct from', resolve, distinct, {
  strict: false,
  share: otherShare,
});
export const isNotDistinctFrom = scalar('is not distinct from', resolve, (v, t) => !distinct(v, t), {
  strict: false,
  share: equalShare,
});

/** The same comparison with its sides exchanged: a < b is b > a. */
export const mirrored: ReadonlyMap<ScalarFunction, ScalarFunction> = new Map([
  [equal, equal],
  [notEqual, notEqual],
  [less, greater],
  [lessOrEqual, greaterOrEqual],
  [greater, less],
  [greaterOrEqual, lessOrEqual],
  [isDistinctFrom, isDistinctFrom],
  [isNotDistinctFrom, isNotDistinctFrom],
]);

/** The comparison that is true where this one is false, NULL where it is NULL. */
export const negated: ReadonlyMap<ScalarFunction, ScalarFunction> = new Map([
  [equal, notEqual],
  [notEqual, equal],
  [less, greaterOrEqual],
  [lessOrEqual, greater],
  [greater, lessOrEqual],
  [greaterOrEqual, less],
  [isDistinctFrom, isNotDistinctFrom],
  [isNotDistinctFrom, isDistinctFrom],
]);
