/**
 * Plain answers agree with PostgreSQL's on generated queries. The differences that are known and meant are
 * listed in spec/semantics.md. A failure prints the query, shrunk, and the seed of its data. By
 * 1. front end and reference model: the bound plan, subqueries and all, evaluated by definition;
 * 2. the whole database: front end, optimiser (decorrelation included) and executor; over queries, over
 *    expressions alone, after statements that make tables, and over what once disagreed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { Tokens } from '../../engine/provenance/token.js';
import { Catalog } from '../../engine/table/catalog.js';
import type { Table } from '../../engine/table/table.js';
import { external } from '../../engine/value/external.js';
import { Database } from '../../planner/query/database.js';
import { parametersOf } from '../../planner/query/parameters.js';
import { Bool } from '../../semiring/instances/boolean.js';
import { AssayError } from '../../semiring/message/error.js';
import { runs } from './answers.js';
import { boundQuery } from './bound-query.js';
import { type SqlQuery, type SqlScript, sqlExpressions, sqlQueries, sqlScripts } from './generated-sql.js';
import { comparable, Postgres, Refusal, type SqlData, sqlData, sqlTablesOf } from './postgres.js';
import { answer } from './reference.js';

type Rows = readonly (readonly unknown[])[];

/** The plain answer by definition: parsed, bound, and evaluated by the reference model. */
async function byDefinition(query: SqlQuery, tables: readonly Table[], data: SqlData): Promise<Rows> {
  const { plan, columns } = await boundQuery(query.text, tables, query.parameters);
  const { rows } = answer(plan, {
    semiring: Bool,
    dependency: false,
    keep: 'present',
    parameters: parametersOf(query.parameters).values,
    base: (table) => ({
      rows: data[tables.indexOf(table)].map((values) => ({
        values,
        token: true,
        cells: values.map(() => true),
      })),
      membership: true,
    }),
  });
  return rows.map((row) => row.values.map((value, i) => external(value, columns[i].type)));
}

function databaseOf(tables: readonly Table[]): Database {
  const catalog = new Catalog();
  for (const table of tables) catalog.add(table);
  return new Database({}, catalog);
}

/** The same by the whole database. */
async function byDatabase({ text, parameters }: SqlQuery, tables: readonly Table[]): Promise<Rows> {
  return (await databaseOf(tables).query(text, parameters)).rows();
}

/** Queries whose answers once differed. */
const found: readonly string[] = [
  "SELECT INTERVAL '90 minutes' + i, CAST(i AS text), i * -1 FROM u",
  "SELECT CAST('1 year -3 days 04:05:06.5' AS interval), INTERVAL '-1 year 1 mon', INTERVAL '-1 mon 1 day'",
  "SELECT justify_interval(CAST('1 year -3 days 04:05:06.5' AS interval)), justify_interval(INTERVAL '1 mon -1 hour')",
  'SELECT (floor(CAST(log(abs(x) + 1) AS double precision) * 64 + 0.001) / 64) * i, i / 3, i * 0.7 FROM t, u',
  "SELECT extract(quarter FROM i), extract(quarter FROM INTERVAL '-4 months') FROM u",
  'SELECT + a, + x, - (+ a) FROM t',
  'SELECT a FROM r ORDER BY a, b, s, p LIMIT NULL',
  'SELECT every(p), stddev(a), variance(a) FROM r',
  'SELECT avg(i), avg(i * 2) FILTER (WHERE b > 0) FROM u',
  'SELECT CAST(x AS numeric(20, 2)) AS c1, count(*) AS c2 FROM t GROUP BY 1, CAST(x AS numeric(20, 2))',
  "SELECT DISTINCT string_agg(s, ',' ORDER BY s) FROM r GROUP BY a ORDER BY string_agg(s, ',' ORDER BY s)",
  'SELECT CAST(x * 1e15 AS text), CAST(x * 1e-5 AS text), CAST(x * 1.25e-4 AS text), CAST(x * 1e14 AS text) FROM t',
  "SELECT 'a' LIKE 'a\\', '' LIKE '%\\', 'b' LIKE 'a\\'",
  "SELECT 'a%' LIKE 'a!%' ESCAPE '!', 'a\\' LIKE 'a\\' ESCAPE '', 'a!' LIKE 'a!!' ESCAPE '!', 'a\\b' LIKE 'a\\!b' ESCAPE '!'",
  "SELECT CAST('0x1A' AS integer), CAST('1_000' AS integer), CAST('-0b101' AS integer), CAST('0o17' AS integer)",
  "SELECT CAST('of' AS boolean), CAST('tr' AS boolean), CAST('y' AS boolean), CAST('N' AS boolean)",
  "SELECT CAST('20220108' AS date), CAST('20220108 10:00' AS timestamp), CAST('2022-1-8' AS date)",
  "SELECT CAST('3' AS interval), CAST('P1Y2M3DT4H5M6S' AS interval), CAST('PT-90M' AS interval)",
  "SELECT to_date('2022-12', 'YYYY-MM-DD'), to_date('', 'YYYY-MM-DD'), to_date('2022', 'YYYY-MM-DD')",
];

function isRefusal(error: unknown): boolean {
  return error instanceof AssayError && /unsupported/.test(error.code);
}

/** How many were asked, and how many each side would not answer. */
class Tally {
  #asked = 0;
  #theirs = 0;
  #ours = 0;

  /** @param text what is compared, for messages */
  async compare(
    text: string,
    ordered: boolean,
    theirs: Rows | Refusal,
    ours: () => Promise<Rows>,
  ): Promise<void> {
    this.#asked += 1;
    if (theirs instanceof Refusal) {
      // Values out of range and the like; a text that is wrong would be the generator's fault.
      assert.doesNotMatch(theirs.code, /^42/, `${theirs.message}\n${text}`);
      this.#theirs += 1;
      return;
    }
    const rows = await ours().catch((error: unknown) => {
      if (!isRefusal(error)) throw new Error(text, { cause: error });
      this.#ours += 1;
    });
    if (rows) assert.deepEqual(comparable(rows, ordered), comparable(theirs, ordered), text);
  }

  check(): void {
    assert.ok(this.#theirs <= this.#asked / 25, `PostgreSQL refused ${this.#theirs} of ${this.#asked}`);
    assert.equal(this.#ours, 0, `we refused ${this.#ours} of ${this.#asked}`);
  }
}

describe('plain answers agree with PostgreSQL', () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await Postgres.start();
  });
  after(() => postgres.close());

  /**
   * @param ours an answer to compare with PostgreSQL's
   * @param lengths how many queries, over all tables
   * @param fewest rows in each table
   */
  async function agree(
    queries: fc.Arbitrary<SqlQuery>,
    ours: (query: SqlQuery, tables: readonly Table[], data: SqlData) => Promise<Rows>,
    [full, everyday]: readonly [full: number, everyday: number],
    fewest = 0,
  ): Promise<void> {
    const tally = new Tally();
    let used = 0;
    for (let seed = 1; used < 8; seed += 1) {
      const data = sqlData(seed);
      if (data.some((rows) => rows.length < fewest)) continue;
      used += 1;
      const tables = sqlTablesOf(new Tokens(), data);
      await postgres.load(data);
      const property = fc.asyncProperty(queries, async (query) => {
        const { text, parameters, ordered } = query;
        const theirs = await postgres.query(text, parameters);
        const shown = `${text}\n${JSON.stringify(parameters)} (data of seed ${seed})`;
        await tally.compare(shown, ordered, theirs, () => ours(query, tables, data));
      });
      await fc.assert(property, runs(full / 8, everyday / 8));
    }
    tally.check();
  }

  it('by front end and reference model', async () => {
    await agree(sqlQueries(), byDefinition, [480, 240]);
  });

  it('by the whole database', async () => {
    await agree(sqlQueries(), byDatabase, [1000, 400]);
  });

  it('on expressions of every type', async () => {
    await agree(sqlExpressions(), byDatabase, [600, 240], 2);
  });

  it('where they once did not', async () => {
    const data = sqlData(1, 12);
    await postgres.load(data);
    const tables = sqlTablesOf(new Tokens(), data);
    for (const text of found) {
      const theirs = await postgres.query(text);
      assert.ok(!(theirs instanceof Refusal), `${text}: ${JSON.stringify(theirs)}`);
      const ours = await byDatabase({ text, parameters: [], ordered: false }, tables);
      assert.deepEqual(comparable(ours, false), comparable(theirs, false), text);
    }
  });

  it('after statements that make tables', async () => {
    const tally = new Tally();
    const data = sqlData(9);
    await postgres.load(data);
    const theirs = ({ statements, query }: SqlScript) =>
      postgres.tentatively(async () => {
        for (const { text, parameters } of statements) {
          const done = await postgres.query(text, parameters);
          if (done instanceof Refusal) return done;
        }
        return postgres.query(query.text, query.parameters);
      });
    const property = fc.asyncProperty(sqlScripts(), async (script) => {
      const { statements, query } = script;
      const shown = [...statements, query]
        .map(
          ({ text, parameters }) =>
            `${text};${parameters.length > 0 ? ` -- ${JSON.stringify(parameters)}` : ''}`,
        )
        .join('\n');
      await tally.compare(shown, query.ordered, await theirs(script), async () => {
        const database = databaseOf(sqlTablesOf(new Tokens(), data));
        for (const { text, parameters } of statements) await database.run(text, parameters);
        return (await database.query(query.text, query.parameters)).rows();
      });
    });
    await fc.assert(property, runs(160, 80));
    tally.check();
  });
});
