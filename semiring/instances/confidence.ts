/**
 * What the semirings of confidence share: numbers from 0 to 1, of which + takes the greater. They differ in ·
 * alone, which is how much confidence is left when two things must both be right.
 */
import { kernelOf } from '../contract/kernel-of.js';
import type { Laws, Semiring } from '../contract/semiring.js';

const plus = (a: number, b: number): number => Math.max(a, b);
const monus = (a: number, b: number): number => (a <= b ? 0 : a);
const delta = (a: number): number => a;
const contains = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

/** ([0, 1], max, times, 0, 1). a ∸ b is 0 where a ≤ b, else a; δ is the identity. */
export function confidence(
  name: string,
  times: (a: number, b: number) => number,
  laws: Laws,
): Semiring<number> {
  return {
    name,
    zero: 0,
    one: 1,
    plus,
    times,
    equals: (a, b) => a === b,
    contains,
    laws: { plusIdempotent: true, absorptive: true, naturallyOrdered: true, ...laws },
    monus,
    delta,
    kernel: kernelOf<number>({
      array: Float64Array,
      zero: 0,
      one: 1,
      encode: (value) => (contains(value) ? value : Number.NaN),
      checksCarrier: true,
      decode: (code) => code,
      plus,
      times,
      monus,
      delta,
    }),
  };
}
