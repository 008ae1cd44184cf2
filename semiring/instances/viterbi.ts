/**
 * The Viterbi semiring: the probability of the most likely derivation, if tokens are independent.
 *
 * Carrier: numbers from 0 to 1. 0: 0, 1: 1, +: max, ·: product. ∸ and δ: see confidence.ts. Laws: +
 * idempotent, absorptive, positive, naturally ordered, · distributes over ∸. · is not idempotent. Doubles
 * round: · is associative up to one unit in the last place a factor, and a product below 5e-324 is 0 (so
 * "positive" ends there).
 */
import { confidence } from './confidence.js';

export const Viterbi = confidence('Viterbi', (a, b) => a * b, {
  positive: true,
  timesDistributesOverMonus: true,
});
