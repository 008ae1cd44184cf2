/** Probabilities and Shapley values, held to their definitions by brute force over all sets of tokens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldPlus, foldTimes } from '../../semiring/contract/fold.js';
import { compile } from '../../semiring/counting/knowledge-compilation.js';
import {
  Bool,
  evaluate,
  type Formula,
  Formula as Formulas,
  type Polynomial,
  Polynomials,
  probability,
  shapley,
  token,
} from '../../semiring/index.js';
import { formulaOf, tokensOfFormula } from '../../semiring/polynomial/formula.js';
import { sum, tokensOf } from '../../semiring/polynomial/polynomial.js';
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

/** Products of sums of products and their like, of at most six tokens, that nobody has multiplied out. */
const formulas: fc.Arbitrary<Formula> = fc
  .array(
    fc.tuple(
      expressions(Formulas, formulaOf, { formal: true }),
      expressions(Formulas, (x) => formulaOf(x + 2), { formal: true }),
      fc.constantFrom<'plus' | 'times' | 'monus'>('plus', 'times', 'monus'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) =>
    parts
      .map(([a, b, operation]) => Formulas[operation]?.(a, b) ?? a)
      .reduce((a, b, i) => (i % 2 === 0 ? Formulas.plus(a, b) : Formulas.times(a, b))),
  );

function subsets(tokens: readonly number[]): number[][] {
  return tokens.reduce<number[][]>((sets, x) => sets.concat(sets.map((set) => [...set, x])), [[]]);
}

const holds = (p: Polynomial | Formula, there: readonly number[]): boolean =>
  'kind' in p ? formulaHolds(p, there) : evaluate(p, Bool, (x) => there.includes(x));

function formulaHolds(f: Formula, there: readonly number[]): boolean {
  switch (f.kind) {
    case 'zero':
      return false;
    case 'one':
      return true;
    case 'token':
      return there.includes(f.token);
    case 'plus':
      return f.terms.some((term) => formulaHolds(term, there));
    case 'times':
      return f.terms.every((term) => formulaHolds(term, there));
    case 'monus':
      return formulaHolds(f.left, there) && !formulaHolds(f.right, there);
    case 'delta':
      return formulaHolds(f.of, there);
  }
}

const tokensIn = (p: Polynomial | Formula): number[] => ('kind' in p ? tokensOfFormula(p) : tokensOf(p));

/** The sum over all sets of tokens where p holds of the probability of the set. */
function slowProbability(p: Polynomial | Formula, of: (token: number) => number): number {
  const tokens = tokensIn(p);
  let total = 0;
  for (const set of subsets(tokens)) {
    if (holds(p, set)) total += tokens.reduce((all, x) => all * (set.includes(x) ? of(x) : 1 - of(x)), 1);
  }
  return total;
}

/** The sum over sets S without x of |S|! (n - 1 - |S|)! / n! (p(S + x) - p(S)). */
function slowShapley(p: Polynomial | Formula): Map<number, number> {
  const tokens = tokensIn(p);
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
    fc.property(fc.oneof<fc.Arbitrary<Polynomial | Formula>[]>(lineages, formulas), probabilities, (p, v) =>
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
    fc.property(fc.oneof<fc.Arbitrary<Polynomial | Formula>[]>(lineages, formulas), (p) => {
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

const from = (first: number, n: number): number[] => Array.from({ length: n }, (_, i) => first + i);

test('a product of sums without common tokens is read once, multiplied out or not', () => {
  // 40,000 monomials: (x0 + … + x199)·(x200 + … + x399).
  const sides = [from(0, 200), from(200, 200)];
  const [a, b] = sides.map((side) => sum(side.map(token)));
  const factored = foldTimes(
    Formulas,
    sides.map((side) => foldPlus(Formulas, side.map(formulaOf))),
  );
  for (const p of [Polynomials.times(a, b), factored]) {
    assert.ok(compile(p).size < 2000);
    near(
      probability(p, () => 0.01),
      (1 - 0.99 ** 200) ** 2,
    );
    near(shapley(p).get(7), 1 / 400);
  }
});

test('a sum of products, written as a product of sums, is read once', () => {
  // x0·…·x9 + x10·…·x19 as the product over all i, j of (xi + xj), and the same where it must be all there
  // is.
  const sums = from(0, 10).flatMap((i) => from(10, 10).map((j) => Formulas.plus(formulaOf(i), formulaOf(j))));
  const p = foldTimes(Formulas, sums);
  assert.ok(compile(p).size < 100);
  near(
    probability(p, () => 0.5),
    1 - (1 - 0.5 ** 10) ** 2,
  );
});

test('a row of a thousand million monomials has a probability', () => {
  // S·S·S under δ, less what is also in T, where S and T have no token in common.
  const s = foldPlus(Formulas, from(0, 1001).map(formulaOf));
  const t = foldPlus(Formulas, from(2000, 10).map(formulaOf));
  const cube = Formulas.delta?.(foldTimes(Formulas, [s, s, s])) ?? s;
  const p = Formulas.monus?.(cube, t) ?? cube;
  near(
    probability(p, () => 0.001),
    (1 - 0.999 ** 1001) * 0.999 ** 10,
  );
});

test('one token that both sides of a product share is the only one that is decided on', () => {
  // (x0 + a1 + … )·(x0 + b1 + …): there where x0 is, or one of both sides.
  const side = (first: number) => foldPlus(Formulas, [0, ...from(first, 300)].map(formulaOf));
  const p = Formulas.times(side(1), side(301));
  assert.ok(compile(p).size < 3000);
  near(
    probability(p, () => 0.01),
    0.01 + 0.99 * (1 - 0.99 ** 300) ** 2,
  );
});

test('what is not read once is still decided token by token', () => {
  // a·b + b·c + c·d, the least that has no factors: there in 8 of the 16 worlds.
  const path = sum([0, 1, 2].map((i) => Polynomials.times(token(i), token(i + 1))));
  near(
    probability(path, () => 0.5),
    8 / 16,
  );
  // All but one of the combinations of two sides of three.
  const pairs = [0, 1, 2].flatMap((i) => [3, 4, 5].map((j) => [i, j])).slice(1);
  const almost = sum(pairs.map(([i, j]) => Polynomials.times(token(i), token(j))));
  near(
    probability(almost, () => 0.5),
    slowProbability(almost, () => 0.5),
  );
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
