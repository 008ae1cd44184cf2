/**
 * Every homomorphism is held to its laws; evaluation commutes with them; the ladder of provenance has its
 * rungs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  lineageLabel,
  polynomialsToLin,
  polynomialsToPosBool,
  polynomialsToWhy,
  whyToPosBool,
  witnessLabel,
} from '../../semiring/homomorphisms.js';
import {
  Bool,
  BooleanPolynomials,
  type BoundedLattice,
  compose,
  evaluate,
  evaluation,
  Fuzzy,
  type Homomorphism,
  hierarchy,
  homomorphisms,
  Intervals,
  Lin,
  Lukasiewicz,
  labelLattice,
  Natural,
  Polynomials,
  PosBool,
  type Semiring,
  Sorp,
  semirings,
  Trio,
  Tropical,
  token,
  Viterbi,
  Why,
} from '../../semiring/index.js';
import * as any from './arbitraries.js';
import { assertHomomorphism, runs } from './laws.js';

const valuesOf = new Map<string, fc.Arbitrary<unknown>>([
  ['N[X]', any.polynomials],
  ['B[X]', any.expressions(BooleanPolynomials, token, { formal: true })],
  ['Trio', any.expressions(Trio, token, { formal: true })],
  ['Sorp', any.expressions(Sorp, token, { formal: true })],
  ['Why', any.witnesses],
  ['PosBool', any.witnesses.map(whyToPosBool.apply)],
  ['Lin', any.lineages],
  ['N', any.counts],
  ['formula', any.formulas],
]);

for (const h of homomorphisms) {
  test(`${h.name} is a homomorphism`, () => {
    const values = valuesOf.get(h.from.name);
    assert.ok(values, `no generator for ${h.from.name}`);
    assertHomomorphism(h, values);
  });
}

test('a valuation is a homomorphism out of N[X] into every semiring with ∸ and δ', () => {
  const into = <K>(semiring: Semiring<K>, values: fc.Arbitrary<K>): void => {
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 4, maxLength: 4 }),
        any.polynomials,
        any.polynomials,
        (v, p, q) => {
          const h = evaluation(semiring, (x) => v[x]);
          const { plus, times, monus, delta } = semiring;
          assert.ok(semiring.equals(h.apply(Polynomials.plus(p, q)), plus(h.apply(p), h.apply(q))), '+');
          assert.ok(semiring.equals(h.apply(Polynomials.times(p, q)), times(h.apply(p), h.apply(q))), '·');
          assert.ok(monus && Polynomials.monus && delta && Polynomials.delta);
          assert.ok(semiring.equals(h.apply(Polynomials.monus(p, q)), monus(h.apply(p), h.apply(q))), '∸');
          assert.ok(semiring.equals(h.apply(Polynomials.delta(p)), delta(h.apply(p))), 'δ');
        },
      ),
      { numRuns: runs, includeErrorInReport: true },
    );
  };
  into(Natural, any.counts);
  into(Bool, fc.boolean());
  into(Tropical, fc.nat({ max: 9 }));
  into(Fuzzy, any.confidences);
  into(Viterbi, fc.constantFrom(0, 0.5, 1));
  into(Lukasiewicz, any.confidences);
  into(Intervals, any.intervalSets);
  into(PosBool, any.witnesses.map(whyToPosBool.apply));
});

test('readings of labels through Lin and PosBool are homomorphisms', () => {
  const labels = any.labels;
  fc.assert(
    fc.property(fc.array(labels, { minLength: 4, maxLength: 4 }), any.witnesses, any.witnesses, (v, a, b) => {
      const pos = witnessLabel(labelLattice, (x) => v[x]);
      const [p, q] = [whyToPosBool.apply(a), whyToPosBool.apply(b)];
      assert.ok(pos.to.equals(pos.apply(PosBool.plus(p, q)), pos.to.plus(pos.apply(p), pos.apply(q))));
      assert.ok(pos.to.equals(pos.apply(PosBool.times(p, q)), pos.to.times(pos.apply(p), pos.apply(q))));
    }),
    { numRuns: runs },
  );
  const fixed = fc.sample(labels, { numRuns: 4, seed: 7 });
  assertHomomorphism(
    lineageLabel(labelLattice, (x) => fixed[x]),
    any.lineages,
  );
});

test('the precision ladder: Lin is at least as restrictive as PosBool', () => {
  const ladder = <L>(lattice: BoundedLattice<L>, values: fc.Arbitrary<L>): void => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 4, maxLength: 4 }), any.plainPolynomials, (v, p) => {
        const low = witnessLabel(lattice, (x) => v[x]).apply(polynomialsToPosBool.apply(p));
        const high = lineageLabel(lattice, (x) => v[x]).apply(polynomialsToLin.apply(p));
        if (high === null) assert.equal(p.length, 0);
        else assert.ok(lattice.atMost(low, high));
      }),
      { numRuns: runs },
    );
  };
  ladder(labelLattice, any.labels);
});

test('paths down the ladder meet: N[X] to PosBool directly and through Why agree', () => {
  const through: Homomorphism<
    Parameters<typeof polynomialsToWhy.apply>[0],
    ReturnType<typeof whyToPosBool.apply>
  > = compose(whyToPosBool, polynomialsToWhy);
  assert.equal(through.name, 'Why → PosBool ∘ N[X] → Why');
  fc.assert(
    fc.property(any.plainPolynomials, (p) => {
      assert.ok(PosBool.equals(through.apply(p), polynomialsToPosBool.apply(p)));
      const sorp = evaluate(p, Sorp, token);
      assert.ok(PosBool.equals(polynomialsToPosBool.apply(sorp), polynomialsToPosBool.apply(p)));
      assert.equal(evaluate(p, Lin, (x) => [x]) === null, evaluate(p, Why, (x) => [[x]]).length === 0);
    }),
    { numRuns: runs },
  );
});

test('the hierarchy names registered semirings, and every step between provenance semirings has its homomorphism', () => {
  const maps = new Set(homomorphisms.map((h) => `${h.from.name} → ${h.to.name}`));
  const needsValuation = new Set(['tropical', 'Viterbi', 'labels', 'labels-alternative']);
  for (const { from, to } of hierarchy) {
    assert.ok(semirings.has(from), from);
    assert.ok(semirings.has(to), to);
    if (!needsValuation.has(to)) assert.ok(maps.has(`${from} → ${to}`), `${from} → ${to}`);
  }
});
