/**
 * N[X], the universal reading (Green, Karvounarakis, Tannen: Provenance semirings, PODS 2007).
 *
 * Carrier: polynomials over tokens with natural coefficients, in canonical form. 0: the empty sum. 1: the
 * constant 1. + and ·: those of polynomials. δ and ∸: formal. No operation on plain N[X] agrees with every
 * reading (with x = y = 1 in N, x ∸ y must be 0, with y = 0 it must be x), so δ(p) and p ∸ q are atoms that
 * `evaluate` hands to the reading's own operations. Simplified is only what holds in every δ-semiring and
 * every m-semiring: δ(0) = 0, δ(n) = 1; p ∸ q = 0 where p ≤ q coefficient by coefficient; p ∸ 0 = p; (p ∸ q)
 * ∸ r = p ∸ (q + r). Not simplified, though it holds in N: 2 ∸ 1 (it is 0 in Bool), (p + q) ∸ q.
 *
 * Laws: positive, naturally ordered. Not idempotent, not absorptive. Because it is formal, ∸ is not the least
 * c with p ≤ q + c *within* N[X]; read through `evaluate` it is, in every semiring that has a monus.
 */
import { checkValue } from '../contract/carrier.js';
import { type Count, count } from '../contract/count.js';
import { foldPlus, multiple, power } from '../contract/fold.js';
import { requireDelta, requireMonus } from '../contract/require.js';
import type { Growth, Semiring } from '../contract/semiring.js';
import {
  type Atom,
  canonical,
  compareMonomials,
  comparePolynomials,
  isPolynomial,
  type Monomial,
  multiplyMonomials,
  type Polynomial,
} from './monomial.js';
import { showPolynomial } from './show-polynomial.js';

export type { Atom, DeltaAtom, Monomial, MonusAtom, Polynomial } from './monomial.js';
export { type ShowPolynomialOptions, showPolynomial } from './show-polynomial.js';

const ones: readonly number[] = [1];
const none: readonly never[] = [];
const zero: Polynomial = [];
const one: Polynomial = [{ coefficient: 1, atoms: none, exponents: none }];

/** The polynomial of one atom. */
function atom(a: Atom): Polynomial {
  return [{ coefficient: 1, atoms: [a], exponents: ones }];
}

/** The polynomial of one token: a whole number from 0 up. */
export function token(x: number): Polynomial {
  return atom(x);
}

/** The polynomial n·1. */
export function constant(n: number | bigint): Polynomial {
  const coefficient = count(n);
  if (coefficient === 0) return zero;
  return coefficient === 1 ? one : [{ coefficient, atoms: none, exponents: none }];
}

/** Whether p is n·1 for some n, 0 included. */
export function isConstant(p: Polynomial): boolean {
  return p.length === 0 || (p.length === 1 && p[0].atoms.length === 0);
}

function plus(p: Polynomial, q: Polynomial): Polynomial {
  if (p.length === 0) return q;
  if (q.length === 0) return p;
  // Sorting two sorted runs is one merge.
  return canonical([...p, ...q]);
}

/** The sum of many: n log n in the monomials. */
export function sum(polynomials: Iterable<Polynomial>): Polynomial {
  const total = new PolynomialSum();
  for (const p of polynomials) total.add(p);
  return total.result();
}

/**
 * Adds up polynomials one by one: n log n in all, in memory of the order of the sum, not of what was added.
 */
export class PolynomialSum {
  #monomials: Monomial[] = [];
  #compactAt = 1024;

  add(p: Polynomial): void {
    for (const m of p) this.addMonomial(m);
  }

  addMonomial(m: Monomial): void {
    this.#monomials.push(m);
    if (this.#monomials.length < this.#compactAt) return;
    canonical(this.#monomials);
    this.#compactAt = Math.max(1024, 8 * this.#monomials.length);
  }

  /** The sum so far. */
  result(): Polynomial {
    return canonical([...this.#monomials]);
  }
}

function times(p: Polynomial, q: Polynomial): Polynomial {
  if (p.length === 0 || q.length === 0) return zero;
  if (p === one) return q;
  if (q === one) return p;
  if (p.length === 1 && q.length === 1) return [multiplyMonomials(p[0], q[0])];
  const total = new PolynomialSum();
  for (const a of p) for (const b of q) total.addMonomial(multiplyMonomials(a, b));
  return total.result();
}

/** p ≤ q coefficient by coefficient: there is an r with p + r = q. */
function atMost(p: Polynomial, q: Polynomial): boolean {
  let j = 0;
  for (const m of p) {
    while (j < q.length && compareMonomials(q[j], m) < 0) j++;
    if (j === q.length || compareMonomials(q[j], m) !== 0 || m.coefficient > q[j].coefficient) return false;
  }
  return true;
}

/** The atom that p is, where it is just one. */
function onlyAtom(p: Polynomial): Atom | undefined {
  if (p.length !== 1) return undefined;
  const [m] = p;
  return m.coefficient === 1 && m.atoms.length === 1 && m.exponents[0] === 1 ? m.atoms[0] : undefined;
}

/** Whether m in q is p ∸ r, and q without it at least r: then p ≤ r + (p ∸ r) ≤ q. */
function restores(m: Monomial, p: Polynomial, q: Polynomial): boolean {
  const atom = onlyAtom([{ ...m, coefficient: 1 }]);
  if (typeof atom !== 'object' || atom.kind !== 'monus' || comparePolynomials(atom.left, p) !== 0)
    return false;
  return atMost(
    atom.right,
    q.filter((other) => other !== m),
  );
}

/** p ∸ q, as an atom where no law settles it. */
export function formalMonus(p: Polynomial, q: Polynomial): Polynomial {
  if (q.length === 0) return p;
  if (atMost(p, q)) return zero;
  const inner = onlyAtom(p);
  if (typeof inner === 'object' && inner.kind === 'monus')
    return formalMonus(inner.left, plus(inner.right, q));
  if (q.some((m) => restores(m, p, q))) return zero;
  return atom({ kind: 'monus', left: p, right: q });
}

/** δ(p), as an atom where p is no constant. */
export function formalDelta(p: Polynomial): Polynomial {
  if (p.length === 0) return zero;
  return isConstant(p) ? one : atom({ kind: 'delta', of: p });
}

/** The size of a polynomial, in every semiring of them. */
export const monomials: Growth<Polynomial> = { parts: 'monomials', size: (p) => p.length };

/** N[X] with formal δ and ∸. */
export const Polynomials: Semiring<Polynomial> = {
  name: 'N[X]',
  zero,
  one,
  plus,
  times,
  equals: (p, q) => comparePolynomials(p, q) === 0,
  indeterminate: token,
  show: (p) => showPolynomial(p),
  showWith: (p, { nameOf, ...options }) => showPolynomial(p, nameOf, options),
  contains: isPolynomial,
  growth: { ...monomials, listsDerivations: true },
  laws: { positive: true, naturallyOrdered: true },
  monus: formalMonus,
  delta: formalDelta,
};

/**
 * The universal homomorphism: the value of `p` in `semiring` where each token has the value that `valuation`
 * gives it. Formal atoms go to the semiring's own monus and δ.
 * @throws SemiringError `semiring/no-monus`, `semiring/no-delta` where p needs an operation that is missing;
 *   `semiring/not-in-carrier` where the semiring says that a token's value is none of its own
 */
export function evaluate<K>(p: Polynomial, semiring: Semiring<K>, valuation: (token: number) => K): K {
  const known = new Map<Atom, K>();

  const readAtom = (a: Atom): K => {
    if (typeof a === 'number') return checkValue(semiring, a, valuation(a));
    const seen = known.get(a);
    if (seen !== undefined) return seen;
    let value: K;
    if (a.kind === 'delta') {
      value = requireDelta(semiring, 'a grouped row')(read(a.of));
    } else {
      value = requireMonus(semiring, 'a difference')(read(a.left), read(a.right));
    }
    known.set(a, value);
    return value;
  };

  const readMonomial = (m: Monomial): K => {
    let value = semiring.one;
    for (let i = 0; i < m.atoms.length; i++) {
      const factor = power(semiring, readAtom(m.atoms[i]), m.exponents[i]);
      value = i === 0 ? factor : semiring.times(value, factor);
    }
    return multiple(semiring, m.coefficient, value);
  };

  const read = (q: Polynomial): K => {
    if (q.length === 1) return readMonomial(q[0]);
    function* values() {
      for (const m of q) yield readMonomial(m);
    }
    return foldPlus(semiring, values());
  };

  return read(p);
}

/** p with some tokens replaced; a token for which `valuation` answers undefined stays. */
export function substitute(p: Polynomial, valuation: (token: number) => Polynomial | undefined): Polynomial {
  return evaluate(p, Polynomials, (x) => valuation(x) ?? token(x));
}

/** p after the rows of `tokens` are deleted: each of them is 0. */
export function without(p: Polynomial, tokens: Iterable<number>): Polynomial {
  const deleted = new Set(tokens);
  return substitute(p, (x) => (deleted.has(x) ? zero : undefined));
}

/** The tokens of p, those inside formal atoms included, in increasing order. */
export function tokensOf(p: Polynomial): number[] {
  const tokens = new Set<number>();
  const visited = new Set<Polynomial>();
  const visit = (q: Polynomial): void => {
    if (visited.has(q)) return;
    visited.add(q);
    for (const m of q) {
      for (const a of m.atoms) {
        if (typeof a === 'number') tokens.add(a);
        else if (a.kind === 'delta') visit(a.of);
        else {
          visit(a.left);
          visit(a.right);
        }
      }
    }
  };
  visit(p);
  return [...tokens].sort((a, b) => a - b);
}

/** The greatest sum of exponents of a monomial; a formal atom counts 1. 0 for a constant. */
export function degree(p: Polynomial): number {
  let greatest = 0;
  for (const m of p) {
    let total = 0;
    for (const exponent of m.exponents) total += exponent;
    if (total > greatest) greatest = total;
  }
  return greatest;
}

/** The number of monomials, those inside formal atoms not counted. */
export function size(p: Polynomial): number {
  return p.length;
}

/** The sum of the coefficients: the number of derivations. */
export function derivations(p: Polynomial): Count {
  return count(p.reduce((total, m) => total + BigInt(m.coefficient), 0n));
}
