/**
 * N: how often, under bag semantics. Exact at any size.
 *
 * Carrier: natural numbers, a `number` up to 2^53 - 1 and a `bigint` beyond. 0: 0, 1: 1, + and ·: the usual.
 * a ∸ b: max(0, a - b). δ(a): 0 for 0, else 1. Laws: positive, naturally ordered, · distributes over ∸. Not
 * idempotent, not absorptive. Kernel: doubles. Every operation but ∸ and · by 0 is monotone, and ∸ of a value
 * out of range gives NaN, so results are exact where `exact` holds at the end, without a look in between.
 */
import { addCounts, type Count, isCount, multiplyCounts, subtractCounts } from '../contract/count.js';
import type { Kernel, Lanes } from '../contract/kernel.js';
import type { Semiring } from '../contract/semiring.js';

const { MAX_SAFE_INTEGER } = Number;

const kernel: Kernel<Count> = {
  allocate: (length) => new Float64Array(length),
  zero: 0,
  one: 1,
  encode: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN,
  checksCarrier: true,
  decode: (code) => code,
  times(out: Lanes, a: Lanes, b: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[i] = a[i] * b[i];
  },
  timesGather(out: Lanes, a: Lanes, ia: Int32Array, b: Lanes, ib: Int32Array, n: number) {
    for (let i = 0; i < n; i++) {
      const x = ia[i];
      const y = ib[i];
      out[i] = (x < 0 ? 1 : a[x]) * (y < 0 ? 1 : b[y]);
    }
  },
  sumBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[group[i]] += a[i];
  },
  productBy(out: Lanes, group: Int32Array, a: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[group[i]] *= a[i];
  },
  monus(out: Lanes, a: Lanes, b: Lanes, n: number) {
    for (let i = 0; i < n; i++) {
      const x = a[i];
      const y = b[i];
      out[i] = !(x <= MAX_SAFE_INTEGER && y <= MAX_SAFE_INTEGER) ? Number.NaN : x > y ? x - y : 0;
    }
  },
  delta(out: Lanes, a: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[i] = Math.min(1, a[i]);
  },
  exact(a: Lanes, n: number) {
    for (let i = 0; i < n; i++) if (!(a[i] <= MAX_SAFE_INTEGER)) return false;
    return true;
  },
};

export const Natural: Semiring<Count> = {
  name: 'N',
  zero: 0,
  one: 1,
  plus: addCounts,
  times: multiplyCounts,
  equals: (a, b) => a === b,
  contains: isCount,
  laws: { positive: true, naturallyOrdered: true, timesDistributesOverMonus: true },
  monus: subtractCounts,
  delta: (a) => (a === 0 ? 0 : 1),
  kernel,
};
