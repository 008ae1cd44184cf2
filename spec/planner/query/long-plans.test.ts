/**
 * Plans that are deeper than the stack: chains of thousands of operators are planned and run, and what may
 * not be nested without end is refused by name. How long it takes is measured elsewhere.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Query } from '../../../engine/builder/query.js';
import { add, and, col, eq, gt, not, type Term } from '../../../engine/builder/term.js';
import { deepestExpression } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { operandsOf } from '../../../engine/plan/traverse-expression.js';
import { expressionsOf, walkPlan } from '../../../engine/plan/traverse-plan.js';
import { Database } from '../../../planner/query/index.js';
import { optimize } from '../../../planner/query/optimize/optimize.js';

const length = 3000;

function database(): Database {
  const db = new Database();
  db.load('t', [
    { id: 1, v: 10 },
    { id: 2, v: 20 },
    { id: 2, v: 20 },
  ]);
  return db;
}

function chain(db: Database, step: (query: Query, i: number) => Query): Query {
  let query = db.from('t');
  for (let i = 0; i < length; i++) query = step(query, i);
  return query;
}

function count(plan: LogicalPlan, kind: LogicalPlan['kind']): number {
  let found = 0;
  walkPlan(plan, (node) => {
    if (node.kind === kind) found += 1;
  });
  return found;
}

describe('chains of three thousand', () => {
  const db = database();
  const rows = (query: Query) => db.execute(query.plan).rows();

  it('filters become one', () => {
    const query = chain(db, (q, i) => q.filter(gt(col('v'), 10 - (i % 7))));
    assert.equal(count(optimize(query.plan).plan, 'filter'), 1);
    assert.equal(rows(query).length, 2);
    assert.equal(query.run().rows().length, 2);
  });

  it('distincts', () => {
    const query = chain(db, (q) => q.distinct());
    assert.deepEqual(rows(query), [
      [1, 10],
      [2, 20],
    ]);
    assert.equal(db.execute(query.plan).showPolynomial(1), 't[2] + t[3]');
  });

  it('unions become one', () => {
    const query = chain(db, (q) => q.union(db.from('t')));
    assert.equal(count(optimize(query.plan).plan, 'union'), 1);
    assert.equal(rows(query).length, 3 * (length + 1));
  });

  it('projections are merged, but not into an expression without end', () => {
    const query = chain(db, (q) => q.project({ v: add(col('v'), 1) }));
    const { plan } = optimize(query.plan);
    assert.ok(count(plan, 'project') < length / 50);
    walkPlan(plan, (node) => {
      for (const expression of expressionsOf(node)) assert.ok(depthOf(expression) <= 100);
    });
    assert.deepEqual(rows(query), [[10 + length], [20 + length], [20 + length]]);
  });

  it('sorts, groupings and differences', () => {
    const none = gt(col('v'), 100);
    assert.equal(rows(chain(db, (q) => q.orderBy('v'))).length, 3);
    assert.equal(rows(chain(db, (q) => q.groupBy(['id', 'v'], {}))).length, 2);
    assert.equal(rows(chain(db, (q) => q.except(db.from('t').filter(none)))).length, 2);
  });

  it('semi and anti joins', () => {
    const query = chain(db, (q, i) => {
      const other = db
        .from('t')
        .as(`o${i}`)
        .project({ other: col('id') });
      return i % 2 === 0
        ? q.semiJoin(other, eq(col('t.id'), col('other')))
        : q.antiJoin(other, gt(col('other'), col('v')));
    });
    assert.equal(columnsOf(optimize(query.plan).plan).length, 2);
  });

  it('a filter above doubling projections is not pushed into all of them', () => {
    const query = chain(db, (q) => q.project({ v: add(col('v'), col('v')) })).filter(gt(col('v'), 0));
    walkPlan(optimize(query.plan).plan, (node) => {
      for (const expression of expressionsOf(node)) assert.ok(sizeOf(expression) < 3000);
    });
  });
});

describe('a chain of three hundred joined tables', () => {
  it('is planned and run', async () => {
    const db = new Database();
    const names = Array.from({ length: 300 }, (_, i) => `t${i}`);
    for (const name of names)
      db.load(name, [
        { id: 1, k: 2 },
        { id: 2, k: 1 },
      ]);
    const conditions = names.slice(1).map((name, i) => `t${i}.k = ${name}.id`);
    const answer = await db.query(
      `SELECT t0.id, t299.k FROM ${names.join(', ')} WHERE ${conditions.join(' AND ')}`,
    );
    assert.deepEqual(answer.rows(), [
      [1, 1],
      [2, 2],
    ]);
  });
});

describe('an expression of the builder', () => {
  const nested = (levels: number): Term => {
    let made = col('v');
    for (let i = 1; i < levels; i++) made = add(made, 1);
    return made;
  };

  it('may be as deep as the limit', () => {
    const db = database();
    const query = db.from('t').project({ v: nested(deepestExpression) });
    assert.equal(db.execute(query.plan).rows()[0][0], 10 + deepestExpression - 1);
    assert.equal(query.run().rows().length, 3);
  });

  it('is refused by name past it', () => {
    const tooDeep = { code: 'engine/too-deep', message: /deeper than 1200 levels/ };
    assert.throws(() => nested(deepestExpression + 1), tooDeep);
    assert.throws(() => not(gt(nested(deepestExpression - 1), 1)), tooDeep);
    assert.throws(() => and(true, eq(nested(deepestExpression - 1), 1)), tooDeep);
  });
});

type Expressions = ReturnType<typeof expressionsOf>[number];

function depthOf(expression: Expressions): number {
  return 1 + Math.max(0, ...operandsOf(expression).map(depthOf));
}

function sizeOf(expression: Expressions): number {
  return operandsOf(expression).reduce((sum, operand) => sum + sizeOf(operand), 1);
}
