/**
 * The text of a polynomial: `2·a·b^2 + δ(c + d) + (e ∸ f)`. Names are printed as given: not made safe for a
 * terminal.
 */
import type { Atom, Monomial, Polynomial } from './monomial.js';

export interface ShowPolynomialOptions {
  /**
   * How many monomials of a sum to print, formal atoms inside included; how many are hidden is always said.
   */
  readonly limit?: number;
}

/**
 * @param nameOf the name of a token; `x3` by default
 * @example showPolynomial(p, (x) => tokens.nameOf(x), { limit: 10 }) // a·b + c + … 999,990 more monomials
 */
export function showPolynomial(
  p: Polynomial,
  nameOf: (token: number) => string = (token) => `x${token}`,
  options: ShowPolynomialOptions = {},
): string {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;

  const showAtom = (a: Atom): string => {
    if (typeof a === 'number') return nameOf(a);
    return a.kind === 'delta' ? `δ(${showSum(a.of)})` : `(${showSide(a.left)} ∸ ${showSide(a.right)})`;
  };

  const showMonomial = (m: Monomial): string => {
    const factors = m.atoms.map((a, i) => showAtom(a) + (m.exponents[i] === 1 ? '' : `^${m.exponents[i]}`));
    if (m.coefficient !== 1 || factors.length === 0) factors.unshift(String(m.coefficient));
    return factors.join('·');
  };

  const showSide = (q: Polynomial): string => (q.length > 1 ? `(${showSum(q)})` : showSum(q));

  const showSum = (q: Polynomial): string => {
    if (q.length === 0) return '0';
    const shown = q.slice(0, limit).map(showMonomial);
    const hidden = q.length - shown.length;
    if (hidden > 0) shown.push(`… ${hidden.toLocaleString('en-US')} more monomial${hidden === 1 ? '' : 's'}`);
    return shown.join(' + ');
  };

  return showSum(p);
}
