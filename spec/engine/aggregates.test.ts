/**
 * Aggregates beyond sum and count: over NULLs, empty groups and one row; and as tensors: what is left when a
 * row is deleted is the aggregate of the other rows. Their plain values are held to PostgreSQL by
 * pglite.test.ts, those that it does not generate by the examples here, whose answers are PostgreSQL's.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database } from '../../planner/query/index.js';
import { AssayError } from '../../semiring/message/error.js';

const rows = [
  [1, 5, 1.5, 'b', true],
  [1, -3, 2.5, 'a', false],
  [1, null, null, null, null],
  [1, 12, 2.5, 'b', true],
  [2, null, null, null, null],
  [3, 7, 0.25, 'zz', false],
] as const;

function example(left: readonly (readonly unknown[])[] = rows): Database {
  const db = new Database();
  db.load('t', left, {
    columns: ['k', 'v', 'f', 's', 'b'],
    types: { k: 'integer', v: 'integer', f: 'float', s: 'text', b: 'boolean' },
  });
  return db;
}

/** The call, and its values for k = 1, 2, 3 and over no rows. */
const cases: readonly (readonly [string, unknown, unknown, unknown, unknown])[] = [
  ['bit_and(v)', 4, null, 7, null],
  ['bit_or(v)', -3, null, 7, null],
  ['bit_xor(v)', -12, null, 7, null],
  ['any_value(v ORDER BY v)', -3, null, 7, null],
  ['every(b)', false, null, false, null],
  ['percentile_cont(0.5) WITHIN GROUP (ORDER BY v)', 5, null, 7, null],
  ['percentile_cont(0.25) WITHIN GROUP (ORDER BY v DESC)', 8.5, null, 7, null],
  ['percentile_disc(0.5) WITHIN GROUP (ORDER BY s DESC)', 'b', null, 'zz', null],
  ['mode() WITHIN GROUP (ORDER BY s)', 'b', null, 'zz', null],
  ['percentile_disc(NULL) WITHIN GROUP (ORDER BY v)', null, null, null, null],
  ['regr_count(f, v)', 3, 0, 1, 0],
  ['covar_samp(f, v)', -0.16666666666666674, null, null, null],
  ['corr(f, v)', -0.038461538461538484, null, null, null],
  ['jsonb_agg(v ORDER BY v)', [-3, 5, 12, null], [null], [7], null],
  ['json_object_agg(s, v ORDER BY v) FILTER (WHERE s IS NOT NULL)', { a: -3, b: 12 }, null, { zz: 7 }, null],
];

describe('aggregates', () => {
  for (const [call, ...expected] of cases) {
    it(call, async () => {
      const db = example();
      const grouped = await db.query(`SELECT ${call} AS x FROM t GROUP BY k ORDER BY k`);
      const none = await db.query(`SELECT ${call} AS x FROM t WHERE false`);
      assert.deepEqual([...grouped.rows(), ...none.rows()].flat(), expected);
    });

    it(`${call} under deletion`, async () => {
      const whole = await example().query(`SELECT ${call} AS x FROM t`);
      for (const [deleted] of rows.entries()) {
        const left = rows.filter((_, row) => row !== deleted);
        const [[again]] = (await example(left).query(`SELECT ${call} AS x FROM t`)).rows();
        assert.deepEqual(whole.relation.tensor(0, 0).without([deletedToken(deleted)]), again);
      }
    });
  }

  /** The first token of a database is its first table's membership. */
  function deletedToken(row: number): number {
    return example().table('t').rowToken(row);
  }

  it('of an object take any name for a key, and no NULL', async () => {
    const db = new Database();
    db.load('t', [{ k: '__proto__', v: 1 }]);
    const [[object]] = (await db.query('SELECT json_object_agg(k, v) FROM t')).rows();
    assert.deepEqual(Object.entries(object as object), [['__proto__', 1]]);
    await assert.rejects(
      db.query('SELECT json_object_agg(NULL, v) FROM t'),
      (error) => error instanceof AssayError && error.code === 'engine/null-key',
    );
  });

  it('of an ordered set say how they are called', async () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['percentile_cont(0.5)', /needs WITHIN GROUP/],
      ['mode() WITHIN GROUP (ORDER BY k, v)', /one key/],
      ['sum(v) WITHIN GROUP (ORDER BY v)', /only an ordered-set aggregate/],
      ['percentile_cont(1.5) WITHIN GROUP (ORDER BY v)', /1\.5 is not between 0 and 1/],
    ];
    for (const [call, message] of wrong)
      await assert.rejects(example().query(`SELECT ${call} FROM t`), message);
  });
});
