/** Reading the answers as integrity labels. */
import { conservativeIntegrity } from '../../semiring/label/label-semiring.js';
import { type Engine, reading } from './engines.js';

/** One token in sixteen is untrusted. */
export const inIntegrity: Engine = reading(conservativeIntegrity, (token) => (token % 16 === 0 ? 'U' : 'T'));
