/**
 * What assay does not run is refused by name, with line and column: one case for every entry of the table
 * that SQL can reach.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SqlError } from '../../../engine/sql/index.js';
import { Database } from '../../../planner/query/index.js';

/** [SQL with ¦ before the place of the refusal, what it is called] */
const cases: readonly (readonly [string, RegExp])[] = [
  ['¦UPDATE t SET a = 1', /^UPDATE/],
  ['¦DELETE FROM t', /^DELETE/],
  ['SELECT 1;\n¦TRUNCATE t', /^TRUNCATE/],
  ['¦MERGE INTO t USING t u ON true WHEN MATCHED THEN DELETE', /^MERGE/],
  ['¦ALTER TABLE t ADD c int', /^ALTER/],
  ['¦CREATE INDEX i ON t (a)', /^CREATE INDEX/],
  ['¦CREATE VIEW v AS SELECT 1', /^CREATE VIEW/],
  ['¦BEGIN', /^transaction control/],
  ['¦SET x = 1', /^SET/],
  ['¦COPY t FROM STDIN', /^COPY/],
  ['¦GRANT SELECT ON t TO x', /^GRANT/],
  ['¦DO $$ x $$', /^DO/],
  ['SELECT rank() OVER ¦(ORDER BY a) FROM t', /^window function/],
  ['SELECT a FROM t WINDOW w AS ¦(ORDER BY a)', /^WINDOW/],
  ['SELECT a INTO ¦u FROM t', /^SELECT INTO/],
  ['SELECT a FROM t GROUP BY ¦GROUPING SETS ((a), ())', /^GROUPING SETS/],
  ['SELECT a FROM t GROUP BY ¦ROLLUP (a)', /^GROUPING SETS/],
  ['SELECT a FROM t GROUP BY ¦CUBE (a)', /^GROUPING SETS/],
  ['SELECT ¦grouping(a) FROM t GROUP BY a', /^GROUPING\(\)/],
  ['SELECT ¦a FROM t GROUP BY DISTINCT a', /^GROUP BY DISTINCT/],
  ['SELECT ¦a FROM t ORDER BY a FETCH FIRST 1 ROW WITH TIES', /^FETCH/],
  ['SELECT ¦a FROM t FOR UPDATE', /^FOR UPDATE/],
  ['WITH RECURSIVE ¦x AS (SELECT 1) SELECT * FROM x', /^WITH RECURSIVE/],
  ['WITH x AS (DELETE FROM ¦t RETURNING a) SELECT * FROM x', /^DELETE/],
  ['SELECT * FROM ¦generate_series(1, 2)', /^function in FROM/],
  ['SELECT * FROM t TABLESAMPLE ¦system (1)', /^TABLESAMPLE/],
  ['SELECT * FROM ONLY ¦t', /^ONLY/],
  ['SELECT * FROM ¦s.t', /^schema name before a table/],
  ['SELECT ¦s.t.a FROM t', /^schema name before a column/],
  ['SELECT ¦s.f(a) FROM t', /^schema name before a function/],
  ['SELECT a FROM t ORDER BY a USING ¦<', /^ORDER BY … USING/],
  [
    'SELECT percentile_disc(¦a) WITHIN GROUP (ORDER BY a) FROM t',
    /^a column in the parentheses of percentile_disc/,
  ],
  ['SELECT concat(VARIADIC ¦ARRAY[s]) FROM t', /^(ARRAY|VARIADIC)/],
  ['SELECT ¦ARRAY[1]', /^ARRAY/],
  ['SELECT ¦ARRAY(SELECT 1)', /^this form of subquery/],
  ['SELECT (¦s)[1] FROM t', /^subscript/],
  ['SELECT a ¦= ANY (s) FROM t', /^array comparison/],
  ['SELECT s ¦COLLATE "C" FROM t', /^COLLATE/],
  ["SELECT s ¦SIMILAR TO 'x' FROM t", /^SIMILAR TO/],
  ["SELECT ¦B'01'", /^bit string/],
  ['SELECT f(¦a => 1)', /^named argument|NAMED ARG/],
  ['SELECT ¦current_user', /^this session variable/],
  ['SELECT ¦xmlelement(name x)', /^XML/],
  ["SELECT ¦json_object('a': 1)", /^JSON OBJECT CONSTRUCTOR/],
  ['SELECT 1::¦int[]', /^array type/],
  ['SELECT ¦DEFAULT', /^DEFAULT/],
  ['INSERT INTO t VALUES (1, 1 + ¦DEFAULT)', /^DEFAULT/],
  ['INSERT INTO t VALUES (1) RETURNING ¦a', /^RETURNING/],
  ['INSERT INTO t VALUES (1) ¦ON CONFLICT DO NOTHING', /^ON CONFLICT/],
  ['CREATE TABLE v (a ¦serial)', /^serial/],
  ['CREATE TABLE v (a int ¦GENERATED ALWAYS AS IDENTITY)', /^GENERATED/],
  ['CREATE TABLE v (a int ¦GENERATED ALWAYS AS (1) STORED)', /^GENERATED/],
  ['CREATE TABLE v (a int UNIQUE ¦DEFERRABLE)', /^DEFERRABLE/],
  ['CREATE TABLE v (a int, ¦UNIQUE (a) DEFERRABLE)', /^DEFERRABLE/],
  ['CREATE TABLE v (a int, ¦UNIQUE (a) INITIALLY DEFERRED)', /^(INITIALLY DEFERRED|DEFERRABLE)/],
  ['CREATE TABLE v (a int CHECK (a > 1) ¦NOT ENFORCED)', /^NOT ENFORCED/],
  ['CREATE TABLE v (a int, ¦CHECK (a > 1) NOT ENFORCED)', /^NOT ENFORCED/],
  ['CREATE TABLE v (a int, ¦CHECK (a > 1) NO INHERIT)', /^NO INHERIT/],
  ['CREATE TABLE v (a int, ¦EXCLUDE USING gist (a WITH =))', /^EXCLUDE/],
  ['CREATE TABLE v (a int, b int, ¦UNIQUE (a) INCLUDE (b))', /^INCLUDE/],
  ['CREATE TABLE v (a int, UNIQUE (a) WITH (¦fillfactor = 70))', /^WITH \(storage/],
  ['CREATE TABLE v (a int, ¦UNIQUE (a) USING INDEX TABLESPACE x)', /^USING INDEX TABLESPACE/],
  ['CREATE TABLE v (a int, b int, ¦PRIMARY KEY (a, b WITHOUT OVERLAPS))', /^WITHOUT OVERLAPS/],
  ['CREATE TABLE v (a int, b int, ¦FOREIGN KEY (a, PERIOD b) REFERENCES t)', /^PERIOD/],
  ['CREATE TABLE v (a int ¦REFERENCES v MATCH FULL)', /^MATCH FULL/],
  ['CREATE TABLE v (a int ¦REFERENCES v ON DELETE CASCADE)', /^ON DELETE/],
  ['CREATE TABLE v (a int ¦REFERENCES v ON UPDATE SET NULL)', /^ON UPDATE/],
  ['CREATE TABLE v (a int CHECK (a > ¦(SELECT 1)))', /^a subquery in CHECK/],
  ['CREATE TABLE v (a int DEFAULT ¦(SELECT 1))', /^a subquery in DEFAULT/],
  ['CREATE TABLE v (a ¦numeric(16, 2))', /^numeric of more than 15 digits/],
  ['CREATE TABLE v (a ¦interval day)', /^interval/],
  ['CREATE TABLE u (a ¦uuid)', /^type "uuid" is not known/],
  ['CREATE TEMP TABLE ¦u (a int)', /^TEMPORARY/],
  ['CREATE TABLE ¦u AS SELECT 1 AS a WITH NO DATA', /^WITH NO DATA/],
  ['¦DROP TABLE t CASCADE', /^DROP … CASCADE/],
  ['¦DROP VIEW t', /^DROP of anything but a table/],
  ['EXPLAIN (¦format json) SELECT 1', /^EXPLAIN \(format\)/],
  [
    'SELECT 1 FROM t LEFT JOIN u ON t.a ¦IN (SELECT u.b)',
    /^a subquery in the ON of a left join that refers to both/,
  ],
  ['SELECT a FROM t LIMIT ¦(SELECT 1)', /^a subquery in LIMIT/],
];

function small(): Database {
  const db = new Database();
  db.load('t', [{ a: 1, s: 'x' }]);
  db.load('u', [{ a: 1, b: 2 }]);
  return db;
}

async function refusal(sql: string): Promise<SqlError> {
  try {
    await small().run(sql);
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  assert.fail(`not refused: ${sql}`);
}

describe('what is refused', () => {
  for (const [marked, name] of cases) {
    it(marked.replaceAll('\n', ' '), async () => {
      const at = marked.indexOf('¦');
      const before = marked.slice(0, at).split('\n');
      const error = await refusal(marked.replace('¦', ''));
      assert.match(error.reason, name);
      assert.deepEqual(
        [error.line, error.column],
        [before.length, before[before.length - 1].length + 1],
        error.message,
      );
    });
  }
});
