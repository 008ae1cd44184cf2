/**
 * Lin(X): which inputs (Cui, Widom, Wiener: Tracing the lineage of view data, 2000): the union of all
 * witnesses. Reading labels through Lin is classic label propagation: the join over everything that was used.
 *
 * Carrier: finite token sets, and `null` for "not there". 0: null, 1: {}, +: union with null as neutral, ·:
 * union with null as annihilator. a ∸ b: null where a ⊆ b, else the set difference (a where b is null). δ:
 * identity. Laws: + and · idempotent, positive, naturally ordered (null below all, then inclusion). Not
 * absorptive: {} + {x} = {x}; · does not distribute over ∸.
 */
import type { Semiring } from '../contract/semiring.js';
import { compareWitnesses, isSubset, isWitness, showWitness, union, type Witness } from './witness.js';

/** Tokens in increasing order, or `null` for 0. */
export type Lineage = Witness | null;

function monus(a: Lineage, b: Lineage): Lineage {
  if (a === null || b === null) return a;
  if (isSubset(a, b)) return null;
  const removed = new Set(b);
  return a.filter((x) => !removed.has(x));
}

export const Lin: Semiring<Lineage> = {
  name: 'Lin',
  zero: null,
  one: [],
  plus: (a, b) => (a === null ? b : b === null ? a : union(a, b)),
  times: (a, b) => (a === null || b === null ? null : union(a, b)),
  equals: (a, b) => a === b || (a !== null && b !== null && compareWitnesses(a, b) === 0),
  indeterminate: (token) => [token],
  contains: (value) => value === null || isWitness(value),
  show: (a) => (a === null ? 'none' : showWitness(a)),
  showWith: (a, { nameOf, limit }) => (a === null ? 'none' : showWitness(a, nameOf, limit)),
  growth: { parts: 'tokens', size: (a) => a?.length ?? 0, product: (a, b) => a + b },
  laws: { plusIdempotent: true, timesIdempotent: true, positive: true, naturallyOrdered: true },
  monus,
  delta: (a) => a,
};
