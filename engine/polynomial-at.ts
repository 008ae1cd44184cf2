/** The N[X] polynomial of one row, expanded on demand and cut where it is too long to be read. */
import type { Count } from '../semiring/count.js';
import { type Polynomial, Polynomials, token } from '../semiring/polynomial.js';
import type { Semiring } from '../semiring/semiring.js';
import type { Node } from './circuit.js';
import { read, readGenerically } from './read.js';
import { slice } from './slice.js';

export interface ExpandedPolynomial {
  readonly polynomial: Polynomial;
  /** Whether monomials were left out. */
  readonly cut: boolean;
  /** An upper bound on the number of monomials: products counted with the sums multiplied out. */
  readonly derivations: Count;
}

/** Counts without δ and ∸: how many monomials the expansion can have. */
const sizes: Semiring<bigint> = {
  name: 'monomials',
  zero: 0n,
  one: 1n,
  plus: (a, b) => a + b,
  times: (a, b) => a * b,
  equals: (a, b) => a === b,
  monus: () => 1n,
  delta: (a) => (a === 0n ? 0n : 1n),
};

/**
 * @param limit the most monomials; beyond it the polynomial is cut to its beginning
 */
export function polynomialAt(node: Node, row: number, limit = 10_000): ExpandedPolynomial {
  const part = slice(node, [row]);
  const [size] = readGenerically(part, sizes, { every: 1n });
  const derivations = size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : size;
  if (size <= BigInt(limit)) {
    return { polynomial: read(part, Polynomials, token).at(0), cut: false, derivations };
  }
  const polynomial = read(part, shortened(limit), token).at(0);
  return { polynomial, cut: true, derivations };
}

/** N[X] in which every intermediate result keeps its first `limit` monomials. */
function shortened(limit: number): Semiring<Polynomial> {
  const short = (p: Polynomial): Polynomial => (p.length > limit ? p.slice(0, limit) : p);
  return {
    ...Polynomials,
    plus: (a, b) => short(Polynomials.plus(a, b)),
    times: (a, b) => {
      // a · b has at least as many monomials as either, so a root of the limit from each is enough to fill it.
      const most = Math.max(1, Math.ceil(limit / Math.max(1, Math.min(a.length, b.length))));
      const [small, large] = a.length <= b.length ? [a, b] : [b, a];
      return short(Polynomials.times(small, large.slice(0, most)));
    },
  };
}
