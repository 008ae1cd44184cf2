/**
 * Sorp(X): absorptive polynomials (Deutch, Milo, Roy, Tannen: Circuits for Datalog provenance, ICDT 2014):
 * the cheapest derivations, whatever tokens cost. The universal absorptive semiring: tropical, Viterbi and
 * fuzzy readings factor through it.
 *
 * Carrier: finite sets of monomials none of which divides another, as polynomials whose coefficients are all
 * 1. 0, 1, +, ·: those of polynomials with 1 + a = 1. a ∸ b: the monomials of a that no monomial of b
 * divides. δ: identity. Laws: + idempotent, absorptive, positive, naturally ordered. · is not idempotent (x²
 * is not x) and does not distribute over ∸.
 */

import { quotient } from '../contract/quotient.js';
import type { Semiring } from '../contract/semiring.js';
import { minimal, notAbove, type TokenOrder } from '../instances/antichain.js';
import { BooleanPolynomials } from './boolean-polynomial.js';
import { isPolynomial, type Monomial, type Polynomial } from './monomial.js';

function divides(a: Monomial, b: Monomial): boolean {
  let j = 0;
  for (let i = 0; i < a.atoms.length; i++) {
    while (j < b.atoms.length && b.atoms[j] !== a.atoms[i]) j++;
    if (j === b.atoms.length || a.exponents[i] > b.exponents[j]) return false;
  }
  return true;
}

const divisibility: TokenOrder<Monomial> = {
  size: (m) => m.exponents.reduce((total, exponent) => total + exponent, 0),
  // Values of Sorp hold no formal atoms.
  tokens: (m) => m.atoms as readonly number[],
  atMost: divides,
};

/** The monomials that no other monomial divides; the homomorphism from B[X] to Sorp. */
export function absorb(p: Polynomial): Polynomial {
  return minimal(p, divisibility);
}

function isAbsorbed(value: unknown): boolean {
  if (!isPolynomial(value)) return false;
  const plain = value.every((m) => m.coefficient === 1 && m.atoms.every((a) => typeof a === 'number'));
  return plain && absorb(value).length === value.length;
}

export const Sorp: Semiring<Polynomial> = quotient(BooleanPolynomials, absorb, {
  name: 'Sorp',
  contains: isAbsorbed,
  laws: { plusIdempotent: true, absorptive: true, positive: true, naturallyOrdered: true },
  monus: (a, b) => notAbove(a, b, divisibility),
});
