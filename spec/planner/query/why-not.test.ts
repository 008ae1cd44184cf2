/** Why a row is not in an answer, in words and with its place: fixed examples, of SQL. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database } from '../../../planner/query/index.js';
import { bottom, conservativeLabels, showLabel, top } from '../../../semiring/index.js';

function scene(): Database {
  const db = new Database();
  db.load('t', [
    { k: 'a', v: 10 },
    { k: 'b', v: 20 },
    { k: 'c', v: 30 },
  ]);
  db.load('s', [
    { k: 'a', w: 1 },
    { k: 'd', w: 2 },
    { k: null, w: 9 },
  ]);
  return db;
}

type Example = readonly [sql: string, tuple: Record<string, unknown>, text: string, place: string];

const drops = (condition: string, rows = '1 compatible row') =>
  `the condition ${condition} drops all of ${rows}`;

const examples: readonly Example[] = [
  [
    'SELECT k FROM t WHERE v > 12 UNION ALL SELECT k FROM s WHERE w > 3',
    { k: 'd' },
    drops('s.w > 3'),
    '1:64',
  ],
  [
    'SELECT k FROM t WHERE v > 12 UNION SELECT k FROM s WHERE w > 3',
    { k: 'a' },
    `${drops('t.v > 12')}; ${drops('s.w > 3')}`,
    '1:25',
  ],
  ['SELECT v + 1 AS z FROM t WHERE v > 12', { z: 11 }, drops('t.v > 12'), '1:34'],
  ["SELECT k || '!' AS z FROM t WHERE v > 12", { z: 'a!' }, drops('t.v > 12'), '1:37'],
  ['SELECT upper(k) AS z FROM t WHERE v > 12', { z: 'A' }, drops('t.v > 12'), '1:37'],
  ['SELECT CAST(v AS text) AS z FROM t WHERE v > 12', { z: '10' }, drops('t.v > 12'), '1:44'],
  [
    "SELECT CASE WHEN v > 5 THEN 'big' ELSE 'small' END AS z FROM t WHERE v > 40",
    { z: 'big' },
    drops('t.v > 40', '3 compatible rows'),
    '1:72',
  ],
  // Of a row that the condition keeps from being divided by zero nothing can be said.
  ['SELECT 100 / (v - 10) AS q FROM t WHERE v > 25', { q: 10 }, drops('t.v > 25'), '1:43'],
  ['SELECT v + 1 AS z FROM t WHERE v > 12', { z: 77 }, 'no row of table t gives z = 77', '1:24'],
  ['SELECT 1 AS x FROM t', { x: 2 }, 'no row gives x = 2: the select list says 1', '1:8'],
  ['SELECT s.k, v FROM t FULL JOIN s ON t.k = s.k', { k: 'q' }, 'table s has no compatible row', '1:32'],
  ['SELECT s.k, v FROM t LEFT JOIN s ON t.k = s.k', { k: 'q' }, 'table s has no compatible row', '1:32'],
  [
    'SELECT t.v + s.w AS z FROM t JOIN s ON t.k = s.k',
    { z: 12 },
    'no pair of 3 compatible rows on the left and 3 compatible rows on the right satisfies t.k = s.k',
    '1:44',
  ],
  [
    'SELECT t.v + s.w AS z FROM t JOIN s ON t.k = s.k',
    { z: 99 },
    'no pair of 3 compatible rows on the left and 3 compatible rows on the right gives z = 99',
    '1:35',
  ],
  [
    'SELECT k FROM t WHERE k NOT IN (SELECT k FROM s)',
    { k: 'b' },
    't.k NOT IN (SELECT k FROM s) is unknown for all of 1 compatible row, though nothing matches: the subquery gives a NULL in 1 row, and whether a value equals NULL is unknown',
    '1:25',
  ],
  [
    'SELECT k FROM t WHERE k NOT IN (SELECT k FROM s)',
    { k: 'a' },
    't.k NOT IN (SELECT k FROM s) fails: every one of 1 compatible row has a match',
    '1:25',
  ],
  [
    'SELECT k FROM t WHERE k IN (SELECT k FROM s)',
    { k: 'b' },
    't.k IN (SELECT k FROM s) holds for none of 1 compatible row',
    '1:25',
  ],
  [
    'SELECT k FROM t WHERE v > ANY (SELECT w * 100 FROM s)',
    { k: 'b' },
    't.v > ANY (SELECT w * 100 FROM s) holds for none of 1 compatible row',
    '1:25',
  ],
  [
    "SELECT k FROM t WHERE v > (SELECT count(*) * 100 FROM s WHERE s.k = t.k OR ')' = s.k /* ) */)",
    { k: 'a' },
    drops("t.v > (SELECT count(*) * 100 FROM s WHERE s.k = t.k OR ')' = s.k /* ) */)"),
    '1:25',
  ],
  [
    'SELECT k FROM t WHERE v > (SELECT max(w) FROM s WHERE s.k = t.k)',
    { k: 'b' },
    `${drops('t.v > (SELECT max(w) FROM s WHERE s.k = t.k)')}: a NULL makes it unknown, not true`,
    '1:25',
  ],
  [
    'SELECT k FROM t\nEXCEPT -- EXCEPT\nSELECT k FROM s',
    { k: 'a' },
    'EXCEPT removes 1 compatible row: the right side has them too',
    '2:1',
  ],
  [
    'SELECT DISTINCT ON (k) k, v FROM (SELECT * FROM t UNION ALL SELECT k, w FROM s) x ORDER BY k, v',
    { v: 10 },
    'only the first rows of those with equal k are kept: that cuts off 1 compatible row',
    '1:24',
  ],
  ['SELECT count(*) AS n FROM t', { n: 7 }, 'the aggregate over 3 compatible rows has other values', '1:8'],
  ['SELECT count(*) AS n FROM t WHERE v > 99', { n: 7 }, drops('t.v > 99', '3 compatible rows'), '1:37'],
];

describe('why not', () => {
  for (const [sql, tuple, text, place] of examples) {
    it(`${sql.replaceAll('\n', ' ')} ${JSON.stringify(tuple)}`, async () => {
      const answer = await scene().whyNot(sql, tuple);
      assert.deepEqual([answer.text, `${answer.line}:${answer.column}`], [text, place]);
    });
  }

  it('tells each branch of a union on its own', async () => {
    const sql = 'SELECT k FROM t WHERE v > 12 UNION SELECT k FROM s WHERE w > 3';
    const { branches = [] } = await scene().whyNot(sql, { k: 'a' });
    assert.deepEqual(
      branches.map((one) => [one.operator, one.predicate, one.line, one.column]),
      [
        ['filter', 't.v > 12', 1, 25],
        ['filter', 's.w > 3', 1, 60],
      ],
    );
  });

  it('refuses tuples that are none of the answer, and names its columns', async () => {
    const ask = (tuple: Parameters<Database['whyNot']>[1], sql = 'SELECT k, v FROM t') =>
      scene().whyNot(sql, tuple);
    await assert.rejects(ask({ nosuch: 5 }), { code: 'query/unknown-column', message: /known: k, v/ });
    await assert.rejects(ask({ K: 'zz' }), { code: 'query/unknown-column', message: /did you mean "k"/ });
    await assert.rejects(ask({ __proto__x: 1 }), { code: 'query/unknown-column' });
    await assert.rejects(ask(['a', 1, 2]), { code: 'query/row-length', message: /k, v/ });
    await assert.rejects(ask(['a']), { code: 'query/row-length' });
    await assert.rejects(ask({ k: 1 }, 'SELECT k, k FROM t'), { code: 'query/ambiguous-column' });
  });
});

describe('an answer after rows came in', () => {
  const sql = 'SELECT k, sum(v) AS v FROM t WHERE k IN (SELECT k FROM s) GROUP BY k';

  it('is explained by the rows that it was made from', async () => {
    const db = scene();
    const result = await db.query(sql);
    const before = result.why(0);
    const proof = before.operators?.text;
    db.table('t').append([
      { k: 'a', v: 5 },
      { k: 'd', v: 1 },
    ]);
    db.table('s').append([{ k: 'b', w: 1 }]);
    assert.equal(result.why(0).operators?.text, proof);
    assert.equal(before.operators?.text, proof);
    assert.match((await result.whyNot({ k: 'd' })).text, /table t has no compatible row/);
    assert.match((await result.whyNot({ k: 'b' })).text, /holds for none of 1 compatible row/);
    assert.equal((await db.whyNot(sql, { k: 'd' })).present, true);
    const built = db.execute(db.from('t').plan);
    db.table('t').append([{ k: 'e', v: 9 }]);
    assert.equal((await built.whyNot({ k: 'e' })).present, false);
  });

  it('has rows, cells and tokens of one state, whatever came in while it ran', async () => {
    const db = new Database();
    const table = db.load('t', [{ a: 1, b: 'x' }], { labelled: ['b'] });
    const running = db.query('SELECT x.a FROM t x, t y WHERE x.b = y.b');
    await new Promise<void>((resolve) => setImmediate(resolve));
    table.append([{ a: 2, b: 'x' }]);
    const { rowCount } = await running;
    assert.ok(rowCount === 1 || rowCount === 4, `${rowCount} rows`);
  });
});

describe('EXPLAIN', () => {
  it('depends on all that its tables hold, in every reading', async () => {
    const db = scene();
    db.label('t', bottom);
    db.label('s', bottom);
    db.label(db.table('s').rowToken(1), top);
    const labelOf = async (sql: string): Promise<string> => {
      const result = await db.query(sql);
      return showLabel(result.annotate(conservativeLabels).at(result.rowCount - 1) ?? bottom);
    };
    assert.equal(await labelOf('EXPLAIN ANALYZE SELECT k FROM t'), showLabel(bottom));
    assert.equal(await labelOf('EXPLAIN ANALYZE SELECT k FROM s WHERE w > 100'), showLabel(top));
    assert.equal(await labelOf('EXPLAIN SELECT k FROM s WHERE w > 100'), showLabel(top));
    const inside = 'EXPLAIN SELECT k FROM t WHERE k IN (SELECT k FROM s WHERE false)';
    assert.equal(await labelOf(inside), showLabel(top));
    const { dependsOn } = await db.explain('SELECT k FROM t');
    assert.equal(dependsOn.rows, 1);
    const plan = await db.query('EXPLAIN SELECT k FROM t');
    assert.match(plan.showPolynomial(0), /t\[1\]/);
  });

  it('ANALYZE says what a run is made of, and it adds up', async () => {
    const { run, parts, text } = await scene().explain('SELECT count(*) FROM t', [], { analyze: true });
    assert.ok(run !== undefined && parts);
    const sum = parts.operators + parts.answering + parts.waiting + parts.rest;
    assert.ok(Math.abs(sum - run) < 1e-6);
    assert.ok(parts.rest >= 0 && parts.waiting >= 0 && parts.answering === 0);
    assert.match(text, /run in .* \(operators .*, waiting for the event loop .*, the rest .*\)/);
  });
});
