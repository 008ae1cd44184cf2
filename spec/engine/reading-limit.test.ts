/**
 * A reading whose values grow ends in an error at the limit, before memory is full; it gives what the
 * unlimited one gives below it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Node } from '../../engine/provenance/circuit.js';
import { ReadingLimitError, read, readGenerically } from '../../engine/provenance/read.js';
import {
  BooleanPolynomials,
  Lin,
  Natural,
  Polynomials,
  PosBool,
  type Semiring,
  Sorp,
  Trio,
  token,
  Why,
  witness,
} from '../../semiring/index.js';
import { product } from '../../semiring/instances/product.js';
import { runs } from '../runs.js';

const tokens = (rows: number): Node => ({ kind: 'range', rows, first: 0 });
const sumOf = (child: Node): Node => ({ kind: 'sumBy', rows: 1, group: new Int32Array(child.rows), child });
const times = (...children: Node[]): Node => ({ kind: 'times', rows: children[0].rows, children });

const growing: [Semiring<unknown>, (token: number) => unknown][] = [
  [Polynomials as Semiring<unknown>, token],
  [BooleanPolynomials as Semiring<unknown>, token],
  [Trio as Semiring<unknown>, token],
  [Sorp as Semiring<unknown>, token],
  [Why as Semiring<unknown>, (x) => witness(x)],
];

test('a row of 10^9 derivations is refused with its number, its size and what to do', () => {
  const sum = sumOf(tokens(1000));
  for (const [semiring, valuation] of growing) {
    assert.throws(
      () => read(times(sum, sum, sum), semiring, valuation, undefined, { limit: 10_000 }),
      (error) => {
        assert.ok(error instanceof ReadingLimitError);
        assert.deepEqual([error.code, error.row, error.bound], ['engine/reading-limit', 0, 1e9]);
        assert.match(
          error.message,
          /^row 0: .* up to 1,000,000,000 \w+, and the limit is 10,000; .*expand\(row, limit\).*PosBool/,
        );
        return true;
      },
    );
  }
  // What keeps little is read.
  assert.equal(read(times(sum, sum, sum), PosBool, (x) => witness(x)).at(0).length, 1000);
  assert.equal(read(times(sum, sum, sum), Lin, (x) => [x]).at(0)?.length, 1000);
  assert.equal(read(times(sum, sum, sum), Natural, () => 1).at(0), 1e9);
});

test('the row that is too big is named among others', () => {
  // Rows 0 and 2 are tokens, row 1 is a square.
  const square = times(sumOf(tokens(100)), sumOf(tokens(100)));
  const all: Node = { kind: 'concat', rows: 3, children: [tokens(1), square, tokens(1)] };
  assert.throws(
    () => read(all, Why, (x) => witness(x), undefined, { limit: 1000 }),
    (error) =>
      error instanceof ReadingLimitError &&
      error.row === 1 &&
      /^row 1: .*10,000 witnesses/.test(error.message),
  );
});

test('all rows together have a limit too, and rows of few parts do not count', () => {
  const rows = 100;
  const sums: Node = {
    kind: 'sumBy',
    rows,
    group: Int32Array.from({ length: rows * 50 }, (_, i) => i % rows),
    child: tokens(rows * 50),
  };
  assert.equal(read(sums, Lin, (x) => [x], undefined, { limit: 2500 }).length, rows);
  assert.throws(() => read(sums, Lin, (x) => [x], undefined, { limit: 2000 }), /all rows together/);
  const many = times(tokens(10_000), tokens(10_000));
  assert.equal(read(many, Polynomials, token, undefined, { limit: 10 }).length, 10_000);
});

test('both sides of a product of semirings are limited', () => {
  const sum = sumOf(tokens(100));
  const both = product(Natural, Why);
  const valuation = (x: number) => [1, witness(x)] as const;
  assert.equal(read(times(sum, sum), both, valuation).at(0)[0], 10_000);
  assert.throws(() => read(times(sum, sum), both, valuation, undefined, { limit: 5000 }), ReadingLimitError);
});

test('the size under δ and in ∸ counts', () => {
  const sum = sumOf(tokens(100));
  const delta: Node = { kind: 'delta', rows: 1, child: times(sum, sum) };
  const monus: Node = { kind: 'monus', rows: 1, left: times(sum, sum), right: tokens(1) };
  for (const node of [delta, monus]) {
    assert.throws(
      () => read(node, Polynomials, token, undefined, { limit: 5000 }),
      (error) => error instanceof ReadingLimitError && error.bound >= 10_000,
    );
  }
});

test('below the limit a reading is what it is without', () => {
  const circuits: fc.Arbitrary<Node> = fc
    .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 })
    .map((sizes) => times(...sizes.map((size) => sumOf(tokens(size)))));
  fc.assert(
    fc.property(circuits, fc.integer({ min: 1, max: 300 }), (node, limit) => {
      for (const [semiring, valuation] of growing) {
        const [whole] = readGenerically(node, semiring, valuation);
        try {
          assert.ok(semiring.equals(readGenerically(node, semiring, valuation, { limit })[0], whole));
        } catch (error) {
          assert.ok(error instanceof ReadingLimitError, String(error));
          assert.ok(error.bound > limit || 6 ** 3 > limit);
        }
      }
    }),
    { numRuns: runs(50) },
  );
});
