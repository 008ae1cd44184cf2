/**
 * The fuzzy semiring (Gödel): a chain of reasoning is as sure as its weakest link.
 *
 * Carrier: numbers from 0 to 1. 0: 0, 1: 1, +: max, ·: min. ∸ and δ: see confidence.ts. Laws: + and ·
 * idempotent, absorptive, positive, naturally ordered; exact, since nothing is computed. · does not
 * distribute over ∸: min(0.1, 0.5 ∸ 0.3) is 0.1, and 0.1 ∸ 0.1 is 0.
 */
import { confidence } from './confidence.js';

export const Fuzzy = confidence('fuzzy', (a, b) => Math.min(a, b), {
  timesIdempotent: true,
  positive: true,
});
