/** Refusals by name: a reading asks here for the law or operation it needs. */
import { SemiringError } from '../message/error.js';
import type { Laws, Semiring } from './semiring.js';

const inWords: Record<keyof Laws, string> = {
  plusIdempotent: 'a + a = a',
  timesIdempotent: 'a · a = a',
  absorptive: 'a + a·b = a',
  positive: 'sums and products are 0 only where their parts are',
  naturallyOrdered: 'a natural order',
  timesDistributesOverMonus: 'a·(b ∸ c) = a·b ∸ a·c',
};

/**
 * @param purpose what needs the law, as the subject of a sentence: `a recursive query`
 * @throws SemiringError `semiring/missing-law` where the semiring does not declare it
 */
export function requireLaw<K>(semiring: Semiring<K>, law: keyof Laws, purpose: string): void {
  if (semiring.laws?.[law]) return;
  throw new SemiringError(
    'semiring/missing-law',
    `${purpose} needs ${inWords[law]} (${law}), which the semiring ${semiring.name} does not declare`,
  );
}

/**
 * The semiring's own monus.
 * @throws SemiringError `semiring/no-monus`
 */
export function requireMonus<K>(semiring: Semiring<K>, purpose: string): (a: K, b: K) => K {
  if (semiring.monus) return (a, b) => semiring.monus!(a, b);
  throw missing(semiring.name, 'monus', purpose);
}

/**
 * The semiring's own δ.
 * @throws SemiringError `semiring/no-delta`
 */
export function requireDelta<K>(semiring: Semiring<K>, purpose: string): (a: K) => K {
  if (semiring.delta) return (a) => semiring.delta!(a);
  throw missing(semiring.name, 'delta', purpose);
}

/**
 * What a token stands for in a semiring of provenance.
 * @throws SemiringError `semiring/no-indeterminate`
 */
export function requireIndeterminate<K>(semiring: Semiring<K>, purpose: string): (token: number) => K {
  if (semiring.indeterminate) return (token) => semiring.indeterminate!(token);
  throw new SemiringError(
    'semiring/no-indeterminate',
    `${purpose} needs a semiring of provenance, in which a token stands for itself; ${semiring.name} declares no indeterminate`,
  );
}

function missing(name: string, operation: 'monus' | 'delta', purpose: string): SemiringError {
  return new SemiringError(
    `semiring/no-${operation}`,
    `${purpose} needs ${operation}, and the semiring ${name} has no ${operation}; read it in one that has, such as N or Boolean`,
  );
}
