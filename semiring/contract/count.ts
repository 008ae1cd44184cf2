/**
 * Exact natural numbers: a `number` up to 2^53 - 1 and a `bigint` beyond. The form is canonical (never a
 * bigint for what a number holds), so `===` is equality.
 */
import { SemiringError } from '../message/error.js';

/** An exact whole number in canonical form; natural where not said otherwise. */
export type Count = number | bigint;

const limit = BigInt(Number.MAX_SAFE_INTEGER);

/** The canonical form of a natural number; refuses what is none (negative, fractional, not exact). */
export function count(value: number | bigint): Count {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return value === 0 ? 0 : value;
  } else if (value >= 0n) return value <= limit ? Number(value) : value;
  throw new SemiringError(
    'semiring/not-natural',
    `${value} is not a natural number; give a whole number from 0 up (a bigint beyond 2^53 - 1)`,
  );
}

/**
 * Binary digits of the longest number. Beyond it arithmetic takes seconds, and soon ends in the engine's own
 * limit.
 */
export const mostBits = 2 ** 24;

/** @throws SemiringError `semiring/number-too-long` */
function multiplyExactly(a: bigint, b: bigint): bigint {
  const product = a * b;
  if (BigInt.asIntN(mostBits, product) === product) return product;
  throw new SemiringError(
    'semiring/number-too-long',
    `a number has more than ${mostBits} binary digits; a semiring in which · is idempotent has an answer`,
  );
}

/** Whether a value is a natural number in canonical form. */
export function isCount(value: unknown): value is Count {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return typeof value === 'bigint' && value > limit;
}

/** The canonical form of a whole number of any sign. */
export function shrink(value: bigint): Count {
  return value <= limit && value >= -limit ? Number(value) : value;
}

/** a + b, of any sign. */
export function addCounts(a: Count, b: Count): Count {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return shrink(BigInt(a) + BigInt(b));
}

/** a · b, of any sign. @throws SemiringError `semiring/number-too-long` */
export function multiplyCounts(a: Count, b: Count): Count {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding 0 turns the -0 of a negative factor into 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return shrink(multiplyExactly(BigInt(a), BigInt(b)));
}

/** max(0, a - b), for natural numbers */
export function subtractCounts(a: Count, b: Count): Count {
  if (a <= b) return 0;
  if (typeof a === 'number') return a - Number(b);
  return shrink(a - BigInt(b));
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compareCounts(a: Count, b: Count): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
