/**
 * What a token is worth where nobody has given it a value, by what its semiring declares: its indeterminate,
 * its label, or 1 where values do not tell tokens apart.
 */
import { type Label, top } from '../label/label.js';
import type { Semiring } from './semiring.js';

/**
 * @param labelOf default: untrusted, and readable by nobody
 * @returns undefined where the semiring does not say and 1 would be a wrong answer without a word
 */
export function tokenValue<K>(
  semiring: Semiring<K>,
  labelOf: (token: number) => Label = () => top,
): ((token: number) => K) | undefined {
  // Called on their objects, which may be instances of a user's class.
  if (semiring.indeterminate) return (token) => semiring.indeterminate!(token);
  if (semiring.ofLabel) return (token) => semiring.ofLabel!(labelOf(token));
  if (semiring.reads === 'dependency' || semiring.growth) return undefined;
  return () => semiring.one;
}
