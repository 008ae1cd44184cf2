/**
 * + - * / % and signs. Integers are exact at every size; integer division cuts towards zero; division by zero
 * is an error, also for floats, as in PostgreSQL. Dates and intervals add as in PostgreSQL.
 */
import { AssayError } from '../../semiring/message/error.js';
import type { ScalarFunction } from '../plan/expression.js';
import { integer } from '../value/external.js';
import type { Interval, Type, Value } from '../value/value.js';
import { isNumber, scalar } from './define.js';
import { addIntervals, between, noTime, scale, shift, timeInMilliseconds } from './interval-arithmetic.js';

function numeric(types: readonly Type[]): Type | undefined {
  const [a, b] = types;
  if (types.length !== 2 || !isNumber(a) || !isNumber(b)) return undefined;
  return a === 'float' || b === 'float' ? 'float' : 'integer';
}

function isTime(type: Type): boolean {
  return type === 'date' || type === 'timestamp';
}

function resolveAdd(types: readonly Type[]): Type | undefined {
  const [a, b] = types;
  if ((a === 'date' && b === 'integer') || (a === 'integer' && b === 'date')) return 'date';
  if ((isTime(a) && b === 'interval') || (a === 'interval' && isTime(b))) return 'timestamp';
  if (a === 'interval' && (b === 'interval' || b === 'null')) return 'interval';
  return numeric(types);
}

function resolveSubtract(types: readonly Type[]): Type | undefined {
  const [a, b] = types;
  if (a === 'date' && b === 'integer') return 'date';
  if (a === 'date' && b === 'date') return 'integer';
  if (isTime(a) && isTime(b)) return 'interval';
  if (isTime(a) && b === 'interval') return 'timestamp';
  if (a === 'interval' && (b === 'interval' || b === 'null')) return 'interval';
  return numeric(types);
}

function resolveMultiply(types: readonly Type[]): Type | undefined {
  const [a, b] = types;
  if ((a === 'interval' && isNumber(b)) || (isNumber(a) && b === 'interval')) return 'interval';
  return numeric(types);
}

function resolveDivide(types: readonly Type[]): Type | undefined {
  return types[0] === 'interval' && isNumber(types[1]) ? 'interval' : numeric(types);
}

/** An exact result of two integers: in doubles while they hold it, else in bigints. */
function exact(
  a: Value,
  b: Value,
  double: (x: number, y: number) => number,
  big: (x: bigint, y: bigint) => bigint,
): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = double(a, b);
    if (Number.isSafeInteger(result)) return result + 0;
  }
  return integer(big(BigInt(a as number | bigint), BigInt(b as number | bigint)));
}

function isFloat(types: readonly Type[]): boolean {
  return types[0] === 'float' || types[1] === 'float';
}

export const add: ScalarFunction = scalar('+', resolveAdd, ([a, b], types) => {
  const [left, right] = types;
  if (right === 'interval')
    return left === 'interval'
      ? addIntervals(a as Interval, b as Interval, 1)
      : shift(Number(a), left, b as Interval, 1);
  if (left === 'interval') return shift(Number(b), right, a as Interval, 1);
  return isFloat(types)
    ? Number(a) + Number(b)
    : exact(
        a,
        b,
        (x, y) => x + y,
        (x, y) => x + y,
      );
});

export const subtract: ScalarFunction = scalar('-', resolveSubtract, ([a, b], types) => {
  const [left, right] = types;
  if (right === 'interval')
    return left === 'interval'
      ? addIntervals(a as Interval, b as Interval, -1)
      : shift(Number(a), left, b as Interval, -1);
  if (isTime(left) && isTime(right) && !(left === 'date' && right === 'date')) {
    return between(timeInMilliseconds(a, left) - timeInMilliseconds(b, right));
  }
  return isFloat(types)
    ? Number(a) - Number(b)
    : exact(
        a,
        b,
        (x, y) => x - y,
        (x, y) => x - y,
      );
});

export const multiply: ScalarFunction = scalar('*', resolveMultiply, ([a, b], types) => {
  if (types[0] === 'interval') return scale(a as Interval, (part) => part * Number(b));
  if (types[1] === 'interval') return scale(b as Interval, (part) => part * Number(a));
  return isFloat(types)
    ? Number(a) * Number(b)
    : exact(
        a,
        b,
        (x, y) => x * y,
        (x, y) => x * y,
      );
});

export function divisionByZero(): AssayError {
  return new AssayError('engine/division-by-zero', 'division by zero');
}

export const divide: ScalarFunction = scalar('/', resolveDivide, ([a, b], types) => {
  if (Number(b) === 0) throw divisionByZero();
  if (types[0] === 'interval') return scale(a as Interval, (part) => part / Number(b));
  return isFloat(types)
    ? Number(a) / Number(b)
    : exact(
        a,
        b,
        (x, y) => Math.trunc(x / y),
        (x, y) => x / y,
      );
});

export const modulo: ScalarFunction = scalar('%', numeric, ([a, b], types) => {
  if (Number(b) === 0) throw divisionByZero();
  return isFloat(types)
    ? Number(a) % Number(b)
    : exact(
        a,
        b,
        (x, y) => x % y,
        (x, y) => x % y,
      );
});

/** `+ x` */
export const plus: ScalarFunction = scalar(
  '+',
  ([type, more]) => (more === undefined && isNumber(type) ? (type === 'null' ? 'integer' : type) : undefined),
  ([a]) => a,
);

export const negate: ScalarFunction = scalar(
  '-',
  (types) =>
    types.length === 1 && (isNumber(types[0]) || types[0] === 'interval')
      ? types[0] === 'null'
        ? 'integer'
        : types[0]
      : undefined,
  ([a], [type]) => {
    if (type === 'interval') return addIntervals(noTime, a as Interval, -1);
    return typeof a === 'bigint' ? integer(-a) : type === 'float' ? -Number(a) : 0 - Number(a);
  },
);
