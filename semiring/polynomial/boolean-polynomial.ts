/**
 * B[X]: N[X] without coefficients: which combinations, with how often each token is used in one.
 *
 * Carrier: finite sets of monomials, as polynomials whose coefficients are all 1. 0, 1, +, ·: those of
 * polynomials with 1 + 1 = 1. a ∸ b: set difference. δ: identity, since n·1 = 1. Laws: + idempotent,
 * positive, naturally ordered (by inclusion). Not absorptive, · not idempotent, and · does not distribute
 * over ∸.
 */

import { quotient } from '../contract/quotient.js';
import type { Semiring } from '../contract/semiring.js';
import { compareMonomials, isPolynomial, type Monomial, type Polynomial } from './monomial.js';
import { monomials, Polynomials } from './polynomial.js';

function drop(p: Polynomial): Polynomial {
  return p.every((m) => m.coefficient === 1) ? p : p.map((m) => ({ ...m, coefficient: 1 }));
}

function difference(p: Polynomial, q: Polynomial): Polynomial {
  const kept: Monomial[] = [];
  let j = 0;
  for (const m of p) {
    while (j < q.length && compareMonomials(q[j], m) < 0) j++;
    if (j === q.length || compareMonomials(q[j], m) !== 0) kept.push(m);
  }
  return kept;
}

export const BooleanPolynomials: Semiring<Polynomial> = quotient(Polynomials, drop, {
  name: 'B[X]',
  contains: (value) => isPolynomial(value) && value.every((m) => m.coefficient === 1),
  growth: monomials,
  laws: { plusIdempotent: true, positive: true, naturallyOrdered: true },
  monus: difference,
  delta: (a) => a,
});
