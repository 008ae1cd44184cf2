/**
 * PosBool(X): positive Boolean expressions up to equivalence, kept as their minimal witnesses.
 *
 * Carrier: finite sets of token sets none of which contains another: the irredundant disjunctive form of a
 * monotone Boolean function. 0: false, 1: true, +: or, ·: and. a ∸ b: the least monotone c with a ⇒ b or c:
 * the minimal witnesses of a that do not satisfy b. It is not "a and not b", which is not monotone. δ:
 * identity. Laws: + and · idempotent, absorptive, positive, naturally ordered (by implication). · does not
 * distribute over ∸.
 */

import { quotient } from '../contract/quotient.js';
import type { Semiring } from '../contract/semiring.js';
import { minimal, notAbove, type TokenOrder } from './antichain.js';
import { Why } from './why.js';
import { isSubset, isWitnesses, type Witness, type Witnesses } from './witness.js';

const inclusion: TokenOrder<Witness> = { size: (w) => w.length, tokens: (w) => w, atMost: isSubset };

/** The witnesses that contain no other witness; the homomorphism from Why to PosBool. */
export function minimalWitnesses(a: Witnesses): Witnesses {
  return minimal(a, inclusion);
}

export const PosBool: Semiring<Witnesses> = quotient(Why, minimalWitnesses, {
  name: 'PosBool',
  contains: (value) => isWitnesses(value) && minimalWitnesses(value).length === value.length,
  laws: {
    plusIdempotent: true,
    timesIdempotent: true,
    absorptive: true,
    positive: true,
    naturallyOrdered: true,
  },
  monus: (a, b) => notAbove(a, b, inclusion),
});
