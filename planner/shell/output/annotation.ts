/**
 * Annotations as a column of text. They are read for some rows at a time, so that a long result streams, and
 * one that is too long to be read is folded with a count of what is hidden, never cut without a word.
 */
import type { Node } from '../../../engine/provenance/circuit.js';
import { ReadingLimitError, read } from '../../../engine/provenance/read.js';
import { slice } from '../../../engine/provenance/slice.js';
import type { Token } from '../../../engine/provenance/token.js';
import { sizesOf } from '../../../semiring/contract/growth.js';
import { Polynomials, type RegisteredSemiring, type Semiring, show } from '../../../semiring/index.js';
import { monomials } from '../../../semiring/polynomial/polynomial.js';
import type { Database } from '../../query/index.js';
import { firstDerivations } from './first-derivations.js';

/** Parts of one annotation (monomials, witnesses, tokens) that are shown; the rest is counted. */
export const defaultFold = 12;

/** A value of more parts than this is not read in a semiring that lists them. */
const mostParts = 20_000;

/** How many monomials the expansion can have: only its size matters. */
const derivationBound = sizesOf(Polynomials, monomials, 1);

/** Whether a row of the node has more derivations than can be listed. */
export function isTooLong(database: Database, node: Node, dependency: boolean): boolean {
  const bound: Semiring<number> = { ...derivationBound, reads: dependency ? 'dependency' : 'derivation' };
  for (const size of read(node, bound, database.valuations.of(derivationBound)))
    if (size > mostParts) return true;
  return false;
}

export interface AnnotationOptions {
  readonly fold: number;
  /** For telling a label from its parts. */
  readonly nameOf: (token: Token) => string;
}

/**
 * Texts of the annotations of some rows of a node, in their order. @throws SemiringError where the semiring
 * lacks what the query needs
 */
export function annotationTexts(
  database: Database,
  node: Node,
  rows: readonly number[],
  { semiring }: RegisteredSemiring,
  options: AnnotationOptions,
): string[] {
  // Rows are asked for in order, so as many as the node has are all of them.
  const dependency = semiring.reads === 'dependency';
  const part = rows.length === node.rows ? node : slice(node, rows, dependency);
  const valuation = database.valuations.of(semiring);
  const naming = { nameOf: options.nameOf, limit: options.fold };
  const textOf = (value: unknown): string => show(semiring, value, naming);
  const limit = { limit: mostParts };
  try {
    return [...read(part, semiring, valuation, undefined, limit)].map(textOf);
  } catch (error) {
    if (!(error instanceof ReadingLimitError)) throw error;
  }
  // Some row is too long, or all are together: each by itself.
  return rows.map((_, i) => {
    try {
      return textOf(read(slice(part, [i], dependency), semiring, valuation, undefined, limit).at(0));
    } catch (error) {
      if (error instanceof ReadingLimitError) return tooMany(part, i, error.bound, semiring, options);
      throw error;
    }
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
  if (semiring.growth?.listsDerivations !== true)
    return `… up to ${count} derivations: too many to list in ${semiring.name}`;
  return `${firstDerivations(part, row, options.fold, options.nameOf)} + … up to ${count} monomials in all`;
}
