/**
 * The lattices of security labels: integrity, confidentiality, readers, and labels (integrity × readers).
 * Over a known universe of up to 30 principals a label is a 32-bit mask; over an open one it is an object
 * only.
 */

import type { Masks } from '../contract/mask-kernel.js';
import { SemiringError } from '../message/error.js';
import { isLabel, isReaders } from './check-label.js';
import {
  bottom,
  equalLabels,
  type Integrity,
  joinLabels,
  joinReaders,
  type Label,
  labelAtMost,
  meetReaders,
  type Principal,
  type Readers,
  readersAtMost,
  showLabel,
  showReaders,
  top,
} from './label.js';
import { type BoundedLattice, chainLattice, productMasks } from './lattice.js';

/** `L` low (public) below `H` high. */
export type Confidentiality = 'L' | 'H';

export const integrityLattice: BoundedLattice<Integrity> = {
  ...chainLattice('integrity', ['T', 'U']),
  ofLabel: (label) => label.integrity,
};

/** What everyone may read is public. */
export const confidentialityLattice: BoundedLattice<Confidentiality> = {
  ...chainLattice('confidentiality', ['L', 'H']),
  ofLabel: (label) => (label.readers === 'everyone' ? 'L' : 'H'),
};

/** Sets of principals and "everyone"; join is intersection. */
export const readersLattice: BoundedLattice<Readers> = {
  name: 'readers',
  bottom: bottom.readers,
  top: top.readers,
  join: joinReaders,
  meet: meetReaders,
  equals: (a, b) => readersAtMost(a, b) && readersAtMost(b, a),
  atMost: readersAtMost,
  show: showReaders,
  distributive: true,
  contains: isReaders,
  ofLabel: (label) => label.readers,
};

/** Integrity × readers, on `Label`. */
export const labelLattice: BoundedLattice<Label> = {
  name: 'labels',
  bottom,
  top,
  join: joinLabels,
  meet: (a, b) => ({
    integrity: integrityLattice.meet(a.integrity, b.integrity),
    readers: meetReaders(a.readers, b.readers),
  }),
  equals: equalLabels,
  atMost: labelAtMost,
  show: showLabel,
  distributive: true,
  contains: isLabel,
  ofLabel: (label) => label,
};

/**
 * Readers over a universe of principals, as masks where there are at most 30. A set with a principal from
 * outside is still an element; it has no mask, and its reading takes the generic way.
 */
export function readersLatticeOver(universe: readonly Principal[]): BoundedLattice<Readers> {
  const masks = readersMasks(universe);
  return masks ? { ...readersLattice, masks } : readersLattice;
}

/** Labels over a universe of principals, as masks where there are at most 30. */
export function labelLatticeOver(universe: readonly Principal[]): BoundedLattice<Label> {
  const pairs = productMasks(integrityLattice.masks, readersMasks(universe));
  if (!pairs) return labelLattice;
  // Few labels, many rows: every mask is decoded once, so that equal labels of one reading are one object.
  const decoded = new Map<number, Label>();
  return {
    ...labelLattice,
    masks: {
      ...pairs,
      // Of what a caller gave: it may be no label.
      encode: (label: Partial<Label> | null | undefined) =>
        label?.integrity && label.readers ? pairs.encode([label.integrity, label.readers]) : Number.NaN,
      decode: (mask) => {
        let label = decoded.get(mask);
        if (!label) {
          const [integrity, readers] = pairs.decode(mask);
          label = { integrity, readers };
          decoded.set(mask, label);
        }
        return label;
      },
    },
  };
}

/**
 * Bit i: principal i may not read; one more bit, set unless everyone may, principals outside of the universe
 * included.
 */
function readersMasks(universe: readonly Principal[]): Masks<Readers> | undefined {
  const bit = new Map(universe.map((principal, i) => [principal, 1 << i]));
  if (bit.size !== universe.length) {
    throw new SemiringError('semiring/bad-universe', 'a universe of principals must not name one twice');
  }
  if (universe.length > 30) return undefined;
  const restricted = 1 << universe.length;
  const nobody = restricted | (restricted - 1);
  const encoded = new WeakMap<ReadonlySet<Principal>, number>();
  return {
    width: universe.length + 1,
    // "Principal 0 may not read, and yet everyone may."
    ...(universe.length > 0 && { unused: 1 }),
    encode: (readers) => {
      if (readers === 'everyone') return 0;
      let mask = encoded.get(readers);
      if (mask === undefined) {
        if (!isReaders(readers)) return Number.NaN;
        mask = nobody;
        for (const principal of readers) {
          const own = bit.get(principal);
          if (own === undefined) {
            mask = Number.NaN;
            break;
          }
          mask &= ~own;
        }
        encoded.set(readers, mask);
      }
      return mask;
    },
    checksCarrier: true,
    decode: (mask) =>
      (mask & restricted) === 0 ? 'everyone' : new Set(universe.filter((_, i) => (mask & (1 << i)) === 0)),
  };
}
