/**
 * Whoever is blamed for a missing row has lost it: for generated databases, plans over all operators and rows
 * that somebody misses, the blamed operator's inputs have rows that would have become the missing one, and
 * its output has none (by the slow way, pushed-up.ts); and where nobody lost it there never were such rows.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { execute } from '../../../engine/execute.js';
import { call, coalesce, isNotDistinctFrom } from '../../../engine/operators/index.js';
import { type Column, freshColumn } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { inputsOf } from '../../../engine/plan/traverse-plan.js';
import type { Table } from '../../../engine/table/table.js';
import type { Value } from '../../../engine/value/value.js';
import type { Blame, Step } from '../../../planner/query/index.js';
import { optimize } from '../../../planner/query/optimize/optimize.js';
import { blame } from '../../../planner/query/why/blame.js';
import { demandOf } from '../../../planner/query/why/compatible.js';
import { whyNot } from '../../../planner/query/why/why-not.js';
import { Bool } from '../../../semiring/index.js';
import { runs } from '../../engine/answers.js';
import { baseOf, databases, load, smallValues } from '../../engine/generated-database.js';
import { columnExpression, isColumnType, joinPredicate, shapes } from '../../engine/generated-expression.js';
import { allOperators, type Operator, outline, planOf, recipes } from '../../engine/generated-plan.js';
import { answer } from '../../engine/reference.js';
import { fits, unjustified } from './pushed-up.js';

function count(plan: LogicalPlan): number {
  const relation = execute(optimize(plan).plan, { capture: false });
  const { rowCount } = relation;
  relation.release();
  return rowCount;
}

/** Small values, so that many a row that an operator dropped has them; anything for most columns. */
function tuples(columns: readonly Column[]): fc.Arbitrary<(Value | undefined)[]> {
  const anything = fc.constant(undefined);
  return fc.tuple(
    ...columns.map(({ type }): fc.Arbitrary<Value | undefined> => {
      const known = isColumnType(type) ? smallValues[type] : fc.constant(null);
      return fc.oneof(
        { arbitrary: anything, weight: 3 },
        { arbitrary: known, weight: 2 },
        { arbitrary: fc.constant(null), weight: 1 },
      );
    }),
  );
}

/** Every operator that has inputs, with the way to it. */
function placesIn(node: LogicalPlan, path: readonly Step[] = []): readonly Pick<Blame, 'node' | 'path'>[] {
  const inputs = inputsOf(node);
  if (inputs.length === 0) return [];
  const below = inputs.flatMap((input, i) => placesIn(input, [...path, { node, input: i }]));
  // A union keeps every row.
  return node.kind === 'union' ? below : [{ node, path }, ...below];
}

interface Checked {
  readonly seed?: number;
  /** Where nobody is blamed nobody is to blame: holds of plans in which a row comes by one input only. */
  readonly lowest?: boolean;
}

type PlanOver = (tables: readonly Table[]) => LogicalPlan;

function plansOf(operators: readonly Operator[], depth?: number): fc.Arbitrary<PlanOver> {
  return recipes(operators, depth).map((recipe) => (tables) => planOf(recipe, tables, { determinate: true }));
}

/** Joins of every kind under a select list that computes something of both sides. */
const computedOfBoth: fc.Arbitrary<PlanOver> = fc
  .record({
    left: plansOf(['filter'], 1),
    right: plansOf(['filter'], 1),
    type: fc.constantFrom('inner', 'left', 'right', 'full'),
    shape: shapes,
  })
  .map(({ left, right, type, shape }) => (tables) => {
    const [l, r] = [left(tables), right(tables)];
    const on = joinPredicate(shape, columnsOf(l), columnsOf(r));
    const input: LogicalPlan = { kind: 'join', type, left: l, right: r, on };
    const expressions = columnsOf(l).flatMap((a) =>
      columnsOf(r)
        .filter((b) => b.type === a.type)
        .flatMap((b) => {
          const both = [columnExpression(a), columnExpression(b)];
          return [call(coalesce, ...both), call(isNotDistinctFrom, ...both)];
        }),
    );
    const kept = expressions.length > 0 ? expressions : columnsOf(l).map(columnExpression);
    const columns = kept.map((expression, i) => freshColumn(`e${i}`, expression.type));
    return { kind: 'project', input, expressions: kept, columns };
  });

/** How often each operator was found to have lost a row. */
function check(
  plans: fc.Arbitrary<PlanOver>,
  numRuns: number,
  { seed, lowest = false }: Checked = {},
): Map<string, number> {
  const blamed = new Map<string, number>();
  const property = fc.property(databases(), plans, fc.gen(), (database, planOver, generate) => {
    const loaded = load(database);
    const plan = planOver(loaded.tables);
    const columns = columnsOf(plan);
    const tuple = generate(() => tuples(columns));
    const wanted = new Map(
      tuple.flatMap((value, i) => (value === undefined ? [] : [[columns[i].id, value] as const])),
    );
    const base = baseOf(database, loaded, true, () => true);
    const rowsOf = (part: LogicalPlan) =>
      answer(part, { semiring: Bool, dependency: false, keep: 'present', parameters: [], base }).rows.map(
        (row) => row.values,
      );
    const present = rowsOf(plan).some((values) =>
      fits(new Map(values.map((value, i) => [columns[i].id, value])), wanted),
    );
    const about = `${outline(plan)}, ${JSON.stringify(tuple.map((value) => value ?? (value === null ? 'NULL' : '*')))}`;
    const told = whyNot(plan, tuple, { count, parameters: [] });
    assert.equal(told.present, present, about);
    if (present) return;
    const culprits = blame(plan, demandOf(plan, tuple), count, []);
    assert.ok(culprits.length > 0, about);
    assert.ok(new Set(culprits.map((one) => one.verdict)).size === 1, about);
    for (const one of culprits) {
      const wrong = unjustified(one, wanted, rowsOf);
      assert.equal(wrong, undefined, `${about}: ${one.verdict} at ${outline(one.node)}`);
      const name = one.node.kind === 'join' ? one.node.type : one.node.kind;
      if (one.verdict === 'lost') blamed.set(name, (blamed.get(name) ?? 0) + 1);
    }
    if (lowest && culprits[0].verdict !== 'lost') {
      for (const place of placesIn(plan)) {
        const wrong = unjustified({ ...place, demand: [], compatible: [], verdict: 'lost' }, wanted, rowsOf);
        assert.notEqual(wrong, undefined, `${about}: lost at ${outline(place.node)}, which is not blamed`);
      }
    }
  });
  fc.assert(property, { ...runs(numRuns), endOnFailure: true, ...(seed === undefined ? {} : { seed }) });
  return blamed;
}

describe('the blame for a missing row', () => {
  it('is justified, over all operators', () => {
    check(plansOf(allOperators), 400);
  });

  it('is justified where computed columns and unions are on the way', () => {
    check(plansOf(['project', 'union', 'filter', 'inner', 'left', 'full']), 300);
  });

  it('is justified where a value is computed of both sides of a join', () => {
    check(computedOfBoth, 400);
  });

  it('falls on somebody where somebody lost it, by whichever branch of a union', () => {
    check(plansOf(['project', 'union', 'filter', 'distinct', 'group', 'limit']), 400, { lowest: true });
  });

  it('falls on every operator that can lose a row', () => {
    const blamed = check(plansOf(allOperators), 500, { seed: 7 });
    const losers = ['filter', 'inner', 'left', 'semi', 'anti', 'contains', 'aggregate', 'except', 'limit'];
    assert.deepEqual(
      losers.filter((name) => !blamed.has(name)),
      [],
      [...blamed].join(' '),
    );
  });
});
