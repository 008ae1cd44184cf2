/**
 * A bounded lattice of labels as a semiring, in two ways. Both are read as dependencies (`reads:
 * 'dependency'`), so difference and grouping take in all that was looked at.
 */

import { joinKernel, meetJoinKernel } from '../contract/mask-kernel.js';
import type { Semiring } from '../contract/semiring.js';
import { SemiringError } from '../message/error.js';
import type { BoundedLattice } from './lattice.js';

/**
 * Conservative: the join of the labels of all that was used, the label propagation of information-flow
 * control. It is the reading through Lin.
 *
 * Carrier: the lattice and `null` for "not there". 0: null, 1: bottom, + and ·: join, where null is neutral
 * for + and annihilates for ·. ∸: none. δ: identity. Laws: + and · idempotent, positive, naturally ordered.
 * Not absorptive: bottom + a = a.
 */
export function conservative<L>(lattice: BoundedLattice<L>, name = lattice.name): Semiring<L | null> {
  const kernel = lattice.masks && joinKernel(lattice.masks);
  return {
    name,
    zero: null,
    one: lattice.bottom,
    plus: (a, b) => (a === null ? b : b === null ? a : lattice.join(a, b)),
    times: (a, b) => (a === null || b === null ? null : lattice.join(a, b)),
    equals: (a, b) => a === b || (a !== null && b !== null && lattice.equals(a, b)),
    show: (a) => (a === null ? 'none' : lattice.show(a)),
    contains: (value) => value === null || (lattice.contains?.(value) ?? true),
    laws: { plusIdempotent: true, timesIdempotent: true, positive: true, naturallyOrdered: true },
    delta: (a) => a,
    reads: 'dependency',
    ...(lattice.ofLabel && { ofLabel: (label) => lattice.ofLabel!(label) }),
    ...(kernel && { kernel }),
  };
}

/**
 * Alternative: of several derivations the label that all are at least (meet), of joint use the join; never
 * more restrictive than `conservative`. It is the reading through PosBool.
 *
 * Carrier: the lattice. 0: top, 1: bottom, +: meet, ·: join. ∸: none. δ: identity. Laws: + and · idempotent,
 * absorptive, naturally ordered (lower labels are higher). Positive only for a chain.
 *
 * @throws SemiringError `semiring/not-distributive` where the lattice does not declare that it is
 *   distributive
 */
export function alternative<L>(
  lattice: BoundedLattice<L>,
  name = `${lattice.name}-alternative`,
): Semiring<L> {
  if (!lattice.distributive) {
    throw new SemiringError(
      'semiring/not-distributive',
      `meet and join of the lattice ${lattice.name} are a semiring only if it is distributive, which it does not declare; use conservative(lattice)`,
    );
  }
  return {
    name,
    zero: lattice.top,
    one: lattice.bottom,
    plus: (a, b) => lattice.meet(a, b),
    times: (a, b) => lattice.join(a, b),
    equals: (a, b) => lattice.equals(a, b),
    show: (a) => lattice.show(a),
    contains: (value) => lattice.contains?.(value) ?? true,
    laws: {
      plusIdempotent: true,
      timesIdempotent: true,
      absorptive: true,
      naturallyOrdered: true,
      positive: lattice.chain === true,
    },
    delta: (a) => a,
    reads: 'dependency',
    ...(lattice.ofLabel && { ofLabel: (label) => lattice.ofLabel!(label) }),
    ...(lattice.masks && { kernel: meetJoinKernel(lattice.masks, lattice.top) }),
  };
}
