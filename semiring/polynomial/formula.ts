/**
 * Formula: the expression as the query built it, for a person to read: shared factors stay factored.
 *
 * Carrier: expressions over tokens with 0, 1, +, ·, ∸, δ. Operations build an expression; 0 and 1 are dropped
 * where neutral. Two formulas are equal where their polynomials in N[X] are (which can cost time exponential
 * in the formula's size). ∸ and δ: formal, as in N[X]. Laws: positive, naturally ordered. Not idempotent, not
 * absorptive.
 */
import { foldPlus, foldTimes } from '../contract/fold.js';
import type { Semiring } from '../contract/semiring.js';
import type { Polynomial } from './monomial.js';
import { formalDelta, formalMonus, Polynomials, token } from './polynomial.js';

/** Immutable; parts may be shared, so a formula is a DAG. */
export type Formula =
  | { readonly kind: 'zero' | 'one' }
  | { readonly kind: 'token'; readonly token: number }
  | { readonly kind: 'plus' | 'times'; readonly terms: readonly Formula[] }
  | { readonly kind: 'monus'; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'delta'; readonly of: Formula };

const zero: Formula = { kind: 'zero' };
const one: Formula = { kind: 'one' };

/** The formula of one token. */
export function formulaOf(x: number): Formula {
  return { kind: 'token', token: x };
}

function plus(a: Formula, b: Formula): Formula {
  if (a.kind === 'zero') return b;
  if (b.kind === 'zero') return a;
  return { kind: 'plus', terms: [...termsOf('plus', a), ...termsOf('plus', b)] };
}

function times(a: Formula, b: Formula): Formula {
  if (a.kind === 'zero' || b.kind === 'zero') return zero;
  if (a.kind === 'one') return b;
  if (b.kind === 'one') return a;
  return { kind: 'times', terms: [...termsOf('times', a), ...termsOf('times', b)] };
}

function termsOf(kind: 'plus' | 'times', a: Formula): readonly Formula[] {
  return a.kind === kind && 'terms' in a ? a.terms : [a];
}

/** The polynomial of a formula: the homomorphism from formulas to N[X]. */
export function polynomialOf(formula: Formula): Polynomial {
  const known = new Map<Formula, Polynomial>();
  const visit = (f: Formula): Polynomial => {
    const seen = known.get(f);
    if (seen) return seen;
    const polynomial = expand(f, visit);
    known.set(f, polynomial);
    return polynomial;
  };
  return visit(formula);
}

function expand(f: Formula, visit: (part: Formula) => Polynomial): Polynomial {
  switch (f.kind) {
    case 'zero':
      return Polynomials.zero;
    case 'one':
      return Polynomials.one;
    case 'token':
      return token(f.token);
    case 'plus':
      return foldPlus(Polynomials, f.terms.map(visit));
    case 'times':
      return foldTimes(Polynomials, f.terms.map(visit));
    case 'monus':
      return formalMonus(visit(f.left), visit(f.right));
    case 'delta':
      return formalDelta(visit(f.of));
  }
}

/** The tokens of a formula in increasing order. */
export function tokensOfFormula(formula: Formula): number[] {
  const tokens = new Set<number>();
  const visited = new Set<Formula>();
  const visit = (f: Formula): void => {
    if (visited.has(f)) return;
    visited.add(f);
    if (f.kind === 'token') tokens.add(f.token);
    else if ('terms' in f) f.terms.forEach(visit);
    else if (f.kind === 'monus') {
      visit(f.left);
      visit(f.right);
    } else if (f.kind === 'delta') visit(f.of);
  };
  visit(formula);
  return [...tokens].sort((a, b) => a - b);
}

/**
 * The text of a formula with as few brackets as it needs: `a·(b + c)`. Names are not made safe for a
 * terminal.
 */
export function showFormula(formula: Formula, nameOf = (x: number) => `x${x}`): string {
  const visit = (f: Formula, within: 'sum' | 'product' | 'difference'): string => {
    switch (f.kind) {
      case 'zero':
        return '0';
      case 'one':
        return '1';
      case 'token':
        return nameOf(f.token);
      case 'plus': {
        const text = f.terms.map((term) => visit(term, 'sum')).join(' + ');
        return within === 'sum' ? text : `(${text})`;
      }
      case 'times':
        return f.terms.map((term) => visit(term, 'product')).join('·');
      case 'monus':
        return `(${visit(f.left, 'difference')} ∸ ${visit(f.right, 'difference')})`;
      case 'delta':
        return `δ(${visit(f.of, 'sum')})`;
    }
  };
  return visit(formula, 'sum');
}

export const Formula: Semiring<Formula> = {
  name: 'formula',
  zero,
  one,
  plus,
  times,
  equals: (a, b) => a === b || Polynomials.equals(polynomialOf(a), polynomialOf(b)),
  indeterminate: formulaOf,
  show: (a) => showFormula(a),
  showWith: (a, { nameOf }) => showFormula(a, nameOf),
  growth: { parts: 'terms', size: (a) => ('terms' in a ? a.terms.length : 1), product: (a, b) => a + b },
  laws: { positive: true, naturallyOrdered: true },
  monus: (a, b) =>
    b.kind === 'zero' ? a : a.kind === 'zero' || a === b ? zero : { kind: 'monus', left: a, right: b },
  delta: (a) => (a.kind === 'zero' || a.kind === 'one' ? a : { kind: 'delta', of: a }),
};
