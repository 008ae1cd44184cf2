/** What a circuit is read with, and what comes out. */
import type { Token } from './token.js';

/** What a token means in K: a function, or one value for all. */
export type Valuation<K> = ((token: Token) => K) | { readonly every: K };

/** The values of a node's rows in a semiring. */
export interface Reading<K> extends Iterable<K> {
  readonly length: number;
  at(row: number): K;
}
