/**
 * The Łukasiewicz semiring: doubts add up, to the point where nothing is left.
 *
 * Carrier: numbers from 0 to 1. 0: 0, 1: 1, +: max, ·: max(0, a + b - 1). ∸ and δ: see confidence.ts. Laws: +
 * idempotent, absorptive, naturally ordered, · distributes over ∸. Not positive (0.5 · 0.5 = 0), · not
 * idempotent. Exact for multiples of 2^-52; other doubles round, and then laws of · hold up to 2^-52 an
 * operation.
 */
import { confidence } from './confidence.js';

export const Lukasiewicz = confidence(
  'Lukasiewicz',
  // In this order 1 is neutral without rounding: (a - 1) + 1 could lose bits of a.
  (a, b) => (a === 1 ? b : b === 1 ? a : Math.max(0, a + b - 1)),
  { timesDistributesOverMonus: true },
);
