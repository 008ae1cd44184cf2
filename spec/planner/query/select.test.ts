/** SQL from text to rows: a literal table of queries and answers, one construct each. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database } from '../../../planner/query/index.js';

function shop(): Database {
  const db = new Database({ clock: () => Date.UTC(2026, 0, 31, 12) });
  db.load(
    'item',
    [
      { id: 1, name: 'nut', price: 5, made: '2025-01-31' },
      { id: 2, name: 'bolt', price: 20, made: '2025-03-01' },
      { id: 3, name: 'screw', price: null, made: null },
    ],
    { types: { made: 'date' } },
  );
  db.load('sale', [
    { item: 1, n: 2, day: 1 },
    { item: 1, n: 3, day: 2 },
    { item: 2, n: 1, day: 1 },
    { item: 9, n: 7, day: 3 },
  ]);
  return db;
}

/** [what, SQL, rows] */
const cases: readonly (readonly [string, string, readonly (readonly unknown[])[]])[] = [
  ['an expression without FROM', 'SELECT 1 + 2 * 3, 7 / 2, -7 / 2, 7 % 3', [[7, 3, -3, 1]]],
  ['WHERE drops unknown', 'SELECT id FROM item WHERE price > 1', [[1], [2]]],
  [
    'AND, OR, NOT are three-valued',
    'SELECT NULL AND false, NULL OR true, NOT NULL::boolean',
    [[false, true, null]],
  ],
  ['aliases of tables and columns', 'SELECT i.id AS k FROM item AS i WHERE i.id = 2', [[2]]],
  ['aliases of columns in FROM', 'SELECT t.x FROM item AS t(x) WHERE x = 1', [[1]]],
  ['* and t.*', 'SELECT s.* FROM sale s WHERE item = 9', [[9, 7, 3]]],
  [
    'inner join',
    'SELECT name, n FROM item JOIN sale ON id = item ORDER BY n',
    [
      ['bolt', 1],
      ['nut', 2],
      ['nut', 3],
    ],
  ],
  [
    'left join',
    'SELECT id, n FROM item LEFT JOIN sale ON id = item ORDER BY 1, 2',
    [
      [1, 2],
      [1, 3],
      [2, 1],
      [3, null],
    ],
  ],
  [
    'right join',
    'SELECT id, n FROM item RIGHT JOIN sale ON id = item AND n < 5 ORDER BY n',
    [
      [2, 1],
      [1, 2],
      [1, 3],
      [null, 7],
    ],
  ],
  [
    'full join',
    'SELECT id, item FROM item FULL JOIN sale ON id = item AND n = 1 ORDER BY id, item',
    [
      [1, null],
      [2, 2],
      [3, null],
      [null, 1],
      [null, 1],
      [null, 9],
    ],
  ],
  ['cross join', 'SELECT count(*) FROM item, sale', [[12]]],
  [
    'USING merges columns',
    'SELECT * FROM (VALUES (1, 2)) a(x, y) JOIN (VALUES (1, 3)) b(x, z) USING (x)',
    [[1, 2, 3]],
  ],
  [
    'FULL JOIN USING takes the side that is there',
    'SELECT x FROM (VALUES (1)) a(x) FULL JOIN (VALUES (2)) b(x) USING (x) ORDER BY x',
    [[1], [2]],
  ],
  [
    'NATURAL JOIN',
    'SELECT * FROM (VALUES (1, 2)) a(x, y) NATURAL JOIN (VALUES (1, 3), (2, 4)) b(x, z)',
    [[1, 2, 3]],
  ],
  [
    'a self-join keeps its sides apart',
    'SELECT a.n, b.n FROM sale a JOIN sale b ON a.item = b.item AND a.n < b.n',
    [[2, 3]],
  ],
  ['GROUP BY and HAVING', 'SELECT item, sum(n) FROM sale GROUP BY item HAVING count(*) > 1', [[1, 5]]],
  [
    'GROUP BY an expression, an ordinal, an alias',
    'SELECT n % 2 AS odd, count(*) FROM sale GROUP BY odd ORDER BY 1',
    [
      [0, 1],
      [1, 3],
    ],
  ],
  ['an aggregate over no rows', 'SELECT count(*), sum(n), max(n) FROM sale WHERE n > 100', [[0, null, null]]],
  ['GROUP BY over no rows', 'SELECT item FROM sale WHERE n > 100 GROUP BY item', []],
  ['DISTINCT in an aggregate', 'SELECT count(DISTINCT item), sum(DISTINCT day) FROM sale', [[3, 6]]],
  ['FILTER', 'SELECT count(*) FILTER (WHERE n > 2), sum(n) FILTER (WHERE false) FROM sale', [[2, null]]],
  ['an aggregate of an expression in an expression', 'SELECT max(n) - min(n) + 1 FROM sale', [[7]]],
  ['HAVING without GROUP BY', 'SELECT 1 FROM sale HAVING count(*) > 100', []],
  ['DISTINCT', 'SELECT DISTINCT item FROM sale ORDER BY item DESC', [[9], [2], [1]]],
  ['DISTINCT: NULL equals NULL', 'SELECT DISTINCT x FROM (VALUES (NULL), (NULL)) v(x)', [[null]]],
  ['UNION', 'SELECT id FROM item UNION SELECT item FROM sale ORDER BY 1', [[1], [2], [3], [9]]],
  ['UNION ALL', 'SELECT 1 UNION ALL SELECT 1', [[1], [1]]],
  ['UNION finds a common type', 'SELECT 1 UNION ALL SELECT 2.5', [[1], [2.5]]],
  ['INTERSECT binds tighter than UNION', 'SELECT 1 UNION SELECT 2 INTERSECT SELECT 3', [[1]]],
  ['INTERSECT ALL', 'SELECT item FROM sale INTERSECT ALL (VALUES (1), (1), (1))', [[1], [1]]],
  ['EXCEPT', 'SELECT id FROM item EXCEPT SELECT item FROM sale', [[3]]],
  ['EXCEPT ALL', 'SELECT item FROM sale EXCEPT ALL SELECT 1 ORDER BY 1', [[1], [2], [9]]],
  ['ORDER BY: NULLs last when ascending', 'SELECT price FROM item ORDER BY price', [[5], [20], [null]]],
  [
    'ORDER BY: NULLs first when descending',
    'SELECT price FROM item ORDER BY price DESC',
    [[null], [20], [5]],
  ],
  ['NULLS FIRST and LAST', 'SELECT price FROM item ORDER BY price DESC NULLS LAST', [[20], [5], [null]]],
  [
    'ORDER BY a column that is not selected',
    'SELECT name FROM item ORDER BY id DESC',
    [['screw'], ['bolt'], ['nut']],
  ],
  ['ORDER BY an expression', 'SELECT id FROM item ORDER BY -id', [[3], [2], [1]]],
  ['ORDER BY an aggregate', 'SELECT item FROM sale GROUP BY item ORDER BY sum(n) DESC', [[9], [1], [2]]],
  ['LIMIT and OFFSET', 'SELECT id FROM item ORDER BY id LIMIT 1 OFFSET 1', [[2]]],
  ['LIMIT NULL is no limit', 'SELECT id FROM item ORDER BY id LIMIT NULL OFFSET 2', [[3]]],
  [
    'VALUES',
    "VALUES (1, 'a'), (2, NULL)",
    [
      [1, 'a'],
      [2, null],
    ],
  ],
  ['VALUES in FROM with expressions', 'SELECT y FROM (VALUES (1, 1 + 1), (2, 5)) v(x, y) WHERE x = 1', [[2]]],
  [
    'CASE with and without an operand',
    "SELECT CASE id WHEN 1 THEN 'one' ELSE 'more' END, CASE WHEN price > 10 THEN 1 END FROM item ORDER BY id",
    [
      ['one', null],
      ['more', 1],
      ['more', null],
    ],
  ],
  ['CASE does not evaluate what it does not take', 'SELECT CASE WHEN true THEN 1 ELSE 1 / 0 END', [[1]]],
  [
    'CAST and ::',
    "SELECT CAST('12' AS integer) + 1, 3.7::int, true::text, '2025-02-01'::date",
    [[13, 4, 'true', '2025-02-01']],
  ],
  [
    'varchar(n) cuts, numeric(p, s) rounds',
    "SELECT 'abcdef'::varchar(3), 2.345::numeric(5, 2)",
    [['abc', 2.35]],
  ],
  [
    'char(n) has no spaces at its end as text; numbers with an exponent are rounded too',
    "SELECT 'ab  '::char(3) || 'x', 'abcd'::char(2), 1e-7::numeric(5, 2), 12345::numeric(5, -2)",
    [['abx', 'ab', 0, 12300]],
  ],
  [
    'LIKE, ILIKE, ESCAPE',
    "SELECT 'abc' LIKE 'a%', 'abc' NOT LIKE '_b', 'ABC' ILIKE 'a_c', 'a%' LIKE 'a!%' ESCAPE '!'",
    [[true, true, true, true]],
  ],
  [
    'IN a list',
    'SELECT 1 IN (1, 2), 3 NOT IN (1, 2), 3 IN (1, NULL), NULL IN (1)',
    [[true, true, null, null]],
  ],
  [
    'BETWEEN',
    'SELECT 2 BETWEEN 1 AND 3, 2 NOT BETWEEN 1 AND 3, 2 BETWEEN SYMMETRIC 3 AND 1',
    [[true, false, true]],
  ],
  [
    'COALESCE, NULLIF, GREATEST, LEAST',
    'SELECT COALESCE(NULL, 2), NULLIF(1, 1), GREATEST(1, NULL, 3), LEAST(2, 1)',
    [[2, null, 3, 1]],
  ],
  [
    'IS NULL, IS DISTINCT FROM, IS TRUE',
    'SELECT NULL IS NULL, 1 IS NOT NULL, NULL IS DISTINCT FROM 1, NULL IS NOT DISTINCT FROM NULL, NULL::boolean IS NOT TRUE',
    [[true, true, true, true, true]],
  ],
  [
    'rows compare part by part',
    'SELECT (1, 2) = (1, 2), (1, 3) < (2, 1), (1, 2) IN ((3, 4), (1, 2))',
    [[true, true, true]],
  ],
  [
    'a quoted literal takes its type from its surroundings',
    "SELECT name FROM item WHERE made = '2025-03-01'",
    [['bolt']],
  ],
  [
    'dates and intervals',
    "SELECT date '2025-01-31' + interval '1 month', date '2025-03-01' - date '2025-02-01', timestamp '2025-01-01 10:00' - interval '90 minutes'",
    [['2025-02-28 00:00:00', 28, '2025-01-01 08:30:00']],
  ],
  ['INTERVAL with a unit outside', "SELECT date '2025-01-01' + interval '2' day", [['2025-01-03 00:00:00']]],
  [
    'extract, date_part, date_trunc',
    "SELECT extract(year FROM made), date_part('month', made), date_trunc('month', made) FROM item WHERE id = 1",
    [[2025, 1, '2025-01-01 00:00:00']],
  ],
  [
    'substring, position, trim, overlay in SQL syntax',
    "SELECT substring('assay' FROM 2 FOR 3), position('say' IN 'assay'), trim(both 'x' FROM 'xax'), trim('  a '), overlay('assay' PLACING 'XX' FROM 2)",
    [['ssa', 3, 'a', 'a', 'aXXay']],
  ],
  ["the clock is the database's", 'SELECT current_date, now()', [['2026-01-31', '2026-01-31 12:00:00']]],
  ['a scalar subquery', 'SELECT (SELECT max(n) FROM sale)', [[7]]],
  ['a scalar subquery without rows', 'SELECT (SELECT n FROM sale WHERE n > 100)', [[null]]],
  [
    'a correlated scalar subquery',
    'SELECT id, (SELECT sum(n) FROM sale WHERE item = id) FROM item ORDER BY id',
    [
      [1, 5],
      [2, 1],
      [3, null],
    ],
  ],
  [
    'a correlated count is 0 where nothing matches',
    'SELECT id, (SELECT count(*) FROM sale WHERE item = id) FROM item ORDER BY id',
    [
      [1, 2],
      [2, 1],
      [3, 0],
    ],
  ],
  [
    'a correlated expression over a count',
    'SELECT id FROM item WHERE (SELECT count(*) + 1 FROM sale WHERE item = id) = 1',
    [[3]],
  ],
  [
    'a correlated scalar subquery without an aggregate',
    'SELECT item, (SELECT name FROM item WHERE id = item) FROM sale ORDER BY n',
    [
      [2, 'bolt'],
      [1, 'nut'],
      [1, 'nut'],
      [9, null],
    ],
  ],
  [
    'IN a subquery',
    'SELECT name FROM item WHERE id IN (SELECT item FROM sale) ORDER BY 1',
    [['bolt'], ['nut']],
  ],
  ['NOT IN a subquery', 'SELECT name FROM item WHERE id NOT IN (SELECT item FROM sale)', [['screw']]],
  ['NOT IN with a NULL in the subquery', 'SELECT id FROM item WHERE id NOT IN (SELECT price FROM item)', []],
  [
    'NOT IN over no rows',
    'SELECT id FROM item WHERE NULL NOT IN (SELECT item FROM sale WHERE false) AND id = 1',
    [[1]],
  ],
  ['EXISTS', 'SELECT id FROM item WHERE EXISTS (SELECT 1 FROM sale WHERE item = id AND n > 2)', [[1]]],
  ['NOT EXISTS', 'SELECT id FROM item WHERE NOT EXISTS (SELECT 1 FROM sale WHERE item = id)', [[3]]],
  [
    'EXISTS with an inequality',
    'SELECT id FROM item WHERE EXISTS (SELECT 1 FROM sale WHERE n > price)',
    [[1]],
  ],
  [
    'IN as a value is three-valued',
    'SELECT price IN (SELECT n * 5 FROM sale) FROM item ORDER BY id',
    [[true], [false], [null]],
  ],
  [
    'EXISTS as a value',
    'SELECT id, EXISTS (SELECT 1 FROM sale WHERE item = id) FROM item ORDER BY id',
    [
      [1, true],
      [2, true],
      [3, false],
    ],
  ],
  [
    'a subquery under OR',
    'SELECT id FROM item WHERE id = 3 OR id IN (SELECT item FROM sale WHERE day = 2) ORDER BY id',
    [[1], [3]],
  ],
  [
    'ANY and ALL',
    'SELECT id FROM item WHERE price > ANY (SELECT n FROM sale) AND price >= ALL (SELECT price FROM item WHERE price IS NOT NULL)',
    [[2]],
  ],
  ['ALL as a value', 'SELECT 7 >= ALL (SELECT n FROM sale), 1 <> ALL (SELECT n FROM sale)', [[true, false]]],
  ['a row IN a subquery', 'SELECT id FROM item WHERE (id, 3) IN (SELECT item, n FROM sale)', [[1]]],
  [
    'a subquery in FROM',
    'SELECT s FROM (SELECT item, sum(n) AS s FROM sale GROUP BY item) t WHERE item = 1',
    [[5]],
  ],
  [
    'a subquery in HAVING',
    'SELECT item FROM sale GROUP BY item HAVING sum(n) = (SELECT max(n) FROM sale)',
    [[9]],
  ],
  [
    'a subquery over a group key',
    'SELECT item, (SELECT name FROM item i WHERE i.id = sale.item) FROM sale GROUP BY item ORDER BY 1',
    [
      [1, 'nut'],
      [2, 'bolt'],
      [9, null],
    ],
  ],
  [
    'WITH, named twice',
    'WITH big AS (SELECT item, n FROM sale WHERE n > 1) SELECT a.n, b.n FROM big a JOIN big b ON a.item = b.item AND a.n < b.n',
    [[2, 3]],
  ],
  [
    'WITH sees what stands before it',
    'WITH a AS (SELECT 1 AS x), b(y) AS (SELECT x + 1 FROM a) SELECT y FROM b',
    [[2]],
  ],
  ['WITH in a subquery hides a table', 'SELECT (WITH sale AS (SELECT 42 AS n) SELECT n FROM sale)', [[42]]],
  [
    'contains as a join',
    "SELECT name, needle FROM item JOIN (VALUES ('u'), ('ol'), ('w')) v(needle) ON contains(name, needle) ORDER BY 1",
    [
      ['bolt', 'ol'],
      ['nut', 'u'],
      ['screw', 'w'],
    ],
  ],
  [
    'integers are exact at every size',
    'SELECT 9007199254740993 + 1, 2147483647 * 4',
    [[9007199254740994n, 8589934588]],
  ],
  [
    'text counts code points',
    "SELECT length('a😀é'), left('😀ab', 1), substring('a😀b' FROM 2)",
    [[3, '😀', '😀b']],
  ],
  [
    'JSON access',
    `SELECT '{"a": {"b": [1, "x"]}}'::json -> 'a' -> 'b' ->> 1, '{}'::json ->> 'toString'`,
    [['x', null]],
  ],
];

describe('SELECT', () => {
  for (const [what, sql, rows] of cases) {
    it(what, async () => {
      assert.deepEqual((await shop().query(sql)).rows(), rows);
    });
  }

  it('parameters have the type of their value, and texts adapt', async () => {
    const result = await shop().query(
      'SELECT name FROM item WHERE price > $1 AND made < $2 AND name LIKE $3',
      [10, '2026-01-01', 'b%'],
    );
    assert.deepEqual(result.rows(), [['bolt']]);
  });

  it('more than one row in a scalar subquery is an error', async () => {
    await assert.rejects(shop().query('SELECT (SELECT n FROM sale)'), /a subquery used as a value returned/);
    await assert.rejects(
      shop().query('SELECT id, (SELECT n FROM sale WHERE item = id) FROM item'),
      /a subquery used as a value returned/,
    );
  });

  it('columns without an alias are named as in PostgreSQL', async () => {
    const { columns } = await shop().query(
      "SELECT id, upper(name), 1 + 1, price::text, CASE WHEN true THEN 1 END, COALESCE(1, 2), '1'::int FROM item",
    );
    assert.deepEqual(
      columns.map((column) => column.name),
      ['id', 'upper', '?column?', 'price', 'case', 'coalesce', 'int4'],
    );
  });

  it('a name that is no plain key is still a column', async () => {
    const [object] = (await shop().query('SELECT 1 AS "__proto__"')).objects();
    assert.deepEqual(Object.keys(object), ['__proto__']);
  });
});
