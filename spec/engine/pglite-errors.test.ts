/**
 * Where PostgreSQL raises an error about data, so do we, and nowhere else: on generated expressions, and one
 * example for each code. What differs on purpose is listed in spec/semantics.md: an integer out of range is
 * answered.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { Tokens } from '../../engine/provenance/token.js';
import { Catalog } from '../../engine/table/catalog.js';
import { Database } from '../../planner/query/database.js';
import { AssayError } from '../../semiring/message/error.js';
import { runs } from './answers.js';
import { failingQueries } from './generated-sql.js';
import { comparable, Postgres, Refusal, type SqlData, sqlData, sqlTablesOf } from './postgres.js';

/** [SQL, SQLSTATE, our code] */
const examples: readonly (readonly [string, string, string])[] = [
  ['SELECT 1 / (a - a) FROM r', '22012', 'engine/division-by-zero'],
  ['SELECT 1 % (a - a) FROM r', '22012', 'engine/division-by-zero'],
  ['SELECT mod(1, a - a) FROM r', '22012', 'engine/division-by-zero'],
  ['SELECT div(1, a - a) FROM r', '22012', 'engine/division-by-zero'],
  ['SELECT x / (x - x) FROM t', '22012', 'engine/division-by-zero'],
  ["SELECT INTERVAL '1 day' / (a - a) FROM r", '22012', 'engine/division-by-zero'],
  ["SELECT CAST('1.5' || s AS integer) FROM r", '22P02', 'engine/bad-cast'],
  ["SELECT CAST('x' || s AS double precision) FROM r", '22P02', 'engine/bad-cast'],
  ["SELECT CAST('o' || s AS boolean) FROM r", '22P02', 'engine/bad-cast'],
  ["SELECT CAST('2022-02-30' || s AS date) FROM r", '22008', 'engine/bad-cast'],
  ["SELECT CAST('x' || s AS timestamp) FROM r", '22007', 'engine/bad-cast'],
  ["SELECT CAST('1 fortnight' || s AS interval) FROM r", '22007', 'engine/bad-cast'],
  ["SELECT CAST(CAST('nan' || s AS double precision) AS integer) FROM r", '22003', 'engine/bad-cast'],
  ["SELECT CAST('1e400' || s AS double precision) FROM r", '22003', 'engine/bad-cast'],
  ['SELECT CAST(a * 0 + 1000 AS numeric(3)) FROM r', '22003', 'engine/bad-cast'],
  ['SELECT (SELECT a FROM r) FROM r', '21000', 'engine/more-than-one-row'],
  ['SELECT (SELECT x.a FROM r AS x WHERE x.a >= r.a - 9) FROM r', '21000', 'engine/more-than-one-row'],
  ["SELECT ('a' || s) LIKE (s || '\\') FROM r", '22025', 'engine/like-escape'],
  ["SELECT s LIKE 'a' ESCAPE ('xy' || s) FROM r", '22025', 'engine/like-escape'],
  ['SELECT sqrt(-1 - x * x) FROM t', '2201F', 'udf/bad-argument'],
  ['SELECT ln(x - x) FROM t', '2201E', 'udf/bad-argument'],
  ['SELECT power(x - x, -1) FROM t', '2201F', 'udf/bad-argument'],
  ['SELECT exp(x * x * 0 + 1000) FROM t', '22003', 'udf/bad-argument'],
  ['SELECT asin(x * x + 2) FROM t', '22003', 'udf/bad-argument'],
  ['SELECT substring(s FROM 1 FOR -1) FROM r', '22011', 'udf/bad-argument'],
  ["SELECT split_part(s, 'a', a - a) FROM r", '22023', 'udf/bad-argument'],
  ['SELECT chr(a - a) FROM r', '54000', 'udf/bad-argument'],
  ['SELECT make_date(2022, 13 + a * 0, 1) FROM r', '22008', 'udf/bad-argument'],
  ["SELECT to_date('x' || s, 'YYYY-MM-DD') FROM r", '22007', 'udf/bad-argument'],
  ['SELECT a FROM r LIMIT -1', '2201W', 'engine/bad-limit'],
  ['SELECT a FROM r OFFSET -1', '2201X', 'engine/bad-limit'],
];

describe('errors agree with PostgreSQL', () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await Postgres.start();
  });
  after(() => postgres.close());

  /** A function's arguments after a NULL may be left alone or not, so there is no NULL. */
  const withoutNull = (seed: number): SqlData =>
    sqlData(seed, 9).map((rows) => rows.filter((row) => !row.includes(null)));

  function ask(text: string, data: SqlData): Promise<readonly (readonly unknown[])[] | AssayError> {
    const catalog = new Catalog();
    for (const table of sqlTablesOf(new Tokens(), data)) catalog.add(table);
    return new Database({}, catalog).query(text).then(
      (result) => result.rows(),
      (error: unknown) => {
        if (error instanceof AssayError) return error;
        throw error;
      },
    );
  }

  it('on generated expressions', async () => {
    let failed = 0;
    let usable = 0;
    for (let seed = 1; usable < 4; seed += 1) {
      const data = withoutNull(seed);
      if (data.some((rows) => rows.length === 0)) continue;
      usable += 1;
      await postgres.load(data);
      const property = fc.asyncProperty(failingQueries(), async ({ text }) => {
        const theirs = await postgres.query(text);
        const ours = await ask(text, data);
        const shown = `${text}\n(data of seed ${seed})`;
        if (theirs instanceof Refusal) {
          assert.doesNotMatch(theirs.code, /^42/, `${theirs.message}\n${shown}`);
          failed += 1;
          if (/integer out of range/.test(theirs.message)) return;
          assert.ok(ours instanceof AssayError, `only PostgreSQL: ${theirs.message}\n${shown}`);
        } else {
          assert.ok(!(ours instanceof AssayError), `only we: ${String(ours)}\n${shown}`);
          assert.deepEqual(comparable(ours, false), comparable(theirs, false), shown);
        }
      });
      await fc.assert(property, runs(150));
    }
    assert.ok(failed > 100, `only ${failed} raised an error`);
  });

  it('by code', async () => {
    const data: SqlData = [
      [
        [1, 2, '', true],
        [2, 3, '', false],
      ],
      [[1, '', 0.5, 19000]],
      [[1, 19000, 0, null]],
    ];
    await postgres.load(data);
    const codes: (readonly [string, string, string])[] = [];
    for (const [text] of examples) {
      const [theirs, ours] = [await postgres.query(text), await ask(text, data)];
      codes.push([
        text,
        theirs instanceof Refusal ? theirs.code : 'rows',
        ours instanceof AssayError ? ours.code : 'rows',
      ]);
    }
    assert.deepEqual(codes, examples);
  });
});
