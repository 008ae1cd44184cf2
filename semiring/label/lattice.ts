/**
 * The contract of a bounded lattice, and lattices built from it. In security, higher may do less; join is the
 * label of what was made from both.
 */

import type { Masks } from '../contract/mask-kernel.js';
import { SemiringError } from '../message/error.js';
import type { Label } from './label.js';

/**
 * Laws, up to `equals`: join and meet are commutative, associative and idempotent; a ⊔ (a ⊓ b) = a = a ⊓ (a ⊔
 * b); bottom ⊔ a = a; top ⊓ a = a; a ⊑ b exactly where a ⊔ b = b. Values are immutable and never `null`.
 */
export interface BoundedLattice<L> {
  readonly name: string;
  readonly bottom: L;
  readonly top: L;
  join(a: L, b: L): L;
  meet(a: L, b: L): L;
  equals(a: L, b: L): boolean;
  /** a ⊑ b */
  atMost(a: L, b: L): boolean;
  show(a: L): string;
  /** a ⊓ (b ⊔ c) = (a ⊓ b) ⊔ (a ⊓ c). Defaults to `false`: not known to hold. */
  readonly distributive?: boolean;
  /** Of any two elements one is below the other; implies `distributive`. Defaults to `false`. */
  readonly chain?: boolean;
  /** Whether `value` is an element. */
  contains?(value: unknown): boolean;
  /** What of a security label the lattice keeps: maps join to join, bottom to bottom and top to top. */
  ofLabel?(label: Label): L;
  /** Elements as bit masks, which makes readings fast; only a distributive lattice can have them. */
  readonly masks?: Masks<L>;
}

/**
 * The chain of named levels, lowest first.
 * @throws SemiringError `semiring/bad-levels` where names are missing or repeated
 */
export function chainLattice<L extends string>(name: string, levels: readonly L[]): BoundedLattice<L> {
  const rank = new Map<unknown, number>(levels.map((level, i) => [level, i]));
  if (levels.length === 0 || rank.size !== levels.length) {
    throw new SemiringError(
      'semiring/bad-levels',
      `the levels of ${name} must be one or more distinct names, not [${levels.join(', ')}]`,
    );
  }
  const rankOf = (level: L): number => {
    const found = rank.get(level);
    if (found !== undefined) return found;
    throw new SemiringError(
      'semiring/not-in-carrier',
      `'${level}' is no level of ${name}; levels are ${levels.map((known) => `'${known}'`).join(', ')}`,
    );
  };
  return {
    name,
    bottom: levels[0],
    top: levels[levels.length - 1],
    join: (a, b) => (rankOf(a) >= rankOf(b) ? a : b),
    meet: (a, b) => (rankOf(a) <= rankOf(b) ? a : b),
    equals: (a, b) => a === b,
    atMost: (a, b) => rankOf(a) <= rankOf(b),
    show: (a) => a,
    distributive: true,
    chain: true,
    contains: (value) => rank.has(value),
    // Level i is i low bits set, so that or and and are the greater and the lesser.
    ...(levels.length <= 33 && {
      masks: {
        width: levels.length - 1,
        encode: (level) => {
          const i = rank.get(level);
          if (i === undefined) return Number.NaN;
          // A shift by 32 is none, and 2^31 - 1 is below the least 32-bit number when computed as (1 << 31) -
          // 1.
          return i === 32 ? -1 : ((1 << i) - 1) | 0;
        },
        checksCarrier: true,
        decode: (mask) => levels[mask === 0 ? 0 : 32 - Math.clz32(mask)],
      },
    }),
  };
}

/** Pairs, ordered component by component. */
export function productLattice<A, B>(
  a: BoundedLattice<A>,
  b: BoundedLattice<B>,
): BoundedLattice<readonly [A, B]> {
  return {
    name: `${a.name} × ${b.name}`,
    bottom: [a.bottom, b.bottom],
    top: [a.top, b.top],
    join: (x, y) => [a.join(x[0], y[0]), b.join(x[1], y[1])],
    meet: (x, y) => [a.meet(x[0], y[0]), b.meet(x[1], y[1])],
    equals: (x, y) => a.equals(x[0], y[0]) && b.equals(x[1], y[1]),
    atMost: (x, y) => a.atMost(x[0], y[0]) && b.atMost(x[1], y[1]),
    show: (x) => `(${a.show(x[0])}, ${b.show(x[1])})`,
    distributive: a.distributive === true && b.distributive === true,
    contains: (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      (a.contains?.(value[0]) ?? true) &&
      (b.contains?.(value[1]) ?? true),
    // Called on their objects, which may be instances of a user's class.
    ...(a.ofLabel &&
      b.ofLabel && { ofLabel: (label: Label) => [a.ofLabel!(label), b.ofLabel!(label)] as const }),
    masks: productMasks(a.masks, b.masks),
  };
}

/** a's bits below b's; undefined where they need more than 32. */
export function productMasks<A, B>(
  a: Masks<A> | undefined,
  b: Masks<B> | undefined,
): Masks<readonly [A, B]> | undefined {
  if (!a || !b || a.width + b.width > 32) return undefined;
  const { width } = a;
  // A shift by 32 is a shift by 0 in JavaScript.
  const up = (mask: number): number => (width === 32 ? 0 : mask << width);
  const down = (mask: number): number => (width === 32 ? 0 : mask >>> width);
  const low = width === 32 ? -1 : (1 << width) - 1;
  const unused = a.unused ?? (b.unused === undefined ? undefined : up(b.unused));
  return {
    width: width + b.width,
    ...(unused !== undefined && { unused }),
    checksCarrier: a.checksCarrier === true && b.checksCarrier === true,
    encode: (pair) => {
      if (!Array.isArray(pair) || pair.length !== 2) return Number.NaN;
      const first = a.encode(pair[0]);
      const second = b.encode(pair[1]);
      return Number.isNaN(first) || Number.isNaN(second) ? Number.NaN : first | up(second);
    },
    decode: (mask) => [a.decode(mask & low), b.decode(down(mask))],
  };
}
