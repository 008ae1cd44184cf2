/**
 * Generators of values of every semiring. Carriers are kept small and dense (four tokens, few levels, dyadic
 * rationals), so that equal values, absorption and the refutations of laws are met often and doubles do not
 * round.
 */
import fc from 'fast-check';
import type { Count } from '../../semiring/contract/count.js';
import { count } from '../../semiring/contract/count.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { type IntervalSet, Intervals, intervals } from '../../semiring/instances/intervals.js';
import type { Lineage } from '../../semiring/instances/lin.js';
import type { Witnesses } from '../../semiring/instances/witness.js';
import { witnessSet } from '../../semiring/instances/witness.js';
import type { Integrity, Label, Readers } from '../../semiring/label/label.js';
import { type Formula, Formula as Formulas, formulaOf } from '../../semiring/polynomial/formula.js';
import { type Polynomial, Polynomials, sum, token } from '../../semiring/polynomial/polynomial.js';

export const tokens = fc.nat({ max: 3 });

/**
 * Expressions built by the operations of a semiring from tokens: `formal` with ∸ and δ, else with + and ·
 * alone.
 */
export function expressions<K>(
  semiring: Semiring<K>,
  leaf: (token: number) => K,
  options: { readonly formal: boolean },
): fc.Arbitrary<K> {
  const { tree } = fc.letrec<{ tree: K }>((tie) => {
    const pair = fc.tuple(tie('tree'), tie('tree'));
    const leaves = fc.oneof(
      { weight: 6, arbitrary: tokens.map(leaf) },
      fc.constantFrom(semiring.zero, semiring.one),
    );
    const nodes = [
      leaves,
      pair.map(([a, b]) => semiring.plus(a, b)),
      pair.map(([a, b]) => semiring.times(a, b)),
      ...(options.formal
        ? [
            pair.map(([a, b]) => semiring.monus?.(a, b) ?? a),
            tie('tree').map((a) => semiring.delta?.(a) ?? a),
          ]
        : []),
    ];
    return { tree: fc.oneof({ maxDepth: 3, depthIdentifier: semiring.name }, ...nodes) };
  });
  return tree;
}

/** Polynomials without formal atoms. */
export const plainPolynomials: fc.Arbitrary<Polynomial> = fc
  .array(fc.array(tokens, { maxLength: 3 }), { maxLength: 4 })
  .map((monomials) => sum(monomials.map((m) => m.map(token).reduce(Polynomials.times, Polynomials.one))));

/** Polynomials with formal atoms. */
export const polynomials: fc.Arbitrary<Polynomial> = fc.oneof(
  plainPolynomials,
  expressions(Polynomials, token, { formal: true }),
);

export const formulas: fc.Arbitrary<Formula> = expressions(Formulas, formulaOf, { formal: true });

export const witnesses: fc.Arbitrary<Witnesses> = fc
  .array(fc.uniqueArray(tokens, { maxLength: 3 }), { maxLength: 4 })
  .map((sets) => witnessSet(sets.map((set) => set.sort((a, b) => a - b))));

export const lineages: fc.Arbitrary<Lineage> = fc.option(
  fc.uniqueArray(tokens).map((set) => set.sort((a, b) => a - b)),
  { nil: null, freq: 5 },
);

/** Small ones, and ones on both sides of 2^53. */
export const counts: fc.Arbitrary<Count> = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 5 }) },
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(count),
  fc.bigInt({ min: 0n, max: 2n ** 80n }).map(count),
);

export const integers: fc.Arbitrary<Count> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -4, max: 4 }) },
  counts,
  counts.map((n) => (typeof n === 'number' ? (n === 0 ? 0 : -n) : -n)),
);

/** Multiples of 1/4, and ∞. */
export const costs = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 40 }).map((n) => n / 4) },
  fc.constant(Number.POSITIVE_INFINITY),
);

export const gains = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -40, max: 40 }).map((n) => n / 4 + 0) },
  fc.constant(Number.NEGATIVE_INFINITY),
);

/** Multiples of 1/16: products of three are exact. */
export const confidences = fc.nat({ max: 16 }).map((n) => n / 16);

export const intervalSets: fc.Arbitrary<IntervalSet> = fc
  .array(
    fc.tuple(
      fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 1, 2, 3),
      fc.constantFrom(1, 2, 3, 4, Number.POSITIVE_INFINITY),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => intervals(...pairs.filter(([from, to]) => from < to)))
  .filter((set) => Intervals.contains?.(set) === true);

export const integrities = fc.constantFrom<Integrity>('T', 'U');
export const principals = ['alice', 'bob', 'carol'];
/** Mostly of the universe `principals`; now and then with a stranger to it. */
export const readers: fc.Arbitrary<Readers> = fc.oneof(
  fc.constant<Readers>('everyone'),
  { weight: 4, arbitrary: fc.subarray(principals).map((set): Readers => new Set(set)) },
  fc.subarray(principals).map((set): Readers => new Set([...set, 'mallory'])),
);
export const labels: fc.Arbitrary<Label> = fc.record({ integrity: integrities, readers });
