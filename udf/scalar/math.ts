/**
 * Functions of numbers. Assay has one floating type for PostgreSQL's numeric and double precision; where they
 * differ, these follow numeric (`round(2.5)` is 3).
 */

import { divisionByZero } from '../../engine/operators/arithmetic.js';
import type { ScalarFunction } from '../../engine/plan/expression.js';
import { integer } from '../../engine/value/external.js';
import type { Type, Value } from '../../engine/value/value.js';
import { badArgument, define } from './define.js';

/** Of one number, through a double. */
function real(name: string, compute: (x: number) => number): ScalarFunction {
  return define(name, ['number'], 'float', ([x]) => compute(Number(x)));
}

function sameType([type]: readonly Type[]): Type {
  return type === 'null' ? 'float' : type;
}

function positive(name: string, x: number): number {
  if (x > 0 || Number.isNaN(x)) return x;
  throw badArgument(name, `cannot take the logarithm of ${x === 0 ? 'zero' : 'a negative number'}`);
}

function finite(name: string, result: number, inputs: readonly number[]): number {
  if (Number.isFinite(result) || inputs.some((x) => !Number.isFinite(x))) return result;
  throw badArgument(name, 'the result is out of range');
}

/** As `finite`, of a function that is nowhere 0: a result too small for a double is out of range too. */
function representable(name: string, result: number, inputs: readonly number[]): number {
  if (result === 0 && inputs.every(Number.isFinite)) throw badArgument(name, 'the result is out of range');
  return finite(name, result, inputs);
}

/** Of a number for which the function has a value. */
function defined(name: string, compute: (x: number) => number): ScalarFunction {
  return real(name, (x) => {
    const result = compute(x);
    if (Number.isNaN(result) && !Number.isNaN(x)) throw badArgument(name, `it has no value at ${x}`);
    return result;
  });
}

function power(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw badArgument('power', 'zero raised to a negative power is undefined');
  if (base < 0 && !Number.isInteger(exponent) && Number.isFinite(exponent)) {
    throw badArgument('power', 'a negative number raised to a non-integer power yields a complex result');
  }
  if (base === 1 || exponent === 0) return 1;
  const check = base === 0 ? finite : representable;
  return check('power', base ** exponent, [base, exponent]);
}

/** The decimal text of a number shifted by `places`, as a number. */
function shift(x: number, places: number): number {
  const [digits, exponent = '0'] = String(x).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** `step` applied at `places` decimals; done on the decimal text, so that 1.005 is not taken for less. */
function atDecimals(x: number, places: number, step: (x: number) => number): number {
  if (!Number.isFinite(x)) return x;
  const shifted = shift(Math.abs(x), places);
  if (!Number.isFinite(shifted)) return x;
  const result = shift(step(shifted), -places);
  return x < 0 ? 0 - result : result;
}

function decimals(name: string, step: (x: number) => number): ScalarFunction {
  return define(
    name,
    ['number', 'integer'],
    'float',
    ([x, places]) => atDecimals(Number(x), Number(places ?? 0), step),
    1,
  );
}

const big = (value: Value): bigint => BigInt(value as number | bigint);

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function remainder([a, b]: readonly Value[], types: readonly Type[]): Value {
  if (Number(b) === 0) throw divisionByZero();
  if (types.includes('float')) return Number(a) % Number(b);
  return integer(big(a) % big(b));
}

export const mathFunctions: readonly ScalarFunction[] = [
  define('abs', ['number'], sameType, ([x]) =>
    typeof x === 'bigint' ? integer(x < 0n ? -x : x) : Math.abs(Number(x)),
  ),
  decimals('round', Math.round),
  decimals('trunc', Math.floor),
  real('floor', Math.floor),
  real('ceil', Math.ceil),
  real('ceiling', Math.ceil),
  real('sign', Math.sign),
  real('sqrt', (x) => {
    if (x < 0) throw badArgument('sqrt', 'cannot take the square root of a negative number');
    return Math.sqrt(x);
  }),
  real('cbrt', Math.cbrt),
  real('exp', (x) => representable('exp', Math.exp(x), [x])),
  real('ln', (x) => Math.log(positive('ln', x))),
  real('log10', (x) => Math.log10(positive('log10', x))),
  real('log', (x) => Math.log10(positive('log', x))),
  define('log', ['number', 'number'], 'float', ([base, x]) => {
    const divisor = Math.log(positive('log', Number(base)));
    if (divisor === 0) throw divisionByZero();
    return Math.log(positive('log', Number(x))) / divisor;
  }),
  ...['power', 'pow', '^'].map((name) =>
    define(name, ['number', 'number'], 'float', ([x, y]) => power(Number(x), Number(y))),
  ),
  define('mod', ['number', 'number'], (types) => (types.includes('float') ? 'float' : 'integer'), remainder),
  define('div', ['number', 'number'], 'float', ([a, b]) => {
    if (Number(b) === 0) throw divisionByZero();
    return Math.trunc(Number(a) / Number(b)) + 0;
  }),
  define('gcd', ['integer', 'integer'], 'integer', ([a, b]) => integer(gcd(big(a), big(b)))),
  define('lcm', ['integer', 'integer'], 'integer', ([a, b]) => {
    const divisor = gcd(big(a), big(b));
    if (divisor === 0n) return 0;
    const multiple = (big(a) / divisor) * big(b);
    return integer(multiple < 0n ? -multiple : multiple);
  }),
  define('pi', [], 'float', () => Math.PI),
  real('degrees', (x) => (x * 180) / Math.PI),
  real('radians', (x) => (x * Math.PI) / 180),
  ...(['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh'] as const).map((name) =>
    defined(name, Math[name]),
  ),
  define('atan2', ['number', 'number'], 'float', ([y, x]) => Math.atan2(Number(y), Number(x))),
];
