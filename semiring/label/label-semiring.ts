/** Security labels as semirings: each lattice of label-lattice.ts in both readings of security.ts. */

import type { Semiring } from '../contract/semiring.js';
import type { Label, Principal } from './label.js';
import {
  confidentialityLattice,
  integrityLattice,
  labelLattice,
  labelLatticeOver,
  readersLattice,
} from './label-lattice.js';
import { alternative, conservative } from './security.js';

export const conservativeIntegrity = conservative(integrityLattice);
export const alternativeIntegrity = alternative(integrityLattice);
export const conservativeConfidentiality = conservative(confidentialityLattice);
export const alternativeConfidentiality = alternative(confidentialityLattice);
export const conservativeReaders = conservative(readersLattice);
export const alternativeReaders = alternative(readersLattice);
export const conservativeLabels = conservative(labelLattice);
export const alternativeLabels = alternative(labelLattice);

/** Labels, conservative, with a kernel where `universe` has at most 30 principals. */
export function labelsOver(universe: readonly Principal[]): Semiring<Label | null> {
  return conservative(labelLatticeOver(universe));
}

/** Labels, alternative, with a kernel where `universe` has at most 30 principals. */
export function alternativeLabelsOver(universe: readonly Principal[]): Semiring<Label> {
  return alternative(labelLatticeOver(universe));
}
