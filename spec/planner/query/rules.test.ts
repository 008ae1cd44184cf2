/**
 * Every rewrite rule keeps the answer, every row's annotation in N[X] and every cell's, and the labels of the
 * dependency reading: for random databases with labelled cells and random plans, before and after. The order
 * of rows is not kept.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { call, contains, equal, notEqual } from '../../../engine/operators/index.js';
import {
  type Column,
  type Expression,
  freshColumn,
  type ScalarFunction,
} from '../../../engine/plan/expression.js';
import type { Join, LogicalPlan } from '../../../engine/plan/plan.js';
import { columnsRead, operandsOf } from '../../../engine/plan/traverse-expression.js';
import { mapPlanExpressions, rewriteBottomUp, walkPlan } from '../../../engine/plan/traverse-plan.js';
import { Tokens } from '../../../engine/provenance/token.js';
import { scanOf } from '../../../engine/sql/bind/from.js';
import { Table } from '../../../engine/table/table.js';
import type { Value } from '../../../engine/value/value.js';
import { Database } from '../../../planner/query/index.js';
import { optimize } from '../../../planner/query/optimize/optimize.js';
import type { Rule } from '../../../planner/query/optimize/rule.js';
import { equalitiesToList } from '../../../planner/query/optimize/rules/equalities-to-list.js';
import { phases, rules } from '../../../planner/query/optimize/rules/index.js';
import { shareSubplans } from '../../../planner/query/optimize/rules/share-subplans.js';
import {
  alternativeIntegrity,
  conservativeIntegrity,
  Polynomials,
  type Semiring,
  showPolynomial,
  token,
} from '../../../semiring/index.js';
import { type AnswerRow, engineAnswer, runs, showValues } from '../../engine/answers.js';
import { boundQuery } from '../../engine/bound-query.js';
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
  prepare = (plan: LogicalPlan): LogicalPlan => plan,
): number {
  let fired = 0;
  fc.assert(
    fc.property(databases(), recipes(shapes, 3), (database, recipe) => {
      const { tables } = load(database);
      const make = () => prepare(containsAsJoin(planOf(recipe, tables, { determinate: true })));
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

/** Every filter and condition also compares one of its columns with several constants. */
function withEqualities(plan: LogicalPlan): LogicalPlan {
  const constants: ReadonlyMap<string, readonly Value[]> = new Map<string, readonly Value[]>([
    ['integer', [1, 0, 2]],
    ['float', [0.5, 0, -0]],
    ['text', ['a', 'ab', '']],
    ['date', [19000, 19001, null]],
  ]);
  return mapPlanExpressions(plan, (expression) => {
    if (expression.type !== 'boolean') return expression;
    const [id] = columnsRead(expression);
    const column = id === undefined ? undefined : find(expression, id);
    const values = column && constants.get(column.type);
    if (column === undefined || values === undefined) return expression;
    const all = (fn: ScalarFunction) =>
      values.map((value, i): Expression => {
        const literal: Expression = { kind: 'literal', value, type: column.type };
        return i === 1 ? call(fn, literal, column) : call(fn, column, literal);
      });
    const some: Expression = { kind: 'or', arguments: [...all(equal), expression], type: 'boolean' };
    return { kind: 'and', arguments: [...all(notEqual).slice(1), some, ...all(notEqual)], type: 'boolean' };
  });
}

function find(expression: Expression, id: number): Expression | undefined {
  if (expression.kind === 'column') return expression.id === id ? expression : undefined;
  for (const operand of operandsOf(expression)) {
    const found = find(operand, id);
    if (found) return found;
  }
  return undefined;
}

/** Two equal plans under different columns. */
function twin(first: LogicalPlan, second: LogicalPlan): LogicalPlan {
  return { kind: 'join', type: 'inner', left: first, right: second };
}

const semiJoins: readonly Operator[] = [
  'semi',
  'anti',
  'notIn',
  'inner',
  'cross',
  'left',
  'right',
  'full',
  'contains',
  'filter',
  'project',
  'sort',
];

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
  ['push filter below sort', ['filter', 'sort', 'inner', 'distinct']],
  ['push semi join below joins', semiJoins],
  ['push semi join into ordered joins', semiJoins],
]);

function small(): Database {
  const db = new Database();
  const rows = Array.from({ length: 40 }, (_, i) => ({ id: i, k: i % 4 }));
  db.load('t', rows);
  db.load('m', [{ id: 3 }]);
  return db;
}

async function planOfSql(db: Database, text: string): Promise<LogicalPlan> {
  return optimize((await boundQuery(text, db.tables)).plan).plan;
}

/** The types of the joins, upper ones first. */
function joinsOf(plan: LogicalPlan): string[] {
  const types: string[] = [];
  walkPlan(plan, (node) => {
    if (node.kind === 'join') types.push(node.type);
  });
  return types;
}

describe('rewrite rules', () => {
  for (const rule of rules) {
    it(`${rule.name}: keeps annotations`, () => {
      const prepare = rule === equalitiesToList ? withEqualities : undefined;
      const shapes = targets.get(rule.name) ?? operators;
      const fired = property([[rule]], shapes, 100, rule === shareSubplans, prepare);
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

  it('take semi and anti joins below joins, to the input that they read', async () => {
    const db = small();
    const conditions = 'a.id IN (SELECT id FROM m) AND b.id NOT IN (SELECT id FROM m)';
    const plan = await planOfSql(db, `SELECT a.id FROM t a JOIN t b ON a.k = b.k WHERE ${conditions}`);
    const top = plan.kind === 'project' ? plan.input : plan;
    assert.ok(top.kind === 'join' && top.type === 'inner');
    const inputs = [top.left, top.right].map((input) => (input.kind === 'join' ? input.type : input.kind));
    assert.deepEqual(inputs.sort(), ['anti', 'semi']);
  });

  it('take a semi join below the side of an outer join that keeps its rows, and below no other', async () => {
    const db = small();
    const from = 'FROM t a LEFT JOIN t b ON a.k = b.k';
    const kept = await planOfSql(db, `SELECT a.id, b.id ${from} WHERE a.id IN (SELECT id FROM m)`);
    const other = await planOfSql(db, `SELECT a.id, b.id ${from} WHERE b.id IN (SELECT id FROM m)`);
    assert.deepEqual(joinsOf(kept), ['left', 'semi']);
    assert.deepEqual(joinsOf(other), ['semi', 'left']);
  });

  it('leave the order of joins free where a semi join reads two of them', async () => {
    const db = small();
    const plan = await planOfSql(
      db,
      'SELECT a.id FROM t a, t b, t c WHERE a.k = c.k AND b.k = c.k AND (a.id, b.id) IN (SELECT id, id FROM m)',
    );
    walkPlan(plan, (node) => {
      if (node.kind === 'join' && node.type === 'inner') assert.ok(node.on, 'a cross product');
    });
  });

  it('count a semi join as what reduces its input', async () => {
    const db = small();
    const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, k: i % 10 }));
    for (const name of ['x', 'y', 'z']) db.load(name, rows);
    const text = 'SELECT x.id FROM x, y, z WHERE x.k = y.k AND y.k = z.k AND z.id IN (SELECT id FROM m)';
    const joins: Join[] = [];
    walkPlan(await planOfSql(db, text), (node) => {
      if (node.kind === 'join') joins.push(node);
    });
    assert.deepEqual(
      joins.map(({ type }) => type),
      ['inner', 'inner', 'semi'],
    );
    // The one row that is left of z is joined first, though it is written last.
    const [, lower, semi] = joins;
    assert.ok(lower.left === semi || lower.right === semi);
  });

  it('leave semi joins, and filters on labelled cells, above a sort', () => {
    const tokens = new Tokens();
    const table = (name: string, labelled: 'all' | 'none') =>
      scanOf(
        Table.fromRows(tokens, name, [{ a: 1 }, { a: 2 }], {
          membership: true,
          ...(labelled === 'all' ? { labelled } : {}),
        }),
      );
    const sorted = (labelled: 'all' | 'none') => {
      const { plan, columns } = table('t', labelled);
      const column: Expression = { kind: 'column', id: columns[0].id, type: 'integer' };
      const keys = [{ expression: column, descending: false, nullsFirst: false }];
      return { column, plan: { kind: 'sort', input: plan, keys } satisfies LogicalPlan };
    };
    const filterOf = (labelled: 'all' | 'none'): LogicalPlan => {
      const { column, plan } = sorted(labelled);
      const one: Expression = { kind: 'literal', value: 1, type: 'integer' };
      return { kind: 'filter', input: plan, predicate: call(equal, column, one) };
    };
    assert.equal(optimize(filterOf('none')).plan.kind, 'sort');
    assert.equal(optimize(filterOf('all')).plan.kind, 'filter');
    const { column, plan: left } = sorted('none');
    const { plan: right, columns } = table('r', 'none');
    const on = call(equal, column, { kind: 'column', id: columns[0].id, type: 'integer' });
    const semi: LogicalPlan = { kind: 'join', type: 'semi', left, right, on };
    assert.equal(optimize(semi).plan.kind, 'join');
  });

  it('all together keep annotations, over every operator', () => {
    assert.ok(property(phases, operators, 200) > 0);
    assert.ok(property(phases, operators, 50, false, withEqualities) > 0);
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
