/**
 * The probability that a row is there when each token is there independently with its own probability. Exact
 * up to the rounding of doubles, which on the compiled circuit is a few units in the last place a gate.
 */

import { describeValue } from '../message/describe-value.js';
import { SemiringError } from '../message/error.js';
import type { Formula } from '../polynomial/formula.js';
import type { Polynomial } from '../polynomial/monomial.js';
import { type Circuit, type CompileOptions, compile } from './knowledge-compilation.js';

/**
 * @param of the probability of each token, from 0 to 1
 * @throws SemiringError `semiring/not-a-probability`; `semiring/compile-limit`, see `compile`
 */
export function probability(
  p: Polynomial | Formula,
  of: (token: number) => number,
  options: CompileOptions = {},
): number {
  const circuit = compile(p, options);
  const values = gateProbabilities(circuit, (x) => {
    const value = of(x);
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw new SemiringError(
      'semiring/not-a-probability',
      `token ${x} has probability ${describeValue(value)}; it must be from 0 to 1`,
    );
  });
  return values[values.length - 1];
}

/** The probability of every gate. */
export function gateProbabilities(circuit: Circuit, of: (token: number) => number): Float64Array {
  const values = new Float64Array(circuit.gates.length);
  circuit.gates.forEach((gate, i) => {
    switch (gate.kind) {
      case 'constant':
        values[i] = gate.value ? 1 : 0;
        break;
      case 'token':
        values[i] = of(gate.token);
        break;
      case 'not':
        values[i] = 1 - values[gate.of];
        break;
      case 'and': {
        let all = 1;
        for (const part of gate.of) all *= values[part];
        values[i] = all;
        break;
      }
      case 'or': {
        // a + b - a·b, written so that small probabilities keep their digits.
        let any = 0;
        for (const part of gate.of) any += values[part] * (1 - any);
        values[i] = any;
        break;
      }
      case 'decision': {
        const there = of(gate.token);
        values[i] = there * values[gate.high] + (1 - there) * values[gate.low];
        break;
      }
    }
  });
  return values;
}
