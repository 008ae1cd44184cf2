/**
 * The max-plus semiring: the greatest gain of a derivation.
 *
 * Carrier: numbers and -∞ (not +∞). 0: -∞, 1: 0, +: max, ·: sum. a ∸ b: -∞ where a ≤ b, else a. δ: identity.
 * Laws: + idempotent, positive, naturally ordered (by size), · distributes over ∸. Not absorptive (a gain of
 * 1 beats 1 = 0 gain), · not idempotent. Exact for whole numbers within ±2^53, as the tropical semiring is.
 */
import { kernelOf } from '../contract/kernel-of.js';
import type { Semiring } from '../contract/semiring.js';

const none = Number.NEGATIVE_INFINITY;

const plus = (a: number, b: number): number => Math.max(a, b);
const times = (a: number, b: number): number => a + b;
const monus = (a: number, b: number): number => (a <= b ? none : a);
const delta = (a: number): number => a;
const contains = (value: unknown): boolean => typeof value === 'number' && value < Number.POSITIVE_INFINITY;

export const MaxPlus: Semiring<number> = {
  name: 'max-plus',
  zero: none,
  one: 0,
  plus,
  times,
  equals: (a, b) => a === b,
  show: (a) => (a === none ? '-∞' : String(a)),
  contains,
  laws: { plusIdempotent: true, positive: true, naturallyOrdered: true, timesDistributesOverMonus: true },
  monus,
  delta,
  kernel: kernelOf<number>({
    array: Float64Array,
    zero: none,
    one: 0,
    encode: (value) => (contains(value) ? value : Number.NaN),
    checksCarrier: true,
    decode: (code) => code,
    plus,
    times,
    monus,
    delta,
  }),
};
