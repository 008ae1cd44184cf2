/**
 * Quotients: a semiring in which more is equal, as another one whose values are brought into a normal form
 * after each operation.
 */
import type { Semiring } from './semiring.js';

/**
 * @param normal the normal form: a homomorphism from `of` to the quotient, and the identity on what is in
 *   normal form, indeterminates included
 * @param own what the quotient has of its own; the rest is that of `of`
 */
export function quotient<K>(
  of: Semiring<K>,
  normal: (a: K) => K,
  own: Partial<Semiring<K>> & Pick<Semiring<K>, 'name' | 'contains' | 'laws'>,
): Semiring<K> {
  return {
    ...of,
    plus: (a, b) => normal(of.plus(a, b)),
    times: (a, b) => normal(of.times(a, b)),
    ...own,
  };
}
