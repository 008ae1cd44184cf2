/**
 * What callers hand over is checked: semirings by shape, values by the carrier, labels at the door; kernels
 * refuse what `contains` does.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkSemiring, checkValue } from '../../semiring/contract/carrier.js';
import type { Growth } from '../../semiring/contract/semiring.js';
import {
  accessControl,
  Bool,
  Formula,
  kernelOf,
  Lin,
  labelLatticeOver,
  Natural,
  type Polynomials,
  type Semiring,
  semirings,
  Viterbi,
  Why,
} from '../../semiring/index.js';
import { product } from '../../semiring/instances/product.js';
import { checkLabel, checkReaders } from '../../semiring/label/check-label.js';
import * as any from './arbitraries.js';
import { runs } from './laws.js';

const refuses = (run: () => unknown, code: string, message: RegExp): void =>
  assert.throws(run, (error: Error & { code?: string }) => {
    assert.equal(error.code, code, error.stack);
    assert.match(error.message, message);
    return true;
  });

test('a label that is none is refused with the path and what would be right', () => {
  const cases: [unknown, RegExp][] = [
    [
      { integrity: 'u', readers: 'everyone' },
      /^the label: integrity must be 'T'.* not text "u"; did you mean 'U'\?$/,
    ],
    [{ integrity: 'untrusted', readers: 'everyone' }, /did you mean 'U'\?/],
    [
      { integrity: 'T', readers: 'ann' },
      /readers must be .* not text "ann"; for one reader give new Set\(\["ann"\]\)/,
    ],
    [{ integrity: 'T', readers: ['ann'] }, /not a list; for a list give new Set\(list\)/],
    [{ integrity: 'T', readers: new Set(['ann', 3]) }, /readers must be .* and has 3 in it/],
    [{ integrity: 'U' }, /readers must be .* not undefined/],
    [{ readers: 'everyone' }, /integrity must be .* not undefined/],
    ['U', /^the label must be an object such as .* not text "U"$/],
    [null, /not null/],
    [Object.create(null), /integrity/],
    [new Proxy({}, { get: () => Symbol('x') }), /integrity must be .* not a symbol/],
  ];
  for (const [label, message] of cases) refuses(() => checkLabel(label), 'semiring/bad-label', message);
  const label = { integrity: 'U', readers: new Set(['ann']) } as const;
  const checked = checkLabel(label);
  label.readers.add('eve');
  assert.deepEqual(checked, { integrity: 'U', readers: new Set(['ann']) });
  assert.equal(checkReaders('everyone'), 'everyone');
});

test('a semiring is known by its shape, and what is missing is named', () => {
  const { kernel } = Natural;
  const cases: [unknown, RegExp][] = [
    [null, /must be an object, not null/],
    ['N', /not text "N"; semiringNamed/],
    [{ name: 'x' }, /the semiring "x" has no zero/],
    [{}, /name must be text, not undefined/],
    [{ ...Natural, one: undefined }, /has no one/],
    [{ ...Natural, times: 3 }, /has no function times \(it is 3\)/],
    [{ ...Natural, monus: true }, /monus must be a function, not true/],
    [{ ...Natural, reads: 'labels' }, /reads must be 'derivation' or 'dependency'/],
    [{ ...Natural, kernel: { ...kernel, sumBy: undefined } }, /"N": kernel has no function sumBy/],
    [{ ...Natural, kernel: { ...kernel, zero: '0' } }, /kernel.zero must be a number/],
  ];
  for (const [semiring, message] of cases)
    refuses(() => checkSemiring(semiring), 'semiring/not-a-semiring', message);
  for (const { semiring } of semirings.values()) checkSemiring(semiring);
  class Instance implements Semiring<boolean> {
    readonly name = 'instance';
    readonly zero = false;
    readonly one = true;
    plus = Bool.plus;
    times = Bool.times;
    equals(a: boolean, b: boolean): boolean {
      return a === b;
    }
  }
  checkSemiring(new Instance());
});

test('a value from outside of the carrier is named with its token and semiring', () => {
  const cases: [Semiring<never>, unknown, RegExp][] = [
    [Natural as Semiring<never>, -1, /token 7 the value -1, which the semiring N does not hold$/],
    [Natural as Semiring<never>, '3', /the value text "3", .*; give the number 3$/],
    [Natural as Semiring<never>, 3n, /the value 3n, .*; give the number 3$/],
    [Natural as Semiring<never>, Number.NaN, /NaN/],
    [Viterbi as Semiring<never>, 2, /the value 2, which the semiring Viterbi/],
    [Viterbi as Semiring<never>, Promise.resolve(0.5), /a promise/],
    [Viterbi as Semiring<never>, 'x'.repeat(10_000_000), /the value text "x{40}…"/],
    [Bool as Semiring<never>, 'false', /text "false"/],
  ];
  for (const [semiring, value, message] of cases)
    refuses(() => checkValue(semiring, 7, value as never), 'semiring/not-in-carrier', message);
});

/** Whatever a careless caller may give. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true }),
  fc.double(),
  fc.constantFrom<unknown>(
    -1,
    1.5,
    2,
    '3',
    'u',
    'T',
    'L',
    'everyone',
    'secret',
    null,
    undefined,
    true,
    2n ** 60n,
  ),
  fc.constantFrom<unknown>([], ['ann'], new Set(['ann']), new Set([1]), Symbol('x'), -0, 2 ** 53),
  fc.record({
    integrity: fc.constantFrom<unknown>('T', 'U', 'u', undefined, 1),
    readers: fc.constantFrom<unknown>('everyone', 'ann', ['ann'], new Set(['ann']), new Set([2]), null),
  }),
);

test('a kernel that says so has no code for what the semiring does not hold', () => {
  const known = [...semirings.values()].map(({ semiring }) => semiring).filter(({ kernel }) => kernel);
  assert.ok(known.length >= 10);
  for (const { name, kernel, contains } of known) {
    assert.ok(kernel?.checksCarrier && contains, name);
    fc.assert(
      fc.property(junk, (value) => Number.isNaN(kernel.encode(value)) || contains(value)),
      { numRuns: runs },
    );
  }
  const { masks, contains } = labelLatticeOver(['ann', 'bob']);
  assert.ok(masks?.checksCarrier && contains);
  fc.assert(
    fc.property(junk, (value) => Number.isNaN(masks.encode(value as never)) || contains(value)),
    { numRuns: runs },
  );
});

test('whether a value is in the carrier is answered for whatever it is', () => {
  for (const { semiring, valuation } of semirings.values()) {
    const { name, contains, zero, one } = semiring;
    if (name === 'formula') continue;
    assert.ok(contains, name);
    for (const value of [zero, one, valuation(3)]) assert.equal(contains(value), true, name);
    fc.assert(
      fc.property(junk, (value) => typeof contains(value) === 'boolean'),
      { numRuns: runs },
    );
  }
  const of = (name: string) => semirings.get(name)?.semiring.contains ?? assert.fail(name);
  for (const wrong of ['x', 3, [3], [[2, 1]], [[1, 1]], [[-1]], [[1], [0]], [[0.5]], null]) {
    assert.equal(of('Why')(wrong), false);
    assert.equal(of('N[X]')(wrong), false);
  }
  assert.equal(of('PosBool')([[0], [0, 1]]), false);
  assert.equal(of('Why')([[0], [0, 1]]), true);
  const monomial = (coefficient: number, exponent: number) => [
    { coefficient, atoms: [1], exponents: [exponent] },
  ];
  assert.deepEqual(
    ['N[X]', 'Trio', 'B[X]', 'Sorp'].map((name) => [of(name)(monomial(2, 1)), of(name)(monomial(1, 2))]),
    [
      [true, true],
      [true, false],
      [false, true],
      [false, true],
    ],
  );
});

test('a kernel of scalar functions does not claim to check', () => {
  const { array, zero, one } = { array: Float64Array, zero: 0, one: 1 } as const;
  const plain = { array, zero, one, encode: (x: number) => x, decode: (x: number) => x, plus: Math.max };
  assert.equal(kernelOf({ ...plain, times: Math.min }).checksCarrier, false);
});

test('sizes bound sums and products', () => {
  const holds = <K>(semiring: Semiring<K>, values: fc.Arbitrary<K>): void => {
    const { growth } = semiring as { growth?: Growth<K> };
    assert.ok(growth, semiring.name);
    const most = growth.product ?? ((a: number, b: number) => a * b);
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [x, y] = [growth.size(a), growth.size(b)];
        assert.ok(growth.size(semiring.plus(a, b)) <= x + y);
        assert.ok(growth.size(semiring.times(a, b)) <= most(x, y));
      }),
      { numRuns: runs },
    );
  };
  for (const name of ['N[X]', 'B[X]', 'Trio', 'Sorp']) {
    const semiring = semirings.get(name)?.semiring as Semiring<typeof Polynomials.zero>;
    holds(
      semiring,
      any.expressions(semiring, (x) => [{ coefficient: 1, atoms: [x], exponents: [1] }], { formal: false }),
    );
  }
  holds(Why, any.witnesses);
  holds(Lin, any.lineages);
  holds(Formula, any.formulas);
  holds(product(Why, Natural), fc.tuple(any.witnesses, fc.nat()));
  assert.equal(product(Natural, Viterbi).growth, undefined);
  assert.equal(accessControl(['a']).growth, undefined);
});
