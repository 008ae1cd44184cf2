/** N[X]: canonical form, formal atoms, evaluation, text, and sizes up to a million monomials. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  Bool,
  conservativeLabels,
  evaluate,
  Integers,
  Natural,
  Polynomials,
  showPolynomial,
  Tropical,
  token,
} from '../../semiring/index.js';
import {
  constant,
  degree,
  derivations,
  PolynomialSum,
  size,
  substitute,
  sum,
  tokensOf,
  without,
} from '../../semiring/polynomial/polynomial.js';
import * as any from './arbitraries.js';
import { runs } from './laws.js';

const [a, b, c] = [0, 1, 2].map(token);
const names = (x: number): string => 'abcdefgh'[x];
const text = (p: Parameters<typeof showPolynomial>[0]): string => showPolynomial(p, names);
const { plus, times } = Polynomials;
const monus = (p: typeof a, q: typeof a) => Polynomials.monus?.(p, q) ?? assert.fail();
const delta = (p: typeof a) => Polynomials.delta?.(p) ?? assert.fail();

test('equal polynomials have one form, whatever the order of operations', () => {
  // (a + b)² = a² + 2ab + b²
  assert.deepEqual(
    times(plus(a, b), plus(b, a)),
    plus(times(b, b), plus(times(a, a), times(constant(2), times(b, a)))),
  );
  assert.equal(text(times(plus(a, b), plus(a, b))), '2·a·b + a^2 + b^2');
  assert.equal(text(Polynomials.zero), '0');
  assert.equal(text(constant(3)), '3');
});

test('coefficients are exact beyond 2^53', () => {
  const big = constant(2n ** 60n + 1n);
  assert.equal(text(times(big, plus(big, a))), `${(2n ** 60n + 1n) ** 2n} + ${2n ** 60n + 1n}·a`);
  assert.equal(derivations(plus(big, a)), 2n ** 60n + 2n);
  assert.throws(() => constant(-1), /not a natural number/);
  assert.throws(() => constant(2 ** 53), /not a natural number/);
});

test('δ and ∸ are simplified where every reading agrees, and only there', () => {
  assert.deepEqual(delta(Polynomials.zero), Polynomials.zero);
  assert.deepEqual(delta(constant(7)), Polynomials.one);
  assert.equal(text(delta(plus(a, b))), 'δ(a + b)');
  assert.equal(text(delta(delta(a))), 'δ(δ(a))');
  assert.equal(text(monus(a, plus(a, b))), '0');
  assert.equal(text(monus(plus(a, b), a)), '((a + b) ∸ a)');
  assert.equal(text(monus(monus(a, b), c)), '(a ∸ (b + c))');
  // a ≤ b + (a ∸ b), whatever else is added.
  assert.equal(text(monus(a, plus(b, monus(a, b)))), '0');
  assert.equal(text(monus(a, plus(plus(b, c), monus(a, b)))), '0');
  assert.equal(text(monus(a, plus(c, monus(a, b)))), '(a ∸ (c + (a ∸ b)))');
  // 2 ∸ 1 is 1 in N and 0 in Boolean.
  const two = monus(constant(2), constant(1));
  assert.equal(text(two), '(2 ∸ 1)');
  assert.equal(
    evaluate(two, Natural, () => 1),
    1,
  );
  assert.equal(
    evaluate(two, Bool, () => true),
    false,
  );
});

test('a reading without monus or δ is refused by name', () => {
  const refusal = (run: () => unknown, code: string, message: RegExp): void => {
    assert.throws(
      run,
      (error: Error & { code?: string }) => error.code === code && message.test(error.message),
    );
  };
  refusal(() => evaluate(monus(a, b), Integers, () => 1), 'semiring/no-monus', /semiring Z has no monus/);
  refusal(
    () => evaluate(monus(a, b), conservativeLabels, () => null),
    'semiring/no-monus',
    /semiring labels has no monus/,
  );
  const bare = { name: 'bare', zero: 0, one: 1, plus: Math.max, times: Math.min, equals: Object.is };
  refusal(() => evaluate(delta(a), bare, () => 1), 'semiring/no-delta', /semiring bare has no delta/);
});

test('a value outside of the carrier is refused', () => {
  assert.throws(
    () => evaluate(a, Tropical, () => -1),
    /token 0 the value -1, which the semiring tropical does not hold/,
  );
  assert.throws(() => evaluate(a, Natural, () => 0.5), /does not hold/);
});

test('a huge exponent and a huge coefficient take few steps', () => {
  let p = a;
  for (let i = 0; i < 20; i++) p = times(p, p);
  assert.equal(text(p), 'a^1048576');
  assert.equal(degree(p), 1048576);
  assert.equal(
    evaluate(p, Natural, () => 1),
    1,
  );
  let steps = 0;
  const counting = {
    ...Natural,
    plus: (x: number | bigint, y: number | bigint) => {
      steps++;
      return Natural.plus(x, y);
    },
  };
  assert.equal(
    evaluate(times(constant(2n ** 100n), a), counting, () => 3),
    3n * 2n ** 100n,
  );
  assert.ok(steps <= 200);
});

test('tokens inside formal atoms are found, replaced and deleted', () => {
  const p = plus(times(a, delta(plus(b, c))), monus(b, c));
  assert.deepEqual(tokensOf(p), [0, 1, 2]);
  assert.equal(text(without(p, [2])), 'a·δ(b) + b');
  assert.equal(text(without(p, [1])), 'a·δ(c)');
  assert.equal(text(substitute(p, (x) => (x === 2 ? Polynomials.one : undefined))), 'a·δ(1 + b) + (b ∸ 1)');
});

test('substitution commutes with evaluation', () => {
  fc.assert(
    fc.property(
      any.polynomials,
      fc.array(any.counts, { minLength: 4, maxLength: 4 }),
      fc.subarray([0, 1, 2, 3]),
      (p, v, gone) => {
        const deleted = (x: number): number | bigint => (gone.includes(x) ? 0 : v[x]);
        assert.equal(
          evaluate(without(p, gone), Natural, (x) => v[x]),
          evaluate(p, Natural, deleted),
        );
      },
    ),
    { numRuns: runs },
  );
});

test('bulk sums give what adding one by one gives', () => {
  fc.assert(
    fc.property(fc.array(any.polynomials, { maxLength: 8 }), (list) => {
      assert.ok(Polynomials.equals(sum(list), list.reduce(plus, Polynomials.zero)));
    }),
    { numRuns: runs },
  );
  const total = new PolynomialSum();
  for (let i = 0; i < 5000; i++) total.add(token(i % 7));
  const first = total.result();
  total.add(a);
  assert.equal(text(first).slice(0, 14), '715·a + 715·b ');
  assert.equal(text(total.result()).slice(0, 5), '716·a');
  assert.equal(text(first).slice(0, 5), '715·a');
});

test('a polynomial of a million monomials is summed, read and shown cut', () => {
  const p = sum(Array.from({ length: 1_000_000 }, (_, i) => token((i * 7919) % 1_000_003)));
  assert.equal(size(p), 1_000_000);
  assert.equal(showPolynomial(p, names, { limit: 2 }), 'a + b + … 999,998 more monomials');
  assert.equal(showPolynomial(plus(a, b), names, { limit: 1 }), 'a + … 1 more monomial');
  assert.equal(
    evaluate(p, Natural, () => 1),
    1_000_000,
  );
});
