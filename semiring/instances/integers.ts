/**
 * Z: changes to bags; a negative count is a deletion (Green, Ives, Tannen: Reconcilable differences, ICDT
 * 2009).
 *
 * Carrier: whole numbers, exact: a `number` within ±(2^53 - 1) and a `bigint` beyond. 0, 1, + and ·: the
 * usual. ∸: none. In a ring every a ≤ every b, so the least c of a monus does not exist; a - b is
 * `subtractIntegers`, which is no monus (0 - b is not 0) and so does not stand for SQL's difference. δ(a): 0
 * for 0, else 1. Laws: none beyond those of a semiring. Not positive: 1 + -1 = 0.
 */
import { addCounts, type Count, multiplyCounts, shrink } from '../contract/count.js';
import type { Semiring } from '../contract/semiring.js';

export const Integers: Semiring<Count> = {
  name: 'Z',
  zero: 0,
  one: 1,
  plus: addCounts,
  times: multiplyCounts,
  equals: (a, b) => a === b,
  contains: (value) =>
    Number.isSafeInteger(value) || (typeof value === 'bigint' && typeof shrink(value) === 'bigint'),
  delta: (a) => (a === 0 ? 0 : 1),
};

/** a - b in Z. */
export function subtractIntegers(a: Count, b: Count): Count {
  return addCounts(a, multiplyCounts(-1, b));
}
