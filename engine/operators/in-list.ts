/** value IN (a, b, …): NULL where it matches none and there is a NULL in the list. */
import type { ScalarFunction } from '../plan/expression.js';
import type { Type } from '../value/value.js';
import { compareTyped } from './comparison.js';
import { commonType, scalar } from './define.js';

function resolve(types: readonly Type[]): Type | undefined {
  return types.length > 1 && types.every((type) => commonType(types[0], type) !== undefined)
    ? 'boolean'
    : undefined;
}

function membership(name: string, negative: boolean): ScalarFunction {
  const found = (distinct: readonly number[]) =>
    Math.min(1, (distinct.length - 1) / Math.max(1, distinct[0]));
  return scalar(
    name,
    resolve,
    (values, types) => {
      const [value] = values;
      if (value === null) return null;
      let unknown = false;
      for (let i = 1; i < values.length; i++) {
        if (values[i] === null) unknown = true;
        else if (compareTyped(value, values[i], types[0], types[i]) === 0) return !negative;
      }
      return unknown ? null : negative;
    },
    {
      strict: false,
      cost: 3,
      rejects: 'null',
      share: (distinct) => (negative ? 1 - found(distinct) : found(distinct)),
    },
  );
}

/** The first argument is the value, the rest the list, which is never empty. */
export const inList = membership('in', false);
export const notInList = membership('not in', true);
