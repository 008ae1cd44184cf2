/** IS NULL, boolean tests, COALESCE, NULLIF, GREATEST, LEAST. */
import type { ScalarFunction } from '../plan/expression.js';
import type { Type, Value } from '../value/value.js';
import { compareValues } from './compare.js';
import { compareTyped } from './comparison.js';
import { commonType, type Declared, scalar } from './define.js';

const lax: Declared = { strict: false };

function one(types: readonly Type[]): Type | undefined {
  return types.length === 1 ? 'boolean' : undefined;
}

export const isNull = scalar('is null', one, ([a]) => a === null, { ...lax, share: () => 0.05 });
export const isNotNull = scalar('is not null', one, ([a]) => a !== null, {
  ...lax,
  rejects: 'null',
  share: () => 0.95,
});

function truth(
  name: string,
  holds: (a: Value) => boolean,
  rejects?: ScalarFunction['rejects'],
): ScalarFunction {
  const resolve = ([type, more]: readonly Type[]): Type | undefined =>
    (type === 'boolean' || type === 'null') && more === undefined ? 'boolean' : undefined;
  return scalar(name, resolve, ([a]) => holds(a), { ...lax, ...(rejects && { rejects }) });
}

export const isTrue = truth('is true', (a) => a === true, 'untrue');
export const isNotTrue = truth('is not true', (a) => a !== true);
export const isFalse = truth('is false', (a) => a === false, 'null');
export const isNotFalse = truth('is not false', (a) => a !== false);
export const isUnknown = truth('is unknown', (a) => a === null);
export const isNotUnknown = truth('is not unknown', (a) => a !== null, 'null');

/** The common type of one or more. */
function allCommon(types: readonly Type[]): Type | undefined {
  return types.reduce<Type | undefined>((a, b) => (a === undefined ? undefined : commonType(a, b)), types[0]);
}

/** A value of type `from` as one of the wider type `to`: only date to timestamp changes form. */
function widen(value: Value, from: Type, to: Type): Value {
  if (value !== null && from === 'date' && to === 'timestamp') return Number(value) * 86_400_000;
  return typeof value === 'bigint' && to === 'float' ? Number(value) : value;
}

/** Evaluated left to right, and no further than the first value that is not NULL. */
export const coalesce: ScalarFunction = scalar(
  'coalesce',
  allCommon,
  (values, types) => {
    const i = values.findIndex((value) => value !== null);
    return i < 0 ? null : widen(values[i], types[i], allCommon(types) ?? 'null');
  },
  lax,
);

export const nullif: ScalarFunction = scalar(
  'nullif',
  (types) => (types.length === 2 && commonType(types[0], types[1]) !== undefined ? types[0] : undefined),
  ([a, b], [left, right]) => (a !== null && b !== null && compareTyped(a, b, left, right) === 0 ? null : a),
  lax,
);

function extreme(name: string, sign: 1 | -1): ScalarFunction {
  return scalar(
    name,
    allCommon,
    (values, types) => {
      const type = allCommon(types) ?? 'null';
      let best: Value = null;
      for (const [i, value] of values.entries()) {
        if (value === null) continue;
        const wide = widen(value, types[i], type);
        if (best === null || sign * compareValues(wide, best) > 0) best = wide;
      }
      return best;
    },
    lax,
  );
}

/** NULLs are passed over; NULL only where all are. */
export const greatest = extreme('greatest', 1);
export const least = extreme('least', -1);
