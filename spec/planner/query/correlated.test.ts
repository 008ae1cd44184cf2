/**
 * Correlated subqueries of every kind, LATERAL and DISTINCT ON: values and annotations of fixed examples.
 * That their values are PostgreSQL's, and that their labels do not interfere, generated SQL says (pglite,
 * noninterference).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database } from '../../../planner/query/index.js';
import { alternativeIntegrity, bottom, top } from '../../../semiring/index.js';

function scene(): Database {
  const db = new Database();
  db.load('t', [{ a: 1 }, { a: 2 }, { a: null }]);
  db.load('u', [
    { a: 1, b: 2 },
    { a: 3, b: 4 },
    { a: null, b: 5 },
    { a: 1, b: 9 },
  ]);
  return db;
}

/** [query, its rows with their annotations] */
const examples: readonly (readonly [string, readonly string[]])[] = [
  [
    'SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a > t.a GROUP BY u.b)',
    ['1: t[1]·δ(δ(u[2]))', '2: t[2]·δ(δ(u[2]))'],
  ],
  [
    'SELECT a, (SELECT b FROM u WHERE u.a = t.a ORDER BY b DESC LIMIT 1) AS x FROM t',
    ['1, 9: t[1]·δ(u[4])', '2, : t[2]', ', : t[3]'],
  ],
  [
    'SELECT a, (SELECT count(*) FROM u WHERE u.a >= t.a) AS n FROM t',
    ['1, 3: t[1]·δ(δ(u[1] + u[2] + u[4]))', '2, 1: t[2]·δ(δ(u[2]))', ', 0: t[3]'],
  ],
  ['SELECT a FROM t WHERE a NOT IN (SELECT b FROM u WHERE u.a < t.a EXCEPT SELECT 4)', ['1: t[1]', ': t[3]']],
  [
    'SELECT t.a, v.b FROM t, LATERAL (SELECT b FROM u WHERE u.a <= t.a ORDER BY b LIMIT 1) v',
    ['1, 2: t[1]·u[1]', '2, 2: t[2]·u[1]'],
  ],
  [
    'SELECT t.a, v.b FROM t LEFT JOIN LATERAL (SELECT b FROM u WHERE u.a = t.a AND b < 5) v ON true',
    ['1, 2: t[1]·u[1]', '2, : t[2]', ', : t[3]'],
  ],
  ['SELECT DISTINCT ON (a) a, b FROM u ORDER BY a, b DESC', ['1, 9: u[4]', '3, 4: u[2]', ', 5: u[3]']],
  ["SELECT string_agg(CAST(b AS text), '>' ORDER BY a DESC NULLS LAST, b) AS s FROM u", ['4>2>9>5: 1']],
  [
    'SELECT t.a, u.b FROM t LEFT JOIN u ON t.a = u.a AND u.b > (SELECT min(b) FROM u)',
    ['1, 9: t[1]·u[4]', '2, : t[2]', ', : t[3]'],
  ],
];

describe('correlated subqueries', () => {
  for (const [sql, expected] of examples) {
    it(sql, async () => {
      const result = await scene().query(sql);
      const shown = result.rows().map((row, i) => `${row.join(', ')}: ${result.showPolynomial(i)}`);
      assert.deepEqual(shown, expected);
    });
  }

  it('are refused where a subquery in ON refers to both sides, with the place', async () => {
    const sql = 'SELECT 1 FROM t LEFT JOIN u ON t.a IN (SELECT u.b)';
    await assert.rejects(scene().query(sql), { code: 'sql/unsupported', line: 1, column: 36 });
  });

  it('say more than one row where a row asks for it', async () => {
    const sql = 'SELECT (SELECT b FROM u WHERE u.a <= t.a) FROM t';
    await assert.rejects(scene().query(sql), { code: 'engine/more-than-one-row' });
  });

  it('label a row by what it was compared with, not by the other rows that asked', async () => {
    const db = scene();
    db.label('t', bottom);
    db.label('u', bottom);
    db.label(db.table('t').rowToken(1), top);
    const result = await db.query(
      'SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a > t.a AND u.b > 5)',
    );
    assert.deepEqual(
      result.rows().map(([a], i) => [a, result.annotate(alternativeIntegrity).at(i)]),
      [
        [1, 'T'],
        [2, 'U'],
        [null, 'T'],
      ],
    );
  });
});
