/**
 * The laws of semirings, lattices and homomorphisms as functions, to be called once an instance. A flag that
 * an instance does not declare must be refuted by a counterexample, so flags are exact both ways; where the
 * generator cannot find one, the caller says so by name.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { multiple } from '../../semiring/contract/fold.js';
import type { Homomorphism } from '../../semiring/contract/homomorphism.js';
import { requireIndeterminate } from '../../semiring/contract/require.js';
import { type Laws, type Semiring, show } from '../../semiring/contract/semiring.js';
import { product } from '../../semiring/instances/product.js';
import { bottom, joinLabels, type Label, showLabel, top } from '../../semiring/label/label.js';
import type { BoundedLattice } from '../../semiring/label/lattice.js';
import { evaluate, Polynomials, token } from '../../semiring/polynomial/polynomial.js';
import { runs as times } from '../runs.js';
import { expressions, labels } from './arbitraries.js';

/** Runs of a property. */
export const runs = times(150);

export type Law<K> = (semiring: Semiring<K>, a: K, b: K, c: K) => boolean;

/** What every semiring must satisfy. */
function mustLaws<K>(): Record<string, Law<K>> {
  return {
    'a + b = b + a': (s, a, b) => s.equals(s.plus(a, b), s.plus(b, a)),
    '(a + b) + c = a + (b + c)': (s, a, b, c) => s.equals(s.plus(s.plus(a, b), c), s.plus(a, s.plus(b, c))),
    'a + 0 = a': (s, a) => s.equals(s.plus(a, s.zero), a) && s.equals(s.plus(s.zero, a), a),
    'a · b = b · a': (s, a, b) => s.equals(s.times(a, b), s.times(b, a)),
    '(a · b) · c = a · (b · c)': (s, a, b, c) =>
      s.equals(s.times(s.times(a, b), c), s.times(a, s.times(b, c))),
    'a · 1 = a': (s, a) => s.equals(s.times(a, s.one), a) && s.equals(s.times(s.one, a), a),
    'a · (b + c) = a · b + a · c': (s, a, b, c) =>
      s.equals(s.times(a, s.plus(b, c)), s.plus(s.times(a, b), s.times(a, c))),
    'a · 0 = 0': (s, a) => s.equals(s.times(a, s.zero), s.zero) && s.equals(s.times(s.zero, a), s.zero),
    'equals is reflexive and symmetric': (s, a, b) => s.equals(a, a) && s.equals(a, b) === s.equals(b, a),
    'the carrier is closed': (s, a, b) => {
      if (!s.contains) return true;
      const values = [s.zero, s.one, a, s.plus(a, b), s.times(a, b)];
      if (s.monus) values.push(s.monus(a, b));
      if (s.delta) values.push(s.delta(a));
      return values.every((value) => s.contains?.(value));
    },
  };
}

/** What a semiring with a canonical form satisfies too. */
function equalValuesShowAlike<K>(s: Semiring<K>, a: K, b: K): boolean {
  return !s.equals(a, b) || show(s, a) === show(s, b);
}

/** What a semiring may declare. */
export function mayLaws<K>(): Record<keyof Laws, Law<K>> {
  return {
    plusIdempotent: (s, a) => s.equals(s.plus(a, a), a),
    timesIdempotent: (s, a) => s.equals(s.times(a, a), a),
    absorptive: (s, a, b) => s.equals(s.plus(a, s.times(a, b)), a),
    positive: (s, a, b) => {
      const isZero = (x: K): boolean => s.equals(x, s.zero);
      return (
        (!isZero(s.plus(a, b)) || (isZero(a) && isZero(b))) &&
        (!isZero(s.times(a, b)) || isZero(a) || isZero(b))
      );
    },
    // a ≤ a + b ≤ a must mean a = a + b.
    naturallyOrdered: (s, a, b, c) => !s.equals(s.plus(s.plus(a, b), c), a) || s.equals(s.plus(a, b), a),
    timesDistributesOverMonus: (s, a, b, c) =>
      s.monus === undefined || s.equals(s.times(a, s.monus(b, c)), s.monus(s.times(a, b), s.times(a, c))),
  };
}

/**
 * The equations of a commutative monoid with monus (Bosbach 1965; Amer 1984), which say that a ∸ b is the
 * least c with a ≤ b + c; and that once more, directly.
 */
function monusLaws<K>(): Record<string, Law<K>> {
  const monus = (s: Semiring<K>, a: K, b: K): K => (s.monus ? s.monus(a, b) : a);
  const atMost = (s: Semiring<K>, a: K, b: K): boolean => s.equals(s.plus(a, monus(s, b, a)), b);
  return {
    'a + (b ∸ a) = b + (a ∸ b)': (s, a, b) => s.equals(s.plus(a, monus(s, b, a)), s.plus(b, monus(s, a, b))),
    'a ≤ b + c exactly where a ∸ b ≤ c': (s, a, b, c) =>
      atMost(s, a, s.plus(b, c)) === atMost(s, monus(s, a, b), c),
  };
}

/** The equations that a formal monus keeps too. */
function formalMonusLaws<K>(): Record<string, Law<K>> {
  const monus = (s: Semiring<K>, a: K, b: K): K => (s.monus ? s.monus(a, b) : a);
  return {
    'a ∸ 0 = a': (s, a) => s.equals(monus(s, a, s.zero), a),
    '0 ∸ a = 0': (s, a) => s.equals(monus(s, s.zero, a), s.zero),
    'a ∸ a = 0': (s, a) => s.equals(monus(s, a, a), s.zero),
    'a ∸ (a + b) = 0': (s, a, b) => s.equals(monus(s, a, s.plus(a, b)), s.zero),
    '(a ∸ b) ∸ c = a ∸ (b + c)': (s, a, b, c) =>
      s.equals(monus(s, monus(s, a, b), c), monus(s, a, s.plus(b, c))),
  };
}

export interface LawOptions {
  /** ∸ is an atom, not an operation: only the equations that hold in every m-semiring are checked. */
  readonly formalMonus?: boolean;
  /** Equal values may have several texts. */
  readonly noCanonicalForm?: boolean;
  /** Flags that are not declared and that the generator does not refute. */
  readonly undecided?: readonly (keyof Laws)[];
}

/** Every law of the contract, every declared flag, and a refutation of every flag that is not declared. */
export function assertSemiringLaws<K>(
  semiring: Semiring<K>,
  values: fc.Arbitrary<K>,
  options: LawOptions = {},
): void {
  // 0 and 1 are often where laws break.
  const arbitrary = fc.oneof(
    { weight: 8, arbitrary: values },
    { weight: 1, arbitrary: fc.constantFrom(semiring.zero, semiring.one) },
  );
  const check = (name: string, law: Law<K>): void => {
    fc.assert(
      fc.property(arbitrary, arbitrary, arbitrary, (a, b, c) => {
        if (law(semiring, a, b, c)) return;
        const shown = [a, b, c].map((x) => show(semiring, x)).join(', ');
        assert.fail(`${semiring.name} breaks ${name} for a, b, c = ${shown}`);
      }),
      { numRuns: runs, includeErrorInReport: true },
    );
  };

  for (const [name, law] of Object.entries(mustLaws<K>())) check(name, law);
  if (!options.noCanonicalForm) check('that equal values show alike', equalValuesShowAlike);

  const samples = fc.sample(fc.tuple(arbitrary, arbitrary, arbitrary), { numRuns: 3000, seed: 1 });
  for (const [flag, law] of Object.entries(mayLaws<K>()) as [keyof Laws, Law<K>][]) {
    if (semiring.laws?.[flag]) check(flag, law);
    else if (!options.undecided?.includes(flag) && (flag !== 'timesDistributesOverMonus' || semiring.monus)) {
      const refuted = samples.some(([a, b, c]) => !law(semiring, a, b, c));
      assert.ok(refuted, `${semiring.name} does not declare ${flag}, yet no counterexample was found`);
    }
  }
  assert.ok(
    !semiring.laws?.timesDistributesOverMonus || semiring.monus,
    `${semiring.name} declares a law of a monus that it does not have`,
  );

  if (semiring.monus) {
    for (const [name, law] of Object.entries(formalMonusLaws<K>())) check(name, law);
    if (!options.formalMonus) for (const [name, law] of Object.entries(monusLaws<K>())) check(name, law);
  }
  if (semiring.delta) {
    assert.ok(semiring.equals(semiring.delta(semiring.zero), semiring.zero), `${semiring.name}: δ(0) = 0`);
    for (const n of [1, 2, 3, 10]) {
      const constant = multiple({ ...semiring, laws: {} }, n, semiring.one);
      assert.ok(semiring.equals(semiring.delta(constant), semiring.one), `${semiring.name}: δ(${n}) = 1`);
    }
  }
  if (semiring.kernel) assertKernelAgrees(semiring, arbitrary);
  assertTokenLaws(semiring);
  assertTexts(semiring, arbitrary);
}

/**
 * What a token is worth. An indeterminate stands for its token alone, and any expression over indeterminates
 * is the evaluation of its polynomial in N[X]; labels go into a label semiring by a homomorphism.
 */
export function assertTokenLaws<K>(semiring: Semiring<K>): void {
  const { name } = semiring;
  if (semiring.indeterminate) {
    assert.equal(semiring.reads ?? 'derivation', 'derivation', `${name}: indeterminates are of derivations`);
    const own = (x: number): K => requireIndeterminate(semiring, 'a law')(x);
    for (const x of [0, 1, 2, 3, 1000]) {
      assert.ok(semiring.contains?.(own(x)) ?? true, `${name} does not hold its indeterminate of ${x}`);
      assert.ok(semiring.equals(own(x), own(x)), `${name}: the indeterminate of ${x} is one value`);
      assert.ok(!semiring.equals(own(x), own(x + 1)), `${name} does not tell tokens apart`);
      const asked = new Set<number>();
      const nameOf = (token: number) => `x${asked.add(token) && token}`;
      show(semiring, own(x), { nameOf });
      if (semiring.showWith) assert.deepEqual([...asked], [x], `${name} shows ${x} under another name`);
    }
    const formal = semiring.monus !== undefined && semiring.delta !== undefined;
    const both = product(Polynomials, semiring);
    const trees = expressions(both, (x) => [token(x), own(x)] as const, { formal });
    fc.assert(
      fc.property(trees, ([p, value]) => {
        if (semiring.equals(evaluate(p, semiring, own), value)) return;
        assert.fail(`${name} reads ${show(Polynomials, p)} as ${show(semiring, value)}`);
      }),
      { numRuns: runs, includeErrorInReport: true },
    );
  } else if (!semiring.ofLabel && semiring.reads !== 'dependency')
    assert.equal(semiring.growth, undefined, `${name} has values made of tokens, and no indeterminate`);
  if (semiring.ofLabel) {
    assert.equal(semiring.reads, 'dependency', `${name}: labels are read as dependencies`);
    const of = (label: Label): K => semiring.ofLabel?.(label) ?? assert.fail();
    assert.ok(semiring.equals(of(bottom), semiring.one), `${name}: (T, everyone) is 1`);
    assert.ok(!semiring.equals(of(top), semiring.one), `${name}: what has no label is not 1, failing closed`);
    fc.assert(
      fc.property(labels, labels, (a, b) => {
        assert.ok(semiring.contains?.(of(a)) ?? true, `${name} does not hold ${showLabel(a)}`);
        assert.ok(
          semiring.equals(of(joinLabels(a, b)), semiring.times(of(a), of(b))),
          `${name} does not map the join of ${showLabel(a)} and ${showLabel(b)} to their product`,
        );
      }),
      { numRuns: runs, includeErrorInReport: true },
    );
  }
}

/** Texts with names say what those without do; a text that is taken for a value gives one of the carrier. */
function assertTexts<K>(semiring: Semiring<K>, arbitrary: fc.Arbitrary<K>): void {
  const plain = { nameOf: (x: number) => `x${x}` };
  fc.assert(
    fc.property(arbitrary, fc.oneof(fc.string(), fc.constantFrom('true', 'no', '0', '1')), (value, text) => {
      assert.equal(show(semiring, value, plain), show(semiring, value));
      const parsed = semiring.parse?.(text);
      assert.ok(parsed === undefined || (semiring.contains?.(parsed) ?? true));
    }),
    { numRuns: runs },
  );
}

/** Every bulk operation gives what the generic operations give, wherever the kernel says that it is exact. */
export function assertKernelAgrees<K>(semiring: Semiring<K>, arbitrary: fc.Arbitrary<K>): void {
  const { kernel } = semiring;
  assert.ok(kernel, `${semiring.name} has no kernel`);
  assert.equal(kernel.encode(semiring.zero), kernel.zero);
  assert.equal(kernel.encode(semiring.one), kernel.one);
  const encodable = arbitrary.filter((a) => !Number.isNaN(kernel.encode(a)));
  const lanes = (values: readonly K[]) => {
    const codes = kernel.allocate(values.length);
    values.forEach((value, i) => {
      codes[i] = kernel.encode(value);
    });
    return codes;
  };
  const agree = (operation: string, codes: ReturnType<typeof lanes>, expected: readonly K[]): void => {
    if (kernel.exact && !kernel.exact(codes, expected.length)) return;
    expected.forEach((value, i) => {
      const got = kernel.decode(codes[i]);
      assert.ok(
        semiring.equals(got, value),
        `${semiring.name}: ${operation} gave ${show(semiring, got)}, not ${show(semiring, value)}`,
      );
    });
  };
  const row = fc.tuple(encodable, encodable, fc.nat({ max: 3 }), fc.nat({ max: 99 }), fc.nat({ max: 99 }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      const n = rows.length;
      const a = rows.map((r) => r[0]);
      const b = rows.map((r) => r[1]);
      const group = Int32Array.from(rows, (r) => r[2]);
      // Index -1 reads 1.
      const ia = Int32Array.from(rows, (r) => (r[3] % (n + 1)) - 1);
      const ib = Int32Array.from(rows, (r) => (r[4] % (n + 1)) - 1);
      const codesA = lanes(a);
      const codesB = lanes(b);
      agree('encode and decode', codesA, a);

      const out = kernel.allocate(n);
      kernel.times(out, codesA, codesB, n);
      agree(
        'times',
        out,
        a.map((x, i) => semiring.times(x, b[i])),
      );

      kernel.timesGather(out, codesA, ia, codesB, ib, n);
      const at = (values: readonly K[], i: number): K => (i < 0 ? semiring.one : values[i]);
      agree(
        'timesGather',
        out,
        rows.map((_, i) => semiring.times(at(a, ia[i]), at(b, ib[i]))),
      );

      const fold = (start: K, join: (x: K, y: K) => K): K[] => {
        const sums = [start, start, start, start];
        a.forEach((x, i) => {
          sums[group[i]] = join(sums[group[i]], x);
        });
        return sums;
      };
      const sums = kernel.allocate(4).fill(kernel.zero);
      kernel.sumBy(sums, group, codesA, n);
      agree(
        'sumBy',
        sums,
        fold(semiring.zero, (x, y) => semiring.plus(x, y)),
      );
      const products = kernel.allocate(4).fill(kernel.one);
      kernel.productBy(products, group, codesA, n);
      agree(
        'productBy',
        products,
        fold(semiring.one, (x, y) => semiring.times(x, y)),
      );

      const { monus, delta } = semiring;
      assert.equal(kernel.monus === undefined, monus === undefined, `${semiring.name}: kernel and monus`);
      assert.equal(kernel.delta === undefined, delta === undefined, `${semiring.name}: kernel and delta`);
      if (kernel.monus && monus) {
        kernel.monus(out, codesA, codesB, n);
        agree(
          'monus',
          out,
          a.map((x, i) => monus.call(semiring, x, b[i])),
        );
      }
      if (kernel.delta && delta) {
        kernel.delta(out, codesA, n);
        agree(
          'delta',
          out,
          a.map((x) => delta.call(semiring, x)),
        );
      }
    }),
    { numRuns: runs, includeErrorInReport: true },
  );
}

/** The laws of a homomorphism; what it does not declare to preserve must be refuted. */
export function assertHomomorphism<A, B>(h: Homomorphism<A, B>, arbitrary: fc.Arbitrary<A>): void {
  const { from, to } = h;
  assert.ok(to.equals(h.apply(from.zero), to.zero), `${h.name}: h(0) = 0`);
  assert.ok(to.equals(h.apply(from.one), to.one), `${h.name}: h(1) = 1`);
  const preserves = (joinA: (a: A, b: A) => A, joinB: (a: B, b: B) => B) => (a: A, b: A) =>
    to.equals(h.apply(joinA(a, b)), joinB(h.apply(a), h.apply(b)));
  const check = (name: string, law: (a: A, b: A) => boolean): void => {
    fc.assert(
      fc.property(arbitrary, arbitrary, (a, b) => {
        if (law(a, b)) return;
        assert.fail(`${h.name} does not preserve ${name} for ${show(from, a)} and ${show(from, b)}`);
      }),
      { numRuns: runs, includeErrorInReport: true },
    );
  };
  check(
    '+',
    preserves(
      (a, b) => from.plus(a, b),
      (a, b) => to.plus(a, b),
    ),
  );
  check(
    '·',
    preserves(
      (a, b) => from.times(a, b),
      (a, b) => to.times(a, b),
    ),
  );

  const { monus: monusA, delta: deltaA } = from;
  const { monus: monusB, delta: deltaB } = to;
  const samples = fc.sample(fc.tuple(arbitrary, arbitrary), { numRuns: 3000, seed: 1 });
  const declared = (flag: boolean | undefined, name: string, law: (a: A, b: A) => boolean): void => {
    if (flag) check(name, law);
    else {
      const refuted = samples.some(([a, b]) => !law(a, b));
      assert.ok(
        refuted,
        `${h.name} does not declare that it preserves ${name}, yet no counterexample was found`,
      );
    }
  };
  if (monusA && monusB) declared(h.preservesMonus, '∸', preserves(monusA.bind(from), monusB.bind(to)));
  else assert.ok(!h.preservesMonus, `${h.name} preserves a monus that is not there`);
  if (deltaA && deltaB) {
    declared(h.preservesDelta, 'δ', (a) =>
      to.equals(h.apply(deltaA.call(from, a)), deltaB.call(to, h.apply(a))),
    );
  } else assert.ok(!h.preservesDelta, `${h.name} preserves a δ that is not there`);
}

/** The laws of a bounded lattice, its declared flags (refuted where not declared), and its masks. */
export function assertLattice<L>(lattice: BoundedLattice<L>, arbitrary: fc.Arbitrary<L>): void {
  const { equals } = lattice;
  const join = (a: L, b: L): L => lattice.join(a, b);
  const meet = (a: L, b: L): L => lattice.meet(a, b);
  const check = (name: string, law: (a: L, b: L, c: L) => boolean): void => {
    fc.assert(
      fc.property(arbitrary, arbitrary, arbitrary, (a, b, c) => {
        if (law(a, b, c)) return;
        const shown = [a, b, c].map((x) => lattice.show(x)).join(', ');
        assert.fail(`the lattice ${lattice.name} breaks ${name} for ${shown}`);
      }),
      { numRuns: runs, includeErrorInReport: true },
    );
  };
  for (const [name, op] of Object.entries({ join, meet })) {
    check(`${name} is commutative`, (a, b) => equals(op(a, b), op(b, a)));
    check(`${name} is associative`, (a, b, c) => equals(op(op(a, b), c), op(a, op(b, c))));
    check(`${name} is idempotent`, (a) => equals(op(a, a), a));
  }
  check('absorption', (a, b) => equals(join(a, meet(a, b)), a) && equals(meet(a, join(a, b)), a));
  check('bottom and top', (a) => equals(join(lattice.bottom, a), a) && equals(meet(lattice.top, a), a));
  check('order is that of join', (a, b) => lattice.atMost(a, b) === equals(join(a, b), b));
  check('order is that of meet', (a, b) => lattice.atMost(a, b) === equals(meet(a, b), a));
  check('closed', (a, b) => [a, join(a, b), meet(a, b)].every((x) => lattice.contains?.(x) ?? true));
  const samples = fc.sample(fc.tuple(arbitrary, arbitrary, arbitrary), { numRuns: 3000, seed: 1 });
  const flag = (declared: boolean | undefined, name: string, law: (a: L, b: L, c: L) => boolean): void => {
    if (declared) check(name, law);
    else
      assert.ok(
        samples.some((abc) => !law(...abc)),
        `${lattice.name} does not declare ${name}, yet it seems to hold`,
      );
  };
  flag(lattice.distributive, 'distributivity', (a, b, c) =>
    equals(meet(a, join(b, c)), join(meet(a, b), meet(a, c))),
  );
  flag(lattice.chain, 'that it is a chain', (a, b) => lattice.atMost(a, b) || lattice.atMost(b, a));

  if (lattice.ofLabel) {
    const of = (label: Label): L => lattice.ofLabel?.(label) ?? assert.fail();
    assert.ok(equals(of(bottom), lattice.bottom), `${lattice.name}: the bottom of labels is bottom`);
    assert.ok(equals(of(top), lattice.top), `${lattice.name}: what has no label is top`);
    fc.assert(
      fc.property(labels, labels, (a, b) => {
        assert.ok(equals(of(joinLabels(a, b)), join(of(a), of(b))), `${lattice.name}: join of labels`);
      }),
      { numRuns: runs, includeErrorInReport: true },
    );
  }

  const { masks } = lattice;
  if (!masks) return;
  assert.equal(masks.encode(lattice.bottom), 0);
  const encodable = (...values: L[]): boolean => values.every((x) => !Number.isNaN(masks.encode(x)));
  check('masks decode', (a) => !encodable(a) || equals(masks.decode(masks.encode(a)), a));
  check(
    'masks: join is or',
    (a, b) => !encodable(a, b) || masks.encode(join(a, b)) === (masks.encode(a) | masks.encode(b)),
  );
  check(
    'masks: meet is and',
    (a, b) => !encodable(a, b) || masks.encode(meet(a, b)) === (masks.encode(a) & masks.encode(b)),
  );
  check('the unused mask is unused', (a, b) => !encodable(a, b) || masks.encode(join(a, b)) !== masks.unused);
}
