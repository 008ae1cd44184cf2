/**
 * The fundamental property: h(Q(D)) = Q(h(D)) for every homomorphism h and every plan whose operators h
 * respects (monotone ones always, grouping where h keeps δ, difference where h keeps ∸). And the precision
 * ladder: on every row of a monotone plan, labels read through Lin are at least as restrictive as through
 * Why, and those as through PosBool.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Homomorphism } from '../../semiring/contract/homomorphism.js';
import { type Semiring, show } from '../../semiring/contract/semiring.js';
import { evaluation, homomorphisms, lineageLabel, witnessLabel } from '../../semiring/homomorphisms.js';
import { Lin } from '../../semiring/instances/lin.js';
import { Natural } from '../../semiring/instances/natural.js';
import { PosBool } from '../../semiring/instances/pos-bool.js';
import { Why, witness } from '../../semiring/instances/why.js';
import type { Label } from '../../semiring/label/label.js';
import { labelLattice } from '../../semiring/label/label-lattice.js';
import { alternative, conservative } from '../../semiring/label/security.js';
import { semirings } from '../../semiring/registry.js';
import { engineAnswer, modelAnswer, runs } from './answers.js';
import { baseOf, type DatabaseDescription, databases, load } from './generated-database.js';
import {
  allOperators,
  type Operator,
  outline,
  planOf,
  positiveOperators,
  recipes,
} from './generated-plan.js';

const monotone: readonly Operator[] = [...positiveOperators, 'intersect', 'intersectAll', 'sort', 'limit'];
const grouping: readonly Operator[] = [...monotone, 'semi', 'group', 'global'];

function respected<A, B>(h: Homomorphism<A, B>): readonly Operator[] {
  if (!h.preservesDelta) return monotone;
  return h.preservesMonus ? allOperators : grouping;
}

type Loaded = ReturnType<typeof load>;

/** The annotations and cells of all rows, by the engine and by the model. */
function annotations<K>(
  database: DatabaseDescription,
  loaded: Loaded,
  plan: ReturnType<typeof planOf>,
  semiring: Semiring<K>,
  valuation: (token: number) => K,
): readonly (readonly K[])[] {
  const answers = [
    engineAnswer(plan, valuation, semiring),
    modelAnswer(plan, baseOf(database, loaded, semiring.one, valuation), semiring),
  ];
  return answers.map((rows) => rows.flatMap((row) => [row.ann, ...row.cells]));
}

function commutes<A, B>(h: Homomorphism<A, B>, valuation: (token: number) => A, numRuns: number): void {
  const property = fc.property(databases(), recipes(respected(h)), (database, recipe) => {
    const loaded = load(database);
    const plan = planOf(recipe, loaded.tables, { determinate: true });
    const above = annotations(database, loaded, plan, h.from, valuation);
    const below = annotations(database, loaded, plan, h.to, (x) => h.apply(valuation(x)));
    above.forEach((values, who) => {
      assert.equal(values.length, below[who].length);
      values.forEach((value, i) => {
        const [left, right] = [h.apply(value), below[who][i]];
        const text = () => `${outline(plan)} under ${h.name}: ${show(h.to, left)} and ${show(h.to, right)}`;
        assert.ok(h.to.equals(left, right), text());
      });
    });
  });
  fc.assert(property, runs(numRuns));
}

describe('homomorphisms commute with queries', () => {
  for (const h of homomorphisms)
    it(h.name, () => {
      // Counts of every token from 0 to 3; elsewhere each token stands for itself.
      const own = semirings.get(h.from.name)?.valuation ?? assert.fail(`${h.from.name} is not registered`);
      commutes(h, h.from === Natural ? (x) => (x * 7) % 4 : own, 25);
    });

  for (const { semiring, valuation } of semirings.values()) {
    if (semiring.reads === 'dependency') continue;
    it(`the universal one from N[X] to ${semiring.name}`, () => {
      const h = evaluation(semiring, valuation);
      const own = semirings.get('N[X]')?.valuation ?? assert.fail('N[X] is not registered');
      commutes(h as Homomorphism<unknown, unknown>, own, 25);
    });
  }
});

describe('the precision ladder', () => {
  const label = (x: number): Label => ({
    integrity: x % 3 === 0 ? 'U' : 'T',
    readers: x % 4 === 0 ? new Set(['alice']) : x % 5 === 0 ? new Set(['alice', 'bob']) : 'everyone',
  });
  const lattice = labelLattice;
  const through = { lin: lineageLabel(lattice, label), why: witnessLabel(lattice, label) };

  it('Lin is at least as restrictive as Why, and Why as PosBool, on every row', () => {
    const property = fc.property(databases(), recipes([...monotone, 'semi']), (database, recipe) => {
      const loaded = load(database);
      const plan = planOf(recipe, loaded.tables, { determinate: true });
      const [byLin] = annotations(database, loaded, plan, Lin, (x) => [x]);
      const [byWhy] = annotations(database, loaded, plan, Why, (x) => witness(x));
      const [byPosBool] = annotations(database, loaded, plan, PosBool, (x) => witness(x));
      byLin.forEach((lineage, i) => {
        const [lin, why, posBool] = [
          through.lin.apply(lineage) ?? lattice.top,
          through.why.apply(byWhy[i]),
          through.why.apply(byPosBool[i]),
        ];
        assert.ok(
          lattice.atMost(why, lin),
          `${outline(plan)}: Why ${lattice.show(why)}, Lin ${lattice.show(lin)}`,
        );
        assert.ok(
          lattice.atMost(posBool, why),
          `${outline(plan)}: PosBool ${lattice.show(posBool)}, Why ${lattice.show(why)}`,
        );
      });
    });
    fc.assert(property, runs(150));
  });

  it('its ends are the two readings of labels, on plans whose readings do not differ', () => {
    const operators = positiveOperators;
    const property = fc.property(databases(), recipes(operators), (database, recipe) => {
      const loaded = load(database);
      const plan = planOf(recipe, loaded.tables, { determinate: true });
      const text = (labels: readonly (Label | null)[]) => labels.map((l) => l && lattice.show(l));
      const [byLin] = annotations(database, loaded, plan, Lin, (x) => [x]);
      const [byPosBool] = annotations(database, loaded, plan, PosBool, (x) => witness(x));
      const [joined] = annotations<Label | null>(database, loaded, plan, conservative(lattice), label);
      const [met] = annotations(database, loaded, plan, alternative(lattice), label);
      assert.deepEqual(text(byLin.map(through.lin.apply)), text(joined), outline(plan));
      assert.deepEqual(text(byPosBool.map(through.why.apply)), text(met), outline(plan));
    });
    fc.assert(property, runs(150));
  });
});
