/** The refusal of a reading that needs an operation which the semiring does not declare. */

import type { Semiring } from '../../semiring/contract/semiring.js';
import { SemiringError } from '../../semiring/message/error.js';

export function missing<K>(operation: 'monus' | 'delta', what: string, semiring: Semiring<K>): SemiringError {
  return new SemiringError(
    `semiring/no-${operation}`,
    `this annotation holds ${what}, and the semiring ${semiring.name} has no ${operation}; read it in one that has, such as N or Boolean`,
  );
}
