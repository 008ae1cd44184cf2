/**
 * A function of the user's own is taken for what it declares, and never for what it is called: under the name
 * of an operator it is planned like any other function.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { call, scalar } from '../../../engine/operators/define.js';
import type { Expression, ScalarFunction } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { builtinScalars } from '../../../engine/sql/index.js';
import { Database } from '../../../planner/query/index.js';
import { scalarLibrary } from '../../../udf/index.js';
import { boundQuery } from '../../engine/bound-query.js';
import { runs } from '../../runs.js';

/** Two rows on the left of an outer join, one of which has no partner. */
function outerJoin(functions: readonly ScalarFunction[]): Database {
  const db = new Database({ functions });
  db.load('l', [{ a: 1 }, { a: 2 }]);
  db.load('r', [{ b: 1 }]);
  return db;
}

const from = 'FROM l LEFT JOIN r ON a = b';

describe('a function of the user', () => {
  for (const name of new Set([...builtinScalars, ...scalarLibrary].map((fn) => fn.name))) {
    it(`called ${JSON.stringify(name)} keeps the rows that it is true for`, async () => {
      const alwaysTrue = scalar(
        name,
        () => 'boolean',
        () => true,
        { strict: false },
      );
      const db = outerJoin([]);
      const { plan: input } = await boundQuery(`SELECT b, a ${from}`, db.tables);
      const columns = columnsOf(input).map(({ id, type }): Expression => ({ kind: 'column', id, type }));
      for (const operands of [columns, columns.slice(0, 1)]) {
        const filter: LogicalPlan = { kind: 'filter', input, predicate: call(alwaysTrue, ...operands) };
        assert.deepEqual(db.execute(filter).rows(), [
          [1, 1],
          [null, 2],
        ]);
      }
    });
  }

  it('that rejects NULL makes an outer join an inner one, and one that does not leaves it', async () => {
    const present = (rejects: boolean) =>
      scalar(
        'present',
        ([, more]) => (more === undefined ? 'boolean' : undefined),
        ([a]) => a !== null,
        {
          strict: false,
          ...(rejects && { rejects: 'null' as const }),
        },
      );
    const sql = `SELECT a, b ${from} WHERE present(b)`;
    for (const rejects of [true, false]) {
      const db = outerJoin([present(rejects)]);
      assert.deepEqual((await db.query(sql)).rows(), [[1, 1]]);
      const explained = await db.explain(sql);
      assert.equal(explained.rules.has('outer join to inner join'), rejects);
    }
  });
});

describe('what the functions declare', () => {
  const declaring = builtinScalars.filter((fn) => fn.rejects !== undefined);
  const values = fc.constantFrom(null, true, false);

  for (const fn of declaring) {
    it(`${fn.name} is never true for what it rejects`, () => {
      const rejected = fn.rejects === 'untrue' ? fc.constantFrom(null, false) : fc.constant(null);
      fc.assert(
        fc.property(rejected, fc.array(values, { maxLength: 3 }), (first, rest) => {
          const types = [first, ...rest].map(() => 'boolean' as const);
          if (fn.resolve(types) === undefined) return;
          assert.notEqual(fn.evaluate([first, ...rest], types), true);
        }),
        { numRuns: runs(200) },
      );
    });
  }

  it('is a share of the rows', () => {
    for (const fn of [...builtinScalars, ...scalarLibrary]) {
      if (fn.share === undefined) continue;
      for (const distinct of [
        [1, 1],
        [0, 1, 1],
        [5, 1, 1, 1],
        [1, 100],
        [1000, 3],
      ]) {
        const share = fn.share(distinct);
        assert.ok(share >= 0 && share <= 1, `${fn.name}: ${share}`);
      }
    }
  });

  it('includes the operators that make an outer join an inner one', () => {
    const names = declaring.map((fn) => fn.name);
    for (const name of ['is not null', 'is true', 'in', 'not in']) assert.ok(names.includes(name), name);
  });
});
