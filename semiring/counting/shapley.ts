/**
 * Shapley values: how much each token contributes to a row being there (Livshits, Bertossi, Kimelfeld, Sebag,
 * ICDT 2020; by compiled circuits Deutch, Frost, Kimelfeld, Monet, SIGMOD 2022).
 *
 * Method: the value of token x is ∫ ∂P/∂x over p from 0 to 1, where P(p) is the probability of the row when
 * every token has probability p (Owen 1972). ∂P/∂x is a polynomial in p of degree below the number of tokens
 * n, so Gauss–Legendre quadrature with ⌈n/2⌉ points is exact: results are doubles with rounding error only,
 * of the order 10^-14.
 */

import { SemiringError } from '../message/error.js';
import { type Formula, tokensOfFormula } from '../polynomial/formula.js';
import type { Polynomial } from '../polynomial/monomial.js';
import { tokensOf } from '../polynomial/polynomial.js';
import { type Circuit, type CompileOptions, compile, defaultLimit } from './knowledge-compilation.js';
import { gateProbabilities } from './probability.js';

/**
 * The Shapley value of every token of p. Tokens on which the row does not depend have 0. They add up to 1 if
 * the row is there with all tokens and not without any.
 * @throws SemiringError `semiring/compile-limit`, see `compile`; also where the quadrature would take more
 *   than 500 times `limit` steps
 */
export function shapley(p: Polynomial | Formula, options: CompileOptions = {}): ReadonlyMap<number, number> {
  const circuit = compile(p, options);
  const n = Math.ceil(circuit.tokens.length / 2);
  const limit = options.limit ?? defaultLimit;
  if (n * circuit.size > 500 * limit) {
    throw new SemiringError(
      'semiring/compile-limit',
      `the Shapley values of ${circuit.tokens.length} tokens would take ${n} passes over a circuit of size ${circuit.size}; raise { limit } (now ${limit}), or name tokens that are certain`,
    );
  }
  const points = gaussLegendre(n);
  const values = new Map<number, number>();
  for (const x of 'kind' in p ? tokensOfFormula(p) : tokensOf(p)) values.set(x, 0);
  for (const x of options.certain ?? []) values.delete(x);
  for (const { at, weight } of points) {
    for (const [x, slope] of derivatives(circuit, () => at))
      values.set(x, (values.get(x) ?? 0) + weight * slope);
  }
  return values;
}

/** ∂P/∂x for every token x that a gate mentions: one pass back over the circuit. */
function derivatives(circuit: Circuit, of: (token: number) => number): ReadonlyMap<number, number> {
  const values = gateProbabilities(circuit, of);
  const slopes = new Float64Array(values.length);
  slopes[values.length - 1] = 1;
  const byToken = new Map<number, number>();
  const add = (x: number, slope: number): void => {
    byToken.set(x, (byToken.get(x) ?? 0) + slope);
  };
  for (let i = values.length - 1; i >= 0; i--) {
    const gate = circuit.gates[i];
    const slope = slopes[i];
    if (gate.kind === 'token') add(gate.token, slope);
    else if (gate.kind === 'not') slopes[gate.of] -= slope;
    else if (gate.kind === 'decision') {
      const there = of(gate.token);
      slopes[gate.high] += slope * there;
      slopes[gate.low] += slope * (1 - there);
      add(gate.token, slope * (values[gate.high] - values[gate.low]));
    } else if (gate.kind !== 'constant') {
      const factor =
        gate.kind === 'and' ? (part: number) => values[part] : (part: number) => 1 - values[part];
      const others = productsOfOthers(gate.of.map(factor));
      gate.of.forEach((part, k) => {
        slopes[part] += slope * others[k];
      });
    }
  }
  return byToken;
}

/** For each factor the product of all the others, without division, since a factor may be 0. */
function productsOfOthers(factors: readonly number[]): Float64Array {
  const products = new Float64Array(factors.length).fill(1);
  let before = 1;
  for (let i = 0; i < factors.length; i++) {
    products[i] = before;
    before *= factors[i];
  }
  let after = 1;
  for (let i = factors.length - 1; i >= 0; i--) {
    products[i] *= after;
    after *= factors[i];
  }
  return products;
}

interface Point {
  readonly at: number;
  readonly weight: number;
}

/** The n-point Gauss–Legendre rule on [0, 1], by Newton's method on the Legendre polynomial. */
function gaussLegendre(n: number): Point[] {
  const points: Point[] = [];
  for (let i = 0; i < n; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 0;
    // Newton's method converges quadratically from this start; 5 steps are enough, 10 are safe.
    for (let step = 0; step < 10; step++) {
      let previous = 1;
      let current = x;
      for (let k = 2; k <= n; k++) {
        const next = ((2 * k - 1) * x * current - (k - 1) * previous) / k;
        previous = current;
        current = next;
      }
      slope = (n * (x * current - previous)) / (x * x - 1);
      const dx = current / slope;
      x -= dx;
      if (Math.abs(dx) < 1e-16) break;
    }
    points.push({ at: (1 - x) / 2, weight: 1 / ((1 - x * x) * slope * slope) });
  }
  return points;
}
