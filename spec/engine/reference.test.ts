/**
 * The engine agrees with the reference model on generated databases and plans, over all operators:
 * 1. values, row annotations and cells in N[X], as multisets of rows; with `keep: 'possible'` too;
 * 2. the same in N, in Boolean and in labels, whose readings run on typed arrays;
 * 3. rows of a sort come in the order of its keys;
 * 4. aggregates' tensors have the same summands, and the same value after tokens are deleted;
 * 5. keeping provenance or not does not change the values.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { execute } from '../../engine/execute.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import { type Semiring, show } from '../../semiring/contract/semiring.js';
import { Bool } from '../../semiring/instances/boolean.js';
import { Natural } from '../../semiring/instances/natural.js';
import type { Label, Readers } from '../../semiring/label/label.js';
import {
  alternativeIntegrity,
  alternativeLabelsOver,
  alternativeReaders,
  conservativeIntegrity,
  labelsOver,
} from '../../semiring/label/label-semiring.js';
import { evaluate, Polynomials, token } from '../../semiring/polynomial/polynomial.js';
import { type AnswerRow, engineAnswer, type Keep, modelAnswer, runs, showValues } from './answers.js';
import { baseOf, type DatabaseDescription, databases, load } from './generated-database.js';
import { shapes } from './generated-expression.js';
import { allOperators, type Operator, outline, planOf, type Recipe, recipes } from './generated-plan.js';
import { PoisonedPool } from './poisoned-pool.js';
import { answer } from './reference.js';
import { fold } from './reference-group.js';
import { keyOf } from './reference-relation.js';

/** Rows as text, sorted: equal exactly where the multisets of annotated rows are. */
function shown<K>(rows: readonly AnswerRow<K>[], semiring: Semiring<K>): string[] {
  return rows
    .map((row) =>
      [
        showValues(row.values),
        show(semiring, row.ann),
        ...row.cells.map((cell) => show(semiring, cell)),
      ].join('  '),
    )
    .sort();
}

function agree<K>(
  database: DatabaseDescription,
  plan: LogicalPlan,
  loaded: ReturnType<typeof load>,
  semiring: Semiring<K>,
  valuation: (token: number) => K,
  keep: Keep = 'present',
): void {
  const expected = modelAnswer(plan, baseOf(database, loaded, semiring.one, valuation), semiring, keep);
  const actual = engineAnswer(plan, valuation, semiring, keep);
  assert.deepEqual(
    shown(actual, semiring),
    shown(expected, semiring),
    `${outline(plan)} in ${semiring.name}`,
  );
}

/** Calls `check` on generated databases and plans. */
function forPlans(
  numRuns: number,
  check: (database: DatabaseDescription, plan: LogicalPlan, loaded: ReturnType<typeof load>) => void,
  operators = allOperators,
): void {
  const property = fc.property(databases(), recipes(operators), (database, recipe) => {
    const loaded = load(database);
    check(database, planOf(recipe, loaded.tables, { determinate: true }), loaded);
  });
  fc.assert(property, runs(numRuns));
}

describe('the engine agrees with the reference model', () => {
  it('in N[X]', () => {
    forPlans(600, (database, plan, loaded) => agree(database, plan, loaded, Polynomials, token));
  });

  it('in N[X] with the rows that are only possible', () => {
    forPlans(400, (database, plan, loaded) => agree(database, plan, loaded, Polynomials, token, 'possible'));
  });

  it('in N and Boolean', () => {
    forPlans(500, (database, plan, loaded) => {
      agree(database, plan, loaded, Natural, (x) => x % 3);
      agree(database, plan, loaded, Bool, (x) => x % 4 !== 0);
    });
  });

  it('in labels', () => {
    const readers = (x: number): Readers =>
      x % 5 === 0
        ? new Set(['alice'])
        : x % 7 === 0
          ? new Set(['bob', 'alice'])
          : x % 11 === 0
            ? new Set()
            : 'everyone';
    const label = (x: number): Label => ({ integrity: x % 4 === 0 ? 'U' : 'T', readers: readers(x) });
    forPlans(250, (database, plan, loaded) => {
      agree(database, plan, loaded, conservativeIntegrity, (x) => label(x).integrity);
      agree(database, plan, loaded, alternativeIntegrity, (x) => label(x).integrity);
      agree(database, plan, loaded, alternativeReaders, readers);
      agree<Label | null>(database, plan, loaded, labelsOver(['alice', 'bob']), label);
      agree(database, plan, loaded, alternativeLabelsOver(['alice', 'bob']), label);
    });
  });

  it('in labels where an outer join has no aggregate to show: the NULL depends on nothing of its own', () => {
    const database: DatabaseDescription = [
      {
        name: 't0',
        columns: [
          { name: 'a0', type: 'integer', labelled: true },
          { name: 'b0', type: 'text', labelled: true },
        ],
        membership: false,
        rows: [
          [0, 'a'],
          [0, 'a'],
        ],
      },
    ];
    const leaf: Recipe = { operator: 'scan', shape: { pick: 0, parts: [] }, inputs: [] };
    const global: Recipe = {
      operator: 'global',
      shape: { pick: 0, parts: [{ pick: 1, parts: [] }] },
      inputs: [leaf],
    };
    const loaded = load(database);
    for (const operator of ['full', 'left', 'right'] as const) {
      const plan = planOf(
        { operator, shape: { pick: 1, parts: [] }, inputs: [leaf, global] },
        loaded.tables,
        { determinate: true },
      );
      for (const untrusted of [0, 1, 2, 3, 4, 5])
        agree(database, plan, loaded, alternativeIntegrity, (x) => (x === untrusted ? 'U' : 'T'));
    }
  });

  it('in the order of a sort', () => {
    forPlans(
      500,
      (database, plan, loaded) => {
        if (plan.kind !== 'sort') return;
        const columns = columnsOf(plan);
        const keys = plan.keys.map(({ expression }) =>
          columns.findIndex((c) => expression.kind === 'column' && c.id === expression.id),
        );
        const inOrder = <K>(rows: readonly AnswerRow<K>[]) =>
          rows.map((row) => showValues(keys.map((key) => row.values[key])));
        const base = baseOf(database, loaded, true, () => true);
        assert.deepEqual(
          inOrder(engineAnswer(plan, () => true, Bool)),
          inOrder(modelAnswer(plan, base, Bool)),
          outline(plan),
        );
      },
      ['sort', 'filter', 'project', 'inner'],
    );
  });

  it('in the tensors of aggregates', () => {
    const groups = fc.record({
      operator: fc.constantFrom<Operator>('group', 'global'),
      shape: shapes,
      inputs: fc.tuple(recipes(allOperators, 2)),
    });
    const property = fc.property(databases(), groups, fc.nat(7), (database, recipe, deleted) => {
      const loaded = load(database);
      const plan = planOf(recipe, loaded.tables, { determinate: true });
      if (plan.kind !== 'aggregate') return;
      const base = baseOf(database, loaded, Polynomials.one, token);
      const model = answer(plan, {
        semiring: Polynomials,
        dependency: false,
        keep: 'present',
        parameters: [],
        base,
      });
      const relation = execute(plan, { pool: new PoisonedPool() });
      const isThere = (x: number) => (x % 8 === deleted ? 0 : 1);
      const rowOf = new Map(model.rows.map((row) => [keyOf(row.values.slice(0, plan.keys.length)), row]));
      for (let r = 0; r < relation.rowCount; r += 1) {
        const key = plan.keys.map((_, c) => relation.value(c, r));
        const row = rowOf.get(keyOf(key));
        plan.aggregates.forEach((call, i) => {
          const position = plan.keys.length + i;
          const terms = row?.tensors?.get(position) ?? [];
          const tensor = relation.tensor(position, r);
          assert.deepEqual(
            tensor
              .terms()
              .map((t) => `${t.value} ⊗ ${show(Polynomials, t.polynomial)}`)
              .sort(),
            terms.map((t) => `${t.values[0]} ⊗ ${show(Polynomials, t.weight)}`).sort(),
            outline(plan),
          );
          const left = terms.flatMap((t) =>
            Array(Number(evaluate(t.weight, Natural, isThere))).fill(t.values),
          );
          assert.deepEqual(tensor.under(isThere), fold(call, left), `${outline(plan)} without tokens`);
        });
      }
    });
    fc.assert(property, runs(500));
  });

  it('whether or not it keeps provenance', () => {
    forPlans(500, (_, plan) => {
      const [kept, plain] = [{}, { capture: false }].map((options) =>
        execute(plan, { ...options, pool: new PoisonedPool() }),
      );
      assert.deepEqual(plain.rows().map(showValues), kept.rows().map(showValues), outline(plan));
    });
  });
});
