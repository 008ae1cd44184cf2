/**
 * Why(X): witnesses (Buneman, Khanna, Tan: Why and where, ICDT 2001; as a semiring Green, Karvounarakis,
 * Tannen 2007).
 *
 * Carrier: finite sets of token sets. 0: {}, 1: {{}}, +: union, ·: pairwise unions. a ∸ b: set difference. δ:
 * identity. Laws: + idempotent, positive, naturally ordered (by inclusion). Not absorptive ({x} and {x, y}
 * may both be there); · is not idempotent ({{x}, {y}}² has {x, y}); · does not distribute over ∸.
 */
import type { Semiring } from '../contract/semiring.js';
import {
  compareWitnesses,
  equalWitnesses,
  isWitnesses,
  pairwiseUnions,
  showWitnesses,
  type Witness,
  type Witnesses,
  witnessSet,
} from './witness.js';

function plus(a: Witnesses, b: Witnesses): Witnesses {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return witnessSet([...a, ...b]);
}

function difference(a: Witnesses, b: Witnesses): Witnesses {
  const kept: Witness[] = [];
  let j = 0;
  for (const w of a) {
    while (j < b.length && compareWitnesses(b[j], w) < 0) j++;
    if (j === b.length || compareWitnesses(b[j], w) !== 0) kept.push(w);
  }
  return kept;
}

export const Why: Semiring<Witnesses> = {
  name: 'Why',
  zero: [],
  one: [[]],
  plus,
  times: pairwiseUnions,
  equals: equalWitnesses,
  indeterminate: (token) => [[token]],
  contains: isWitnesses,
  show: (a) => showWitnesses(a),
  showWith: (a, { nameOf, limit }) => showWitnesses(a, nameOf, limit),
  growth: { parts: 'witnesses', size: (a) => a.length },
  laws: { plusIdempotent: true, positive: true, naturallyOrdered: true },
  monus: difference,
  delta: (a) => a,
};

/** The value of one token in Why and in PosBool. */
export function witness(...tokens: number[]): Witnesses {
  return [[...new Set(tokens)].sort((a, b) => a - b)];
}

/** How many distinct witnesses a value of Why has (of PosBool: how many minimal ones). */
export function witnessCount(a: Witnesses): number {
  return a.length;
}
