/**
 * Every semiring and every lattice is held to its laws, flags both ways, and its kernel to its operations.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tokenValue } from '../../semiring/contract/token-value.js';
import {
  alternative,
  alternativeConfidentiality,
  alternativeIntegrity,
  alternativeLabels,
  alternativeLabelsOver,
  alternativeReaders,
  Bool,
  BooleanPolynomials,
  chainLattice,
  confidentialityLattice,
  conservative,
  conservativeConfidentiality,
  conservativeIntegrity,
  conservativeLabels,
  conservativeReaders,
  Formula,
  Fuzzy,
  Integers,
  Intervals,
  integrityLattice,
  Lin,
  Lukasiewicz,
  labelLattice,
  labelLatticeOver,
  labelsOver,
  MaxPlus,
  Natural,
  Polynomials,
  PosBool,
  productLattice,
  readersLattice,
  readersLatticeOver,
  type Semiring,
  Sorp,
  semirings,
  Trio,
  Tropical,
  token,
  top,
  Viterbi,
  Why,
} from '../../semiring/index.js';
import { accessControl } from '../../semiring/instances/access-control.js';
import { product } from '../../semiring/instances/product.js';
import * as any from './arbitraries.js';
import { assertLattice, assertSemiringLaws, assertTokenLaws } from './laws.js';

const chain = ['public', 'confidential', 'secret', 'top secret'];
const maybe = <L>(values: fc.Arbitrary<L>): fc.Arbitrary<L | null> =>
  fc.option(values, { nil: null, freq: 6 });

test('Boolean', () => assertSemiringLaws(Bool, fc.boolean()));
test('N', () => assertSemiringLaws(Natural, any.counts));
test('Z', () => assertSemiringLaws(Integers, any.integers));
test('N[X] with formal ∸ and δ', () =>
  assertSemiringLaws(Polynomials, any.polynomials, { formalMonus: true }));
test('B[X]', () =>
  assertSemiringLaws(BooleanPolynomials, any.expressions(BooleanPolynomials, token, { formal: true })));
test('Trio', () =>
  assertSemiringLaws(Trio, any.expressions(Trio, token, { formal: true }), { formalMonus: true }));
test('Sorp', () => assertSemiringLaws(Sorp, any.expressions(Sorp, token, { formal: true })));
test('Why', () => assertSemiringLaws(Why, any.witnesses));
test('PosBool', () =>
  assertSemiringLaws(
    PosBool,
    any.witnesses.map((w) => PosBool.plus(w, PosBool.zero)).map((w) => PosBool.times(w, w)),
  ));
test('Lin', () => assertSemiringLaws(Lin, any.lineages));
test('tropical', () => assertSemiringLaws(Tropical, any.costs));
test('max-plus', () => assertSemiringLaws(MaxPlus, any.gains));
test('Viterbi', () => assertSemiringLaws(Viterbi, any.confidences));
test('fuzzy', () => assertSemiringLaws(Fuzzy, any.confidences));
test('Lukasiewicz', () => assertSemiringLaws(Lukasiewicz, any.confidences));
test('intervals', () => assertSemiringLaws(Intervals, any.intervalSets));
test('formula', () =>
  assertSemiringLaws(Formula, any.formulas, { formalMonus: true, noCanonicalForm: true }));
test('access control over four levels', () =>
  assertSemiringLaws(accessControl(chain), fc.constantFrom(...chain, '0')));
test('access control over one level', () =>
  assertSemiringLaws(accessControl(['known']), fc.constantFrom('known', '0')));
test('products', () => {
  assertSemiringLaws(product(Natural, Tropical), fc.tuple(any.counts, any.costs));
  assertSemiringLaws(product(Bool, Intervals), fc.tuple(fc.boolean(), any.intervalSets));
  assertSemiringLaws(
    product(Natural, Integers),
    fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: -2, max: 2 })),
  );
});

test('every registered semiring says what a token is, and a wrong word of it is found', () => {
  for (const { semiring } of semirings.values()) {
    assertTokenLaws(semiring);
    assert.ok(tokenValue(semiring), semiring.name);
  }
  const wrong: readonly Semiring<unknown>[] = [
    { ...Why, indeterminate: () => [[1]] } as Semiring<unknown>,
    { ...Why, indeterminate: (x: number) => [[x + 1]] } as Semiring<unknown>,
    { ...Lin, indeterminate: (x: number) => [x, x] } as Semiring<unknown>,
    { ...Why, indeterminate: undefined } as Semiring<unknown>,
    { ...conservativeIntegrity, ofLabel: () => 'T' } as Semiring<unknown>,
    { ...alternativeLabels, ofLabel: () => top } as Semiring<unknown>,
    { ...Bool, ofLabel: () => true } as Semiring<unknown>,
  ];
  for (const [i, semiring] of wrong.entries()) assert.throws(() => assertTokenLaws(semiring), `${i}`);
});

test('integrity and confidentiality', () => {
  assertLattice(integrityLattice, any.integrities);
  assertSemiringLaws(conservativeIntegrity, maybe(any.integrities));
  assertSemiringLaws(alternativeIntegrity, any.integrities);
  const levels = fc.constantFrom<'L' | 'H'>('L', 'H');
  assertLattice(confidentialityLattice, levels);
  assertSemiringLaws(conservativeConfidentiality, maybe(levels));
  assertSemiringLaws(alternativeConfidentiality, levels);
});

test('readers, over an open and over a known universe', () => {
  assertLattice(readersLattice, any.readers);
  assertLattice(readersLatticeOver(any.principals), any.readers);
  assertSemiringLaws(conservativeReaders, maybe(any.readers));
  assertSemiringLaws(alternativeReaders, any.readers);
  assertSemiringLaws(conservative(readersLatticeOver(any.principals)), maybe(any.readers));
});

test('labels, over an open and over a known universe', () => {
  assertLattice(labelLattice, any.labels);
  assertLattice(labelLatticeOver(any.principals), any.labels);
  assertSemiringLaws(conservativeLabels, maybe(any.labels));
  assertSemiringLaws(alternativeLabels, any.labels);
  assertSemiringLaws(labelsOver(any.principals), maybe(any.labels));
  assertSemiringLaws(alternativeLabelsOver(any.principals), any.labels);
});

test('labels over exactly 30 principals use all 32 bits', () => {
  const universe = Array.from({ length: 30 }, (_, i) => `p${i}`);
  const labels = fc.record({
    integrity: any.integrities,
    readers: fc.oneof(
      fc.constant('everyone' as const),
      fc.subarray(universe).map((set) => new Set(set)),
    ),
  });
  assertLattice(labelLatticeOver(universe), labels);
  assertSemiringLaws(labelsOver(universe), maybe(labels));
  assertSemiringLaws(alternativeLabelsOver(universe), labels);
});

test('chains of any length, and products of lattices', () => {
  for (const length of [1, 2, 5, 32, 33, 40]) {
    const levels = Array.from({ length }, (_, i) => `l${i}`);
    const lattice = chainLattice(`chain of ${length}`, levels);
    assertLattice(lattice, fc.constantFrom(...levels));
  }
  const levels = chainLattice('clearance', chain);
  const pair = productLattice(levels, readersLatticeOver(any.principals));
  const values = fc.tuple(fc.constantFrom(...chain), any.readers);
  assertLattice(pair, values);
  assertSemiringLaws(conservative(pair), maybe(values));
  assertSemiringLaws(alternative(pair), values);
});
