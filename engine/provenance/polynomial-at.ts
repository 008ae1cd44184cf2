/**
 * The annotation of one row: its N[X] polynomial, expanded on demand and cut where it is too long to be read,
 * or its formula.
 */
import type { Count } from '../../semiring/contract/count.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { Formula, formulaOf } from '../../semiring/polynomial/formula.js';
import { type Polynomial, Polynomials, token } from '../../semiring/polynomial/polynomial.js';
import type { Node } from './circuit.js';
import { checkLimit, defaultParts, ReadingLimitError, read, readGenerically } from './read.js';
import { slice } from './slice.js';
import type { Token } from './token.js';

export interface ExpandedPolynomial {
  readonly polynomial: Polynomial;
  /** Whether monomials were left out. */
  readonly cut: boolean;
  /** An upper bound on the number of monomials: products counted with the sums multiplied out. */
  readonly derivations: Count;
}

/** What tokens stand for, where they stand for more than themselves. */
export interface Expansion {
  /** A token's own polynomial. */
  readonly own: (token: Token) => Polynomial;
  /** What tokens are worth where `own` says what they are worth by themselves. */
  over<K>(semiring: Semiring<K>, own: (token: Token) => K): (token: Token) => K;
}

const themselves: Expansion = { own: token, over: (_, own) => own };

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
 * @param limit the most monomials; beyond it the polynomial is cut to its beginning, inside δ and ∸ too
 * @throws AssayError `engine/bad-limit`
 */
export function polynomialAt(
  node: Node,
  row: number,
  limit = 10_000,
  { own, over }: Expansion = themselves,
): ExpandedPolynomial {
  checkLimit(limit);
  const part = slice(node, [row]);
  const [size] = readGenerically(
    part,
    sizes,
    over(sizes, (x) => BigInt(own(x).length)),
  );
  const derivations = size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : size;
  if (size <= limit) {
    try {
      const most = Math.max(limit, defaultParts);
      const polynomial = read(part, Polynomials, over(Polynomials, own), undefined, { limit: most }).at(0);
      return { polynomial, cut: false, derivations };
    } catch (error) {
      // Inside a δ or a ∸, which is one monomial by itself, there may be any number of them.
      if (!(error instanceof ReadingLimitError)) throw error;
    }
  }
  const shorter = shortened(limit);
  return { polynomial: read(part, shorter, over(shorter, own)).at(0), cut: true, derivations };
}

/** One row's annotation as the query built it: shared factors stay factored. */
export function formulaAt(node: Node, row: number, { over }: Expansion = themselves): Formula {
  const place = (): string => `row ${row}`;
  return read(slice(node, [row]), Formula, over(Formula, formulaOf), undefined, { place }).at(0);
}

/** N[X] in which every intermediate result keeps its first `limit` monomials. */
function shortened(limit: number): Semiring<Polynomial> {
  const { growth: _, ...unlimited } = Polynomials;
  const short = (p: Polynomial): Polynomial => (p.length > limit ? p.slice(0, limit) : p);
  return {
    ...unlimited,
    plus: (a, b) => short(Polynomials.plus(a, b)),
    times: (a, b) => {
      // a · b has at least as many monomials as either, so a root of the limit from each is enough to fill
      // it.
      const most = Math.max(1, Math.ceil(limit / Math.max(1, Math.min(a.length, b.length))));
      const [small, large] = a.length <= b.length ? [a, b] : [b, a];
      return short(Polynomials.times(small, large.slice(0, most)));
    },
  };
}
