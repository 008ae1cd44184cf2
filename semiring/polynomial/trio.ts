/**
 * Trio: N[X] without exponents: each set of tokens, with the number of ways it was used (the lineage of Trio:
 * Benjelloun, Das Sarma, Halevy, Widom, VLDB 2006; named so by Green, 2011).
 *
 * Carrier: bags of token sets, as polynomials in which each token has exponent 1. 0, 1, +, ·: those of
 * polynomials with x·x = x for a token x (not for a sum: (x + y)·(x + y) = x + y + 2·x·y). a ∸ b and δ(a):
 * formal atoms, as in N[X] and for the same reason; exponents of formal atoms are kept. Laws: positive,
 * naturally ordered. Not idempotent, not absorptive.
 */

import { quotient } from '../contract/quotient.js';
import type { Semiring } from '../contract/semiring.js';
import { canonical, isPolynomial, type Polynomial } from './monomial.js';
import { monomials, Polynomials } from './polynomial.js';

function flatten(p: Polynomial): Polynomial {
  const flat = p.every((m) => m.atoms.every((a, i) => typeof a !== 'number' || m.exponents[i] === 1));
  if (flat) return p;
  return canonical(
    p.map((m) => ({
      ...m,
      exponents: m.exponents.map((exponent, i) => (typeof m.atoms[i] === 'number' ? 1 : exponent)),
    })),
  );
}

export const Trio: Semiring<Polynomial> = quotient(Polynomials, flatten, {
  name: 'Trio',
  contains: (value) => isPolynomial(value) && flatten(value) === value,
  growth: monomials,
  laws: { positive: true, naturallyOrdered: true },
  // A sum of flat polynomials is flat.
  plus: Polynomials.plus,
});
