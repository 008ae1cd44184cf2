/**
 * The contract of a commutative semiring, and of what it may declare beyond it.
 *
 * The one thing to know: every capability defaults to "no". A reading that needs a law (absorption, monus)
 * asks for it by name and refuses where it is missing, so an answer is never silently unsound.
 */
import type { Label } from '../label/label.js';
import type { Kernel } from './kernel.js';

/** What a semiring says about the size of its values. */
export interface Growth<K> {
  /** What values consist of, in the plural: `monomials`, `witnesses`, `tokens`. */
  readonly parts: string;
  /** How many parts a value has; the size of a sum is at most the sum of the sizes. */
  size(a: K): number;
  /**
   * How many parts a product is made of before anything in it is put together, by the sizes of its factors.
   * Absent: their product, as where each part of one side meets each of the other.
   */
  product?(a: number, b: number): number;
  /**
   * Whether each derivation is a part by itself (equal ones are counted in one), so that the first of them
   * say how a value begins that has too many.
   */
  readonly listsDerivations?: boolean;
}

/** How tokens are called in a text. */
export interface Naming {
  nameOf(token: number): string;
  /** How many parts of a value are shown; the rest is counted. Default: all. */
  readonly limit?: number;
}

/**
 * A commutative semiring (K, +, ·, 0, 1).
 *
 * Laws that every instance must satisfy, up to `equals`:
 * - (K, +, 0) is a commutative monoid: a+b = b+a, (a+b)+c = a+(b+c), a+0 = a;
 * - (K, ·, 1) is a commutative monoid: a·b = b·a, (a·b)·c = a·(b·c), a·1 = a;
 * - · distributes over +: a·(b+c) = a·b + a·c;
 * - 0 annihilates: a·0 = 0.
 *
 * The first six members are all that a user's own semiring needs.
 *
 * @typeParam K the carrier. Values are immutable: an operation returns a new value or one of its arguments.
 */
export interface Semiring<K> {
  readonly name: string;
  readonly zero: K;
  readonly one: K;
  plus(a: K, b: K): K;
  times(a: K, b: K): K;
  equals(a: K, b: K): boolean;

  /**
   * In a semiring of provenance: the value that stands for the token itself. A reading of a query's answer is
   * then the image of its polynomial in N[X] under the homomorphism that this fixes. Absent: every token is
   * worth 1, as in a semiring of counts; refused where the semiring has `growth`, whose parts are made of
   * tokens.
   */
  indeterminate?(token: number): K;
  /**
   * In a semiring of security labels (`reads: 'dependency'`): what a label is worth. It maps join to ·, and
   * (T, everyone) to 1; data without a label is (U, nobody). Absent: each token must be given a value.
   */
  ofLabel?(label: Label): K;

  /** Text for a person; `String(a)` where absent. */
  show?(a: K): string;
  /** The same with the tokens' own names, where values hold tokens. */
  showWith?(a: K, naming: Naming): string;
  /**
   * The value that a person means by a text, where it is neither the text itself, nor a number, nor JSON;
   * undefined where it means none.
   */
  parse?(text: string): K | undefined;
  /**
   * Whether `value` is in the carrier, in canonical form; a valuation's answers are checked by it where it is
   * there.
   */
  contains?(value: unknown): boolean;
  /** Laws that hold beyond those of every semiring. What is not declared does not hold. */
  readonly laws?: Laws;
  /**
   * a ∸ b: the least c with a ≤ b + c in the natural order. Present exactly where the semiring has a monus.
   */
  monus?(a: K, b: K): K;
  /** δ(0) = 0, δ(n·1) = 1 for n ≥ 1: "is there at all", the annotation of a group. Absent: refused. */
  delta?(a: K): K;
  /**
   * How non-monotone operators are read. `'derivation'` (default) reads difference by monus and a group by δ.
   * `'dependency'` is for labels: an answer depends on all that it was compared with, and on membership
   * (Cheney, Ahmed, Acar: Provenance as dependency analysis, 2011).
   */
  readonly reads?: 'derivation' | 'dependency';
  /**
   * The size of values, where it has no bound: a reading then ends in an error at a limit. Absent: a value is
   * taken to be of much the same size whatever it was made of.
   */
  readonly growth?: Growth<K>;
  /** Machine representation, for vectorised readings. */
  readonly kernel?: Kernel<K>;
}

/** Laws that a semiring may have. Each flag defaults to `false`: not known to hold. */
export interface Laws {
  /** a + a = a */
  readonly plusIdempotent?: boolean;
  /** a · a = a */
  readonly timesIdempotent?: boolean;
  /** a + a·b = a (equivalently 1 + a = 1); implies plusIdempotent. */
  readonly absorptive?: boolean;
  /** a + b = 0 only if a = b = 0, and a · b = 0 only if a = 0 or b = 0. */
  readonly positive?: boolean;
  /** a ≤ b :⇔ ∃c. a + c = b is a partial order. */
  readonly naturallyOrdered?: boolean;
  /** a·(b ∸ c) = a·b ∸ a·c; only meaningful where there is a monus. */
  readonly timesDistributesOverMonus?: boolean;
}

/** Text of a value of `semiring`, with tokens by their names where `naming` is given. */
export function show<K>(semiring: Semiring<K>, value: K, naming?: Naming): string {
  if (naming && semiring.showWith) return semiring.showWith(value, naming);
  return semiring.show ? semiring.show(value) : String(value);
}
