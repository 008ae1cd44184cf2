/**
 * SQL at its edges: whatever the text, the answer is rows or an error of assay's that names a place; never a
 * crash.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SqlError } from '../../../engine/sql/index.js';
import { Database } from '../../../planner/query/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { runs } from '../answers.js';
import { sqlQueries } from '../generated-sql.js';
import { sqlTables } from '../generated-sql-schema.js';

function database(): Database {
  const db = new Database();
  for (const { name, columns } of sqlTables) {
    db.load(name, [], {
      columns: columns.map((column) => column.name),
      types: new Map(columns.map((column) => [column.name, column.type])),
    });
  }
  return db;
}

/** Rows, or an error of ours; of SQL's own errors line and column must lie in the text. */
async function answered(db: Database, sql: string): Promise<'rows' | AssayError> {
  try {
    await db.run(sql);
    return 'rows';
  } catch (error) {
    const head = sql.slice(0, 400);
    assert.ok(
      error instanceof AssayError,
      `${head}\n${error instanceof Error ? error.stack : String(error)}`,
    );
    if (error instanceof SqlError) {
      const lines = sql.split('\n');
      assert.ok(error.line >= 1 && error.line <= lines.length, `${head}\n${error.message}`);
      assert.ok(error.column >= 1 && error.column <= [...lines[error.line - 1]].length + 1, error.message);
      assert.ok(error.message.includes('^'), error.message);
    }
    return error;
  }
}

const words = [
  ...'SELECT FROM WHERE GROUP BY ORDER LIMIT OFFSET DISTINCT ON AS WITH VALUES JOIN LEFT LATERAL USING'.split(
    ' ',
  ),
  ...'UNION EXCEPT INTERSECT ALL ANY EXISTS IN NOT AND OR CASE WHEN THEN ELSE END NULL IS LIKE CAST'.split(
    ' ',
  ),
  ...'INSERT INTO CREATE TABLE DROP EXPLAIN ANALYZE UPDATE DELETE count sum string_agg lower contains'.split(
    ' ',
  ),
  ...'r t u a b s x d q $1 $2 1 -1 2.5e300 0x1F * , . ( ) [ ] ; : :: = <> < || -- /* */ + - / %'.split(' '),
  ...["'a'", "''", "'", '"a"', '"', '""', "E'\\n'", '$$x$$', '\n', 'é', '𝄞', '\u0001', '\u202e', 'int'],
  ...['varchar(3)', "DATE '2022-01-01'"],
];

describe('SQL at its edges', () => {
  it('answers or refuses any sequence of words', async () => {
    const db = database();
    const texts = fc
      .array(fc.constantFrom(...words), { maxLength: 25, size: 'max' })
      .map((list) => list.join(' '));
    await fc.assert(
      fc.asyncProperty(texts, async (sql) => {
        await answered(db, sql);
      }),
      runs(1500),
    );
  });

  it('answers or refuses a query with words added, left out, or cut off', async () => {
    const db = database();
    const change = fc.record({
      at: fc.nat(),
      word: fc.constantFrom(...words),
      kind: fc.constantFrom('add', 'drop', 'cut', 'replace'),
    });
    const changes = fc.array(change, { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(sqlQueries(40), changes, async ({ text }, list) => {
      let parts = text.split(/(?<=\W)|(?=\W)/);
      for (const { at, word, kind } of list) {
        const i = at % parts.length;
        if (kind === 'cut') parts = parts.slice(0, i + 1);
        else parts.splice(i, kind === 'add' ? 0 : 1, ...(kind === 'drop' ? [] : [word]));
        if (parts.length === 0) parts = [' '];
      }
      await answered(db, parts.join(''));
    });
    await fc.assert(property, runs(400));
  });

  it('answers or refuses any characters', async () => {
    const db = database();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (sql) => {
        await answered(db, sql);
      }),
      runs(300),
    );
  });

  it('keeps rows of 1,500 columns', async () => {
    const db = new Database();
    const list = Array.from({ length: 1500 }, (_, i) => `${i} AS "c ${i}"`).join(', ');
    const result = await db.query(`SELECT * FROM (SELECT ${list}) q`);
    assert.deepEqual([result.columns.length, result.row(0)[1499]], [1500, 1499]);
    await db.run(`CREATE TABLE wide AS SELECT ${list}; INSERT INTO wide SELECT * FROM wide`);
    assert.equal((await db.query('SELECT * FROM wide')).rowCount, 2);
  });

  it('keeps a literal of 10 MB, and marks a place behind it', async () => {
    const db = new Database();
    const long = 'ä'.repeat(5_000_000);
    const result = await db.query(`SELECT length('${long}') AS n, '${long}' AS s`);
    assert.equal(result.row(0)[0], 5_000_000);
    const error = await answered(db, `SELECT '${long}',\n nothing`);
    assert.ok(error instanceof SqlError);
    assert.deepEqual([error.line, error.column], [2, 2]);
    assert.ok(error.message.length < 1000);
  });

  it('answers deep nesting, and refuses what is deeper by name', async () => {
    const db = database();
    const shapes: readonly ((depth: number) => string)[] = [
      (depth) => `SELECT ${'('.repeat(depth)}1${')'.repeat(depth)}`,
      (depth) => `SELECT ${Array.from({ length: depth }, () => '1').join(' + ')}`,
      (depth) => `SELECT ${'NOT '.repeat(depth)}TRUE`,
      (depth) => `${'SELECT * FROM ('.repeat(depth)}SELECT 1 AS a${') q'.repeat(depth)}`,
      (depth) => `SELECT ${'CASE WHEN TRUE THEN '.repeat(depth)}1${' END'.repeat(depth)}`,
      (depth) => `SELECT ${Array.from({ length: depth }, (_, i) => `a = ${i}`).join(' OR ')} FROM r`,
    ];
    for (const shape of shapes) {
      assert.equal(await answered(db, shape(50)), 'rows', shape(3));
      for (const depth of [700, 2000, 5000]) await answered(db, shape(depth));
    }
  });

  it('answers subqueries that refer to the enclosing query five levels deep', async () => {
    const db = database();
    const nested = (depth: number): string =>
      `SELECT count(*) FROM t q${depth} WHERE q${depth}.a > ${depth === 0 ? 'q1.a' : `(${nested(depth - 1)})`} OR q5.a = 1`;
    assert.equal(await answered(db, nested(5)), 'rows');
  });

  it('takes control characters in text, keywords and anything else as quoted names', async () => {
    const db = new Database();
    const quoted = `"${'select "from"\n\u0001 __proto__'.replaceAll('"', '""')}"`;
    await db.run(`CREATE TABLE ${quoted} ("select" int, "__proto__" text, "a.b" text)`);
    await db.run(`INSERT INTO ${quoted} VALUES (1, E'\\x01\u202e', '\u0007')`);
    const result = await db.query(`SELECT "select", "__proto__", "a.b", "select" FROM ${quoted}`);
    assert.deepEqual(result.rows(), [[1, '\u0001\u202e', '\u0007', 1]]);
    assert.equal((await db.query(`SELECT "select" AS a, 2 AS a FROM ${quoted}`)).objects()[0].a, 2);
    assert.ok((await answered(db, "SELECT 'a\0b'")) instanceof SqlError);
  });

  it('says where unfinished statements end', async () => {
    const db = database();
    const unfinished = [
      'SELECT (1',
      "SELECT 'a",
      'SELECT "a',
      'SELECT 1 /* x',
      'SELECT $$x',
      'SELECT a FROM',
    ];
    for (const sql of [...unfinished, 'WITH w AS (SELECT 1)', 'INSERT INTO t', 'SELECT CASE WHEN a']) {
      const error = await answered(db, sql);
      assert.ok(error instanceof SqlError, sql);
      assert.equal(error.code, 'sql/syntax');
    }
  });
});
