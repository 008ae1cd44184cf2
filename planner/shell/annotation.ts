/**
 * Annotations as a column of text. The one thing to know: they are read for some rows at a time, so that a long result
 * streams, and one that is too long to be read is folded with a count of what is hidden, never cut without a word.
 */
import type { Node } from '../../engine/circuit.js';
import { read } from '../../engine/read.js';
import { slice } from '../../engine/slice.js';
import type { Token } from '../../engine/token.js';
import {
  BooleanPolynomials,
  Formula,
  Lin,
  Polynomials,
  PosBool,
  type RegisteredSemiring,
  type Semiring,
  Sorp,
  show,
  showFormula,
  showLabel,
  showPolynomial,
  showReaders,
  Trio,
  Why,
  type Witnesses,
} from '../../semiring/index.js';
import type { Polynomial } from '../../semiring/polynomial.js';
import type { Database } from '../query/index.js';
import { firstDerivations } from './first-derivations.js';

/** Parts of one annotation (monomials, witnesses, tokens) that are shown; the rest is counted. */
export const defaultFold = 12;

/** Beyond this many derivations a row is not read in a semiring that lists them. */
const mostDerivations = 20_000;

/** Semirings whose values can grow with the number of derivations. */
const listing: ReadonlySet<unknown> = new Set([Polynomials, BooleanPolynomials, Trio, Sorp, Why, PosBool]);

/** How many monomials the expansion can have, as a double: only its size matters. */
const derivationBound: Semiring<number> = {
  name: 'derivations',
  zero: 0,
  one: 1,
  plus: (a, b) => a + b,
  times: (a, b) => (a === 0 || b === 0 ? 0 : a * b),
  equals: (a, b) => a === b,
  monus: (a, b) => Math.max(1, a) + b,
  delta: (a) => a,
};

/** Whether a row of the node has more derivations than can be listed. */
export function isTooLong(database: Database, node: Node, dependency: boolean): boolean {
  const bound: Semiring<number> = { ...derivationBound, reads: dependency ? 'dependency' : 'derivation' };
  for (const size of read(node, bound, database.valuations.of(derivationBound)))
    if (size > mostDerivations) return true;
  return false;
}

export interface AnnotationOptions {
  readonly fold: number;
  /** For telling a label from its parts. */
  readonly nameOf: (token: Token) => string;
}

/** Texts of the annotations of some rows of a node, in their order. @throws SemiringError where the semiring lacks what the query needs */
export function annotationTexts(
  database: Database,
  node: Node,
  rows: readonly number[],
  { semiring }: RegisteredSemiring,
  options: AnnotationOptions,
): string[] {
  // Rows are asked for in order, so as many as the node has are all of them.
  const part = rows.length === node.rows ? node : slice(node, rows, semiring.reads === 'dependency');
  const valuation = database.valuations.of(semiring);
  const textOf = (value: unknown): string => showAnnotation(semiring, value, options);
  if (!listing.has(semiring)) return [...read(part, semiring, valuation)].map(textOf);
  const bounds = [...read(part, derivationBound, database.valuations.of(derivationBound))];
  if (bounds.every((bound) => bound <= mostDerivations))
    return [...read(part, semiring, valuation)].map(textOf);
  return bounds.map((bound, i) => {
    if (bound <= mostDerivations) return textOf(read(slice(part, [i]), semiring, valuation).at(0));
    return tooMany(part, i, bound, semiring, options);
  });
}

function tooMany(
  part: Node,
  row: number,
  bound: number,
  semiring: Semiring<unknown>,
  options: AnnotationOptions,
): string {
  const count = bound < 1e15 ? bound.toLocaleString('en-US') : bound.toExponential(2);
  if (semiring !== (Polynomials as Semiring<unknown>))
    return `… up to ${count} derivations: too many to list in ${semiring.name}`;
  return `${firstDerivations(part, row, options.fold, options.nameOf)} + … up to ${count} monomials in all`;
}

/** A value of a semiring with the tokens' own names. */
export function showAnnotation(
  semiring: Semiring<unknown>,
  value: unknown,
  { fold, nameOf }: AnnotationOptions,
): string {
  // Each cast holds because the value came out of a reading in this very semiring.
  switch (semiring as unknown) {
    case Polynomials:
    case BooleanPolynomials:
    case Trio:
    case Sorp:
      return showPolynomial(value as Polynomial, nameOf, { limit: fold });
    case Why:
    case PosBool: {
      const witnesses = value as Witnesses;
      const shown = witnesses.slice(0, fold).map((witness) => `{${listed(witness, fold, nameOf)}}`);
      return `{${[...shown, ...hiddenPart(witnesses.length - shown.length, 'witness', 'witnesses')].join(', ')}}`;
    }
    case Lin:
      return value === null ? 'none' : `{${listed(value as readonly Token[], fold, nameOf)}}`;
    case Formula:
      return showFormula(value as Formula, nameOf);
    default:
      return isLabel(value)
        ? showLabel(value)
        : value instanceof Set || value === 'everyone'
          ? showReaders(value)
          : value === null
            ? 'none'
            : show(semiring, value);
  }
}

function listed(tokens: readonly Token[], fold: number, nameOf: (token: Token) => string): string {
  const shown = tokens.slice(0, fold).map(nameOf);
  return [...shown, ...hiddenPart(tokens.length - shown.length, 'token', 'tokens')].join(', ');
}

function hiddenPart(count: number, one: string, many: string): string[] {
  return count > 0 ? [`… ${count.toLocaleString('en-US')} more ${count === 1 ? one : many}`] : [];
}

function isLabel(value: unknown): value is Parameters<typeof showLabel>[0] {
  return typeof value === 'object' && value !== null && 'integrity' in value && 'readers' in value;
}
