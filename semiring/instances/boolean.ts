/**
 * The Boolean semiring: is the row there. Relational algebra itself.
 *
 * Carrier {false, true}. 0: false, 1: true, +: or, ·: and. a ∸ b: a and not b. δ: identity.
 * Laws: all of `Laws`.
 */
import type { Kernel, Lanes } from '../contract/kernel.js';
import { meetJoinKernel } from '../contract/mask-kernel.js';
import type { Semiring } from '../contract/semiring.js';

// As a lattice turned round: bottom (mask 0) is true, join is and, meet is or.
const kernel: Kernel<boolean> = {
  ...meetJoinKernel<boolean>(
    {
      width: 1,
      checksCarrier: true,
      encode: (value) => (value === true ? 0 : value === false ? 1 : Number.NaN),
      decode: (mask) => mask === 0,
    },
    false,
  ),
  monus(out: Lanes, a: Lanes, b: Lanes, n: number) {
    for (let i = 0; i < n; i++) out[i] = a[i] | (b[i] ^ 1);
  },
};

export const Bool: Semiring<boolean> = {
  name: 'Boolean',
  zero: false,
  one: true,
  plus: (a, b) => a || b,
  times: (a, b) => a && b,
  equals: (a, b) => a === b,
  contains: (value) => typeof value === 'boolean',
  parse: (text) =>
    /^(?:true|t|yes|1)$/i.test(text) ? true : /^(?:false|f|no|0)$/i.test(text) ? false : undefined,
  laws: {
    plusIdempotent: true,
    timesIdempotent: true,
    absorptive: true,
    positive: true,
    naturallyOrdered: true,
    timesDistributesOverMonus: true,
  },
  monus: (a, b) => a && !b,
  delta: (a) => a,
  kernel,
};
