/**
 * Access control (Green, Karvounarakis, Tannen 2007): the clearance that is needed to see a row.
 *
 * Carrier: the levels of any chain, from least to most restricted, and `'0'` for what nobody sees. 0: '0', 1:
 * the first level, +: the less restricted (any one derivation will do), ·: the more restricted. a ∸ b: '0'
 * where b is at most as restricted as a, else a. δ: identity. Laws: + and · idempotent, absorptive, positive,
 * naturally ordered. · distributes over ∸ with one level only.
 */

import { kernelOf } from '../contract/kernel-of.js';
import type { Semiring } from '../contract/semiring.js';
import { SemiringError } from '../message/error.js';

const never = '0';

/**
 * @param levels distinct names, least restricted first
 * @throws SemiringError `semiring/bad-levels`
 * @example accessControl(['public', 'confidential', 'secret', 'top secret'])
 */
export function accessControl(levels: readonly string[]): Semiring<string> {
  const rank = new Map([...levels, never].map((level, i) => [level, i]));
  if (levels.length === 0 || rank.size !== levels.length + 1) {
    throw new SemiringError(
      'semiring/bad-levels',
      `levels of access control must be one or more distinct names other than '0', not [${levels.join(', ')}]`,
    );
  }
  const zero = levels.length;
  const rankOf = (level: string): number => {
    const found = rank.get(level);
    if (found !== undefined) return found;
    throw new SemiringError(
      'semiring/not-in-carrier',
      `'${level}' is no level of access; levels are ${[...rank.keys()].map((name) => `'${name}'`).join(', ')}`,
    );
  };
  return {
    name: 'access control',
    zero: never,
    one: levels[0],
    plus: (a, b) => (rankOf(a) <= rankOf(b) ? a : b),
    times: (a, b) => (rankOf(a) >= rankOf(b) ? a : b),
    equals: (a, b) => a === b,
    contains: (value) => typeof value === 'string' && rank.has(value),
    laws: {
      plusIdempotent: true,
      timesIdempotent: true,
      absorptive: true,
      positive: true,
      naturallyOrdered: true,
      timesDistributesOverMonus: levels.length === 1,
    },
    monus: (a, b) => (rankOf(b) <= rankOf(a) ? never : a),
    delta: (a) => a,
    kernel: kernelOf<string>({
      array: Int32Array,
      zero,
      one: 0,
      encode: (level) => rank.get(level) ?? Number.NaN,
      checksCarrier: true,
      decode: (code) => levels[code] ?? never,
      plus: (a, b) => Math.min(a, b),
      times: (a, b) => Math.max(a, b),
      monus: (a, b) => (b <= a ? zero : a),
      delta: (a) => a,
    }),
  };
}
