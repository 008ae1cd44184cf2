/** The parts of the algebra that are no laws: makers that check their input, the registry, sizes, texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCounts, count, multiplyCounts, subtractCounts } from '../../semiring/contract/count.js';
import { requireLaw } from '../../semiring/contract/require.js';
import {
  accessControl,
  alternative,
  type BoundedLattice,
  chainLattice,
  conservativeLabels,
  Formula,
  Intervals,
  intervals,
  kernelOf,
  labelLatticeOver,
  labelsOver,
  minimalWitnesses,
  Natural,
  PosBool,
  type Semiring,
  SemiringError,
  semiringNamed,
  semirings,
  show,
  showFormula,
  Why,
  witness,
} from '../../semiring/index.js';
import { subtractIntegers } from '../../semiring/instances/integers.js';
import { product } from '../../semiring/instances/product.js';
import { witnessCount } from '../../semiring/instances/why.js';
import { formulaOf } from '../../semiring/polynomial/formula.js';
import * as any from './arbitraries.js';
import { assertKernelAgrees } from './laws.js';

const refuses = (run: () => unknown, code: string, message: RegExp): void => {
  assert.throws(
    run,
    (error) => error instanceof SemiringError && error.code === code && message.test(error.message),
  );
};

test('counts stay numbers up to 2^53 - 1 and are exact beyond', () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(addCounts(most, 0), most);
  assert.equal(addCounts(most, 1), 2n ** 53n);
  assert.equal(multiplyCounts(most, 2), 2n ** 54n - 2n);
  assert.equal(subtractCounts(2n ** 53n, 1), most);
  assert.equal(subtractCounts(1, 2n ** 53n), 0);
  assert.equal(subtractIntegers(1, 2n ** 53n), -most);
  assert.ok(Object.is(multiplyCounts(-1, 0), 0));
  assert.equal(count(5n), 5);
});

test('the kernel of N says when it is no longer exact', () => {
  const { kernel } = Natural;
  assert.ok(kernel?.exact && kernel.monus);
  const big = kernel.allocate(2).fill(2 ** 52);
  const out = kernel.allocate(1).fill(kernel.zero);
  kernel.sumBy(out, new Int32Array(2), big, 2);
  assert.equal(kernel.exact(out, 1), false);
  // 2^53 ∸ 2^52 would look exact: it must not.
  const difference = kernel.allocate(1);
  kernel.monus(difference, out, big, 1);
  assert.equal(kernel.exact(difference, 1), false);
  assert.ok(Number.isNaN(kernel.encode(2n ** 53n)));
});

test('a semiring of six members gets a kernel in a few lines', () => {
  const bottleneck: Semiring<number> = {
    name: 'bottleneck',
    zero: 0,
    one: Number.POSITIVE_INFINITY,
    plus: Math.max,
    times: Math.min,
    equals: Object.is,
    kernel: kernelOf<number>({
      array: Float64Array,
      zero: 0,
      one: Number.POSITIVE_INFINITY,
      encode: (value) => value,
      decode: (code) => code,
      plus: Math.max,
      times: Math.min,
    }),
  };
  assertKernelAgrees(bottleneck, any.costs);
});

test('witnesses are counted, and reduced to minimal ones', () => {
  // {a}, {a, b}, {b, c}: the second contains the first.
  const w = Why.plus(Why.plus(witness(0), witness(0, 1)), witness(2, 1));
  assert.equal(witnessCount(w), 3);
  assert.equal(show(Why, w), '{{x0}, {x0, x1}, {x1, x2}}');
  assert.equal(show(PosBool, minimalWitnesses(w)), '{{x0}, {x1, x2}}');
});

test('fifty thousand witnesses with a common token are reduced without comparing all pairs', () => {
  const many = Array.from({ length: 50_000 }, (_, i) => [0, i + 1]);
  assert.equal(minimalWitnesses(many).length, 50_000);
});

test('formulas keep their factors and need few brackets', () => {
  const [a, b, c] = [0, 1, 2].map(formulaOf);
  const f = Formula.times(a, Formula.plus(b, Formula.plus(c, Formula.one)));
  assert.equal(
    showFormula(f, (x) => 'abc'[x]),
    'a·(b + c + 1)',
  );
  assert.equal(show(Formula, Formula.delta?.(Formula.monus?.(f, b) ?? f) ?? f), 'δ((x0·(x1 + x2 + 1) ∸ x1))');
});

test('intervals are merged, and refused where empty', () => {
  assert.equal(show(Intervals, intervals([1, 3], [3, 5], [7, Number.POSITIVE_INFINITY])), '[1, 5) ∪ [7, ∞)');
  refuses(() => intervals([2, 2]), 'semiring/bad-interval', /\[2, 2\) is empty/);
  assert.equal(
    Intervals.contains?.([
      [1, 2],
      [2, 3],
    ]),
    false,
  );
  assert.equal(Intervals.contains?.([['a', 'b']]), false);
});

test('levels must be distinct, and values must be levels', () => {
  refuses(() => accessControl(['a', 'a']), 'semiring/bad-levels', /distinct/);
  refuses(() => accessControl([]), 'semiring/bad-levels', /one or more/);
  refuses(() => accessControl(['a', '0']), 'semiring/bad-levels', /other than '0'/);
  refuses(() => accessControl(['a', 'b']).plus('a', 'c'), 'semiring/not-in-carrier', /'c' is no level/);
  refuses(() => chainLattice('x', ['a', 'a']), 'semiring/bad-levels', /distinct/);
});

test('a product of two ways to read difference is refused', () => {
  refuses(() => product(Natural, conservativeLabels), 'semiring/mixed-reads', /N and labels/);
});

test('a lattice that is not distributive has no alternative reading', () => {
  // M3: three incomparable elements between bottom and top.
  const m3: BoundedLattice<string> = {
    name: 'M3',
    bottom: '0',
    top: '1',
    join: (a, b) => (a === b || b === '0' ? a : a === '0' ? b : '1'),
    meet: (a, b) => (a === b || b === '1' ? a : a === '1' ? b : '0'),
    equals: (a, b) => a === b,
    atMost: (a, b) => a === b || a === '0' || b === '1',
    show: (a) => a,
  };
  refuses(() => alternative(m3), 'semiring/not-distributive', /M3 .* use conservative/);
});

test('labels over a universe have a kernel up to 30 principals; names are not repeated', () => {
  const universe = (n: number): string[] => Array.from({ length: n }, (_, i) => `p${i}`);
  assert.ok(labelsOver([]).kernel);
  assert.ok(labelsOver(universe(30)).kernel);
  assert.equal(labelsOver(universe(31)).kernel, undefined);
  refuses(() => labelLatticeOver(['a', 'a']), 'semiring/bad-universe', /twice/);
  const { kernel } = labelsOver(['alice']);
  // A reader from outside of the universe has no mask.
  assert.ok(Number.isNaN(kernel?.encode({ integrity: 'T', readers: new Set(['mallory']) })));
});

test('every registered semiring is found by its name, and its example valuation is in its carrier', () => {
  assert.equal(semirings.size, 26);
  for (const [name, { semiring, doc, valuation }] of semirings) {
    assert.equal(semiringNamed(name.toUpperCase()).semiring, semiring);
    assert.ok(doc.length > 60, name);
    assert.ok(semiring.contains?.(valuation(0)) ?? true, name);
    assert.ok(semiring.equals(semiring.times(valuation(0), semiring.one), valuation(0)), name);
  }
  refuses(() => semiringNamed('tropcal'), 'semiring/unknown-name', /did you mean "tropical"/);
  refuses(() => semiringNamed('\u001b[2J'), 'semiring/unknown-name', /no semiring "\\u001b\[2J"/);
});

test('a reading that needs a law refuses a semiring that does not declare it', () => {
  requireLaw(PosBool, 'absorptive', 'the ladder');
  refuses(
    () => requireLaw(Why, 'absorptive', 'the ladder'),
    'semiring/missing-law',
    /the ladder needs a \+ a·b = a \(absorptive\), which the semiring Why does not declare/,
  );
});
