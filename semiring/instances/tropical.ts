/**
 * The tropical semiring: the least cost of a derivation; with 1 for what a human must approve and 0 for the
 * rest, the least number of human interventions.
 *
 * Carrier: numbers from 0 to ∞, both included (negative costs would break absorption). 0: ∞, 1: 0, +: min, ·:
 * sum of costs. a ∸ b: ∞ where b ≤ a as numbers, else a. δ: identity, since n·1 = 1. Laws: + idempotent,
 * absorptive, positive, naturally ordered (a smaller cost is higher), · distributes over ∸. · is not
 * idempotent. Exact for whole numbers up to 2^53; other doubles round when costs are summed, and then · is
 * associative and distributive over ∸ only up to rounding.
 */
import type { Kernel, Lanes } from '../contract/kernel.js';
import type { Semiring } from '../contract/semiring.js';

const infinity = Number.POSITIVE_INFINITY;

const contains = (value: unknown): boolean => typeof value === 'number' && value >= 0;

const kernel: Kernel<number> = {
  allocate: (length) => new Float64Array(length),
  zero: infinity,
  one: 0,
  encode: (value) => (contains(value) ? value : Number.NaN),
  checksCarrier: true,
  decode: (code) => code,
  times(out: Lanes, a: Lanes, b: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[i] = a[i] + b[i];
  },
  timesGather(out: Lanes, a: Lanes, ia: Int32Array, b: Lanes, ib: Int32Array, n: number) {
    for (let i = 0; i < n; i++) {
      const x = ia[i];
      const y = ib[i];
      out[i] = (x < 0 ? 0 : a[x]) + (y < 0 ? 0 : b[y]);
    }
  },
  sumBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
    for (let i = 0; i < n; i++) if (a[i] < out[group[i]]) out[group[i]] = a[i];
  },
  productBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[group[i]] += a[i];
  },
  monus(out: Lanes, a: Lanes, b: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[i] = b[i] <= a[i] ? infinity : a[i];
  },
  delta(out: Lanes, a: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[i] = a[i];
  },
};

export const Tropical: Semiring<number> = {
  name: 'tropical',
  zero: infinity,
  one: 0,
  plus: (a, b) => Math.min(a, b),
  times: (a, b) => a + b,
  equals: (a, b) => a === b,
  show: (a) => (a === infinity ? '∞' : String(a)),
  contains,
  laws: {
    plusIdempotent: true,
    absorptive: true,
    positive: true,
    naturallyOrdered: true,
    timesDistributesOverMonus: true,
  },
  monus: (a, b) => (b <= a ? infinity : a),
  delta: (a) => a,
  kernel,
};
