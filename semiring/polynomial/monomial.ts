/**
 * Monomials of N[X] and their order. An atom is a token or a formal δ(p) or p ∸ q, because N[X] is not closed
 * under those two in a way that every reading respects; see polynomial.ts.
 */
import { addCounts, type Count, compareCounts, isCount, multiplyCounts } from '../contract/count.js';
import { SemiringError } from '../message/error.js';

/** A formal δ(of), where `of` is no constant. */
export interface DeltaAtom {
  readonly kind: 'delta';
  readonly of: Polynomial;
}

/** A formal left ∸ right, where neither is 0, and left is not at most right coefficient by coefficient. */
export interface MonusAtom {
  readonly kind: 'monus';
  readonly left: Polynomial;
  readonly right: Polynomial;
}

/** A token by its number, or a formal operation. */
export type Atom = number | DeltaAtom | MonusAtom;

/**
 * coefficient · atoms[0]^exponents[0] · …; atoms strictly increasing by `compareAtoms`, exponents and
 * coefficient at least 1.
 */
export interface Monomial {
  readonly coefficient: Count;
  readonly atoms: readonly Atom[];
  readonly exponents: readonly number[];
}

/** The canonical form: monomials strictly increasing by `compareMonomials`. The empty list is 0. */
export type Polynomial = readonly Monomial[];

/** Tokens by number, then δ by what it is of, then ∸ by left and right. */
export function compareAtoms(a: Atom, b: Atom): number {
  if (a === b) return 0;
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  if (a.kind === 'delta') return b.kind === 'delta' ? comparePolynomials(a.of, b.of) : -1;
  if (b.kind === 'delta') return 1;
  return comparePolynomials(a.left, b.left) || comparePolynomials(a.right, b.right);
}

/** Lexicographic in (atom, exponent), coefficients ignored: 1 < a < a·b < a^2 < b. */
export function compareMonomials(a: Monomial, b: Monomial): number {
  if (a.atoms === b.atoms && a.exponents === b.exponents) return 0;
  const n = Math.min(a.atoms.length, b.atoms.length);
  for (let i = 0; i < n; i++) {
    const x = a.atoms[i];
    const y = b.atoms[i];
    if (x !== y) {
      // Tokens first, as the case that sorting a million monomials is made of.
      const order = typeof x === 'number' && typeof y === 'number' ? x - y : compareAtoms(x, y);
      if (order !== 0) return order;
    }
    const order = a.exponents[i] - b.exponents[i];
    if (order !== 0) return order;
  }
  return a.atoms.length - b.atoms.length;
}

/** A total order in which 0 means equal. */
export function comparePolynomials(a: Polynomial, b: Polynomial): number {
  if (a === b) return 0;
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    const order = compareMonomials(a[i], b[i]) || compareCounts(a[i].coefficient, b[i].coefficient);
    if (order !== 0) return order;
  }
  return 0;
}

function addExponents(a: number, b: number): number {
  const sum = a + b;
  if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  throw new SemiringError(
    'semiring/exponent-too-large',
    'a token is used more than 2^53 times in one derivation; B[X] and Why have an answer, which do not count',
  );
}

/** The product, in canonical form. @throws SemiringError `semiring/exponent-too-large` */
export function multiplyMonomials(a: Monomial, b: Monomial): Monomial {
  const coefficient = multiplyCounts(a.coefficient, b.coefficient);
  if (a.atoms.length === 0) return { coefficient, atoms: b.atoms, exponents: b.exponents };
  if (b.atoms.length === 0) return { coefficient, atoms: a.atoms, exponents: a.exponents };
  const atoms: Atom[] = [];
  const exponents: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.atoms.length && j < b.atoms.length) {
    const order = compareAtoms(a.atoms[i], b.atoms[j]);
    atoms.push(order <= 0 ? a.atoms[i] : b.atoms[j]);
    exponents.push(
      order === 0
        ? addExponents(a.exponents[i], b.exponents[j])
        : order < 0
          ? a.exponents[i]
          : b.exponents[j],
    );
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  for (; i < a.atoms.length; i++) {
    atoms.push(a.atoms[i]);
    exponents.push(a.exponents[i]);
  }
  for (; j < b.atoms.length; j++) {
    atoms.push(b.atoms[j]);
    exponents.push(b.exponents[j]);
  }
  return { coefficient, atoms, exponents };
}

/** Brings any list of monomials into canonical form: n log n, and in place of the list given. */
export function canonical(monomials: Monomial[]): Polynomial {
  monomials.sort(compareMonomials);
  let kept = 0;
  for (let i = 0; i < monomials.length; i++) {
    const next = monomials[i];
    const last = monomials[kept - 1];
    if (kept > 0 && compareMonomials(last, next) === 0) {
      monomials[kept - 1] = { ...last, coefficient: addCounts(last.coefficient, next.coefficient) };
    } else monomials[kept++] = next;
  }
  monomials.length = kept;
  return monomials;
}

/**
 * Whether a value is a polynomial in canonical form; that formal atoms are as simple as they can be is not
 * looked at.
 */
export function isPolynomial(value: unknown): value is Polynomial {
  if (!Array.isArray(value) || !value.every(isMonomial)) return false;
  return value.every((m, i) => i === 0 || compareMonomials(value[i - 1], m) < 0);
}

function isMonomial(value: unknown): value is Monomial {
  if (typeof value !== 'object' || value === null) return false;
  const { coefficient, atoms, exponents } = value as Partial<Record<keyof Monomial, unknown>>;
  if (!isCount(coefficient) || coefficient < 1) return false;
  if (!Array.isArray(atoms) || !Array.isArray(exponents) || atoms.length !== exponents.length) return false;
  if (!exponents.every((exponent) => Number.isSafeInteger(exponent) && exponent >= 1)) return false;
  if (!atoms.every(isAtom)) return false;
  return atoms.every((a, i) => i === 0 || compareAtoms(atoms[i - 1], a) < 0);
}

function isAtom(value: unknown): value is Atom {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  if (typeof value !== 'object' || value === null) return false;
  const { kind, of, left, right } = value as Record<string, unknown>;
  return kind === 'delta' ? isPolynomial(of) : kind === 'monus' && isPolynomial(left) && isPolynomial(right);
}
