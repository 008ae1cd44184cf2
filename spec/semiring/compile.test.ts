/** Probabilities and Shapley values, held to their definitions by brute force over all sets of tokens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  Bool,
  compile,
  evaluate,
  type Polynomial,
  Polynomials,
  probability,
  shapley,
  sum,
  token,
  tokensOf,
} from '../../semiring/index.js';
import * as any from './arbitraries.js';
import { expressions } from './arbitraries.js';
import { runs } from './laws.js';

/** Of at most six tokens, with formal atoms. */
const lineages: fc.Arbitrary<Polynomial> = fc.oneof(
  any.polynomials,
  fc
    .array(fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }), { maxLength: 7 })
    .map((monomials) => sum(monomials.map((m) => m.map(token).reduce(Polynomials.times, Polynomials.one)))),
  fc
    .tuple(
      expressions(Polynomials, token, { formal: true }),
      expressions(Polynomials, (x) => token(x + 2), { formal: true }),
    )
    .map(([p, q]) => Polynomials.monus?.(p, q) ?? p),
);

function subsets(tokens: readonly number[]): number[][] {
  return tokens.reduce<number[][]>((sets, x) => sets.concat(sets.map((set) => [...set, x])), [[]]);
}

const holds = (p: Polynomial, there: readonly number[]): boolean =>
  evaluate(p, Bool, (x) => there.includes(x));

/** The sum over all sets of tokens where p holds of the probability of the set. */
function slowProbability(p: Polynomial, of: (token: number) => number): number {
  const tokens = tokensOf(p);
  let total = 0;
  for (const set of subsets(tokens)) {
    if (holds(p, set)) total += tokens.reduce((all, x) => all * (set.includes(x) ? of(x) : 1 - of(x)), 1);
  }
  return total;
}

/** The sum over sets S without x of |S|! (n - 1 - |S|)! / n! (p(S + x) - p(S)). */
function slowShapley(p: Polynomial): Map<number, number> {
  const tokens = tokensOf(p);
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  const n = tokens.length;
  return new Map(
    tokens.map((x) => {
      let value = 0;
      for (const set of subsets(tokens.filter((y) => y !== x))) {
        const gain = Number(holds(p, [...set, x])) - Number(holds(p, set));
        value += (gain * factorial(set.length) * factorial(n - 1 - set.length)) / factorial(n);
      }
      return [x, value];
    }),
  );
}

const near = (got: number | undefined, expected: number): void =>
  assert.ok(got !== undefined && Math.abs(got - expected) < 1e-12, `${got}, not ${expected}`);

test('probability is the sum over all possible worlds', () => {
  const probabilities = fc.array(
    fc.nat({ max: 8 }).map((n) => n / 8),
    { minLength: 6, maxLength: 6 },
  );
  fc.assert(
    fc.property(lineages, probabilities, (p, v) =>
      near(
        probability(p, (x) => v[x]),
        slowProbability(p, (x) => v[x]),
      ),
    ),
    { numRuns: runs, includeErrorInReport: true },
  );
});

test('Shapley values are the average marginal contributions', () => {
  fc.assert(
    fc.property(lineages, (p) => {
      const fast = shapley(p);
      const slow = slowShapley(p);
      assert.deepEqual([...fast.keys()].sort(), [...slow.keys()].sort());
      for (const [x, value] of slow) near(fast.get(x), value);
    }),
    { numRuns: runs, includeErrorInReport: true },
  );
});

test('certain tokens are given, and get no value', () => {
  // a·b with b certain: all is due to a.
  const p = Polynomials.times(token(0), token(1));
  assert.deepEqual([...shapley(p, { certain: [1] })], [[0, 1]]);
  assert.equal(
    probability(p, () => 0.25, { certain: [1] }),
    0.25,
  );
});

test('small probabilities keep their digits', () => {
  near(probability(Polynomials.plus(token(0), token(1)), () => 1e-20) / 2e-20, 1);
});

test('a star of 20,000 derivations compiles to a circuit of linear size', () => {
  const star = sum(Array.from({ length: 20_000 }, (_, i) => Polynomials.times(token(0), token(i + 1))));
  assert.ok(compile(star).size < 100_000);
  // The centre is there, and at least one of the rest.
  near(
    probability(star, () => 0.001),
    0.001 * (1 - 0.999 ** 20_000),
  );
});

test('the Shapley values of 400 tokens add up to 1', () => {
  const p = sum(Array.from({ length: 200 }, (_, i) => Polynomials.times(token(2 * i), token(2 * i + 1))));
  const values = [...shapley(p).values()];
  near(
    values.reduce((total, value) => total + value, 0),
    1,
  );
  for (const value of values) near(value, 1 / 400);
});

test('a lineage that is too entangled is refused with the limit', () => {
  const p = sum(
    Array.from({ length: 300 }, (_, i) =>
      [(i * 37) % 101, 101 + ((i * 53) % 97), 200 + ((i * 71) % 89)].map(token).reduce(Polynomials.times),
    ),
  );
  assert.throws(
    () => probability(p, () => 0.5, { limit: 10_000 }),
    (error: Error & { code?: string }) =>
      error.code === 'semiring/compile-limit' && /more than 10,000 links/.test(error.message),
  );
});

test('a probability outside of 0 to 1 is refused', () => {
  assert.throws(() => probability(token(3), () => 1.5), /token 3 has probability 1.5/);
});
