/**
 * Every rewrite rule keeps the answer, every row's annotation in N[X] and every cell's, and the labels of the dependency
 * reading: for random databases with labelled cells and random plans, before and after. The order of rows is not kept.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Column, type Expression, freshColumn } from '../../../engine/expression.js';
import { call, contains, equal } from '../../../engine/operators/index.js';
import type { LogicalPlan } from '../../../engine/plan.js';
import { scanOf } from '../../../engine/sql/bind-from.js';
import { Table } from '../../../engine/table.js';
import { Tokens } from '../../../engine/token.js';
import { rewriteBottomUp } from '../../../engine/traverse.js';
import { optimize, phases, type Rule, rules } from '../../../planner/query/index.js';
import { shareSubplans } from '../../../planner/query/rules/share-subplans.js';
import {
  alternativeIntegrity,
  conservativeIntegrity,
  Polynomials,
  type Semiring,
  showPolynomial,
  token,
} from '../../../semiring/index.js';
import { type AnswerRow, engineAnswer, runs, showValues } from '../../engine/answers.js';
import { databases, load } from '../../engine/generated-database.js';
import { allOperators, type Operator, planOf, recipes } from '../../engine/generated-plan.js';

/** The answer as a bag: one line a row, sorted. */
function bag<K>(rows: readonly AnswerRow<K>[], show: (value: K) => string): string[] {
  return rows
    .map((row) => `${showValues(row.values)} ${show(row.ann)} [${row.cells.map(show).join(', ')}]`)
    .sort();
}

function polynomials(plan: LogicalPlan): string[] {
  return bag(engineAnswer(plan, token, Polynomials), (p) => showPolynomial(p));
}

function labels<K>(plan: LogicalPlan, semiring: Semiring<K>, valuation: (token: number) => K): string[] {
  return bag(engineAnswer(plan, valuation, semiring), String);
}

/** LIMIT over anything but a total order has several right answers, so it is left out. */
const operators = allOperators.filter((operator) => operator !== 'limit' && operator !== 'singleRow');

function assertSame(before: LogicalPlan, after: LogicalPlan): void {
  assert.deepEqual(polynomials(after), polynomials(before));
  for (const semiring of [conservativeIntegrity, alternativeIntegrity] as readonly Semiring<unknown>[]) {
    const valuation = (t: number) => (t % 3 === 0 ? 'U' : 'T');
    assert.deepEqual(labels(after, semiring, valuation), labels(before, semiring, valuation));
  }
}

function property(
  phase: readonly (readonly Rule[])[],
  shapes: readonly Operator[],
  count: number,
  twice = false,
): number {
  let fired = 0;
  fc.assert(
    fc.property(databases(), recipes(shapes, 3), (database, recipe) => {
      const { tables } = load(database);
      const make = () => containsAsJoin(planOf(recipe, tables, { determinate: true }));
      const plan = twice ? twin(make(), make()) : make();
      const optimized = optimize(plan, { phases: phase });
      if (optimized.fired.size === 0) return;
      fired += 1;
      assertSame(plan, optimized.plan);
    }),
    runs(count),
  );
  return fired;
}

/** Plans as SQL makes them: `contains` is a condition of a join until a rule finds it. */
function containsAsJoin(plan: LogicalPlan): LogicalPlan {
  return rewriteBottomUp(plan, (node) =>
    node.kind === 'contains'
      ? {
          kind: 'join',
          type: 'inner',
          left: node.left,
          right: node.right,
          on: call(contains, node.text, node.needle),
        }
      : node,
  );
}

/** Two equal plans under different columns. */
function twin(first: LogicalPlan, second: LogicalPlan): LogicalPlan {
  return { kind: 'join', type: 'inner', left: first, right: second };
}

/** Operators among which a rule finds something to do. */
const targets: ReadonlyMap<string, readonly Operator[]> = new Map<string, readonly Operator[]>([
  ['merge filters', ['filter', 'inner']],
  ['push filter through projection', ['filter', 'project', 'inner', 'global']],
  ['push filter into join', ['filter', 'inner', 'cross', 'left', 'right', 'full', 'semi', 'anti', 'notIn']],
  ['push join condition to a side', ['inner', 'left', 'right', 'full', 'semi', 'anti', 'notIn', 'project']],
  ['outer join to inner join', ['filter', 'left', 'right', 'full']],
  ['push filter through grouping', ['filter', 'group', 'distinct', 'except', 'intersect', 'exceptAll']],
  ['push filter through union', ['filter', 'union', 'project']],
  ['flatten unions', ['union', 'filter']],
  ['merge projections', ['project', 'inner', 'group']],
  ['order joins', ['inner', 'cross']],
  ['contains join', ['contains', 'cross', 'filter']],
]);

describe('rewrite rules', () => {
  for (const rule of rules) {
    it(`${rule.name}: keeps annotations`, () => {
      const fired = property([[rule]], targets.get(rule.name) ?? operators, 100, rule === shareSubplans);
      assert.ok(fired > 0, 'the rule never fired: the property tested nothing');
    });
  }

  it('leave a labelled condition on the left of a semi join under its δ', () => {
    const tokens = new Tokens();
    const options = { labelled: 'all', membership: true } as const;
    const left = scanOf(Table.fromRows(tokens, 'l', [{ a: 1, p: true }], options));
    const right = scanOf(Table.fromRows(tokens, 'r', [{ a: 1 }, { a: 1 }], options));
    const column = ({ id, type }: Column): Expression => ({ kind: 'column', id, type });
    const [a, p] = left.columns.map(column);
    const on: Expression = {
      kind: 'and',
      arguments: [call(equal, a, column(right.columns[0])), p],
      type: 'boolean',
    };
    const plan: LogicalPlan = { kind: 'join', type: 'semi', left: left.plan, right: right.plan, on };
    const optimized = optimize(plan);
    assertSame(plan, optimized.plan);
    assert.ok(!optimized.fired.has('push join condition to a side'));
  });

  it('see the labelled columns of a shared sub-plan', () => {
    const tokens = new Tokens();
    const { plan: scan, columns } = scanOf(
      Table.fromRows(tokens, 't', [{ a: true }], { labelled: 'all', membership: true }),
    );
    const [a] = columns.map(({ id, type }): Expression => ({ kind: 'column', id, type }));
    const shared: LogicalPlan = { kind: 'filter', input: scan, predicate: a };
    const reader = (twice: boolean): LogicalPlan => {
      const fresh = freshColumn('a', 'boolean');
      const renamed: LogicalPlan = { kind: 'project', input: shared, columns: [fresh], expressions: [a] };
      const read: Expression = { kind: 'column', id: fresh.id, type: 'boolean' };
      const once: LogicalPlan = { kind: 'filter', input: renamed, predicate: read };
      return twice ? { kind: 'filter', input: once, predicate: read } : once;
    };
    const plan: LogicalPlan = { kind: 'join', type: 'inner', left: reader(true), right: reader(false) };
    assertSame(plan, optimize(plan).plan);
  });

  it('all together keep annotations, over every operator', () => {
    assert.ok(property(phases, operators, 200) > 0);
  });

  it('all together keep annotations, over filters and joins', () => {
    const shapes: Operator[] = [
      'filter',
      'project',
      'inner',
      'cross',
      'left',
      'right',
      'full',
      'semi',
      'anti',
      'contains',
    ];
    assert.ok(property(phases, shapes, 200) > 0);
  });
});
