/**
 * Plain answers agree with PostgreSQL's on generated queries. The differences that are known and meant are listed in
 * spec/semantics.md. A failure prints the query, shrunk, and the seed of its data. Two paths:
 * 1. front end and reference model: the bound plan, subqueries and all, evaluated by definition;
 * 2. the whole database: front end, optimiser (decorrelation included) and executor.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { Catalog } from '../../engine/catalog.js';
import { external } from '../../engine/external.js';
import type { Table } from '../../engine/table.js';
import { Tokens } from '../../engine/token.js';
import { Database } from '../../planner/query/database.js';
import { Bool } from '../../semiring/boolean.js';
import { AssayError } from '../../semiring/error.js';
import { runs } from './answers.js';
import { boundQuery } from './bound-query.js';
import { sqlQueries } from './generated-sql.js';
import { comparable, Postgres, type SqlData, sqlData, sqlTablesOf } from './postgres.js';
import { answer } from './reference.js';

/** The plain answer by definition: parsed, bound, and evaluated by the reference model. */
async function byDefinition(text: string, tables: readonly Table[], data: SqlData): Promise<unknown[][]> {
  const { plan, columns } = await boundQuery(text, tables);
  const { rows } = answer(plan, {
    semiring: Bool,
    dependency: false,
    keep: 'present',
    parameters: [],
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

/** The same by the whole database. */
async function byDatabase(text: string, tables: readonly Table[]): Promise<unknown[][]> {
  const catalog = new Catalog();
  for (const table of tables) catalog.add(table);
  return (await new Database({}, catalog).query(text)).rows();
}

function isRefusal(error: unknown): boolean {
  return error instanceof AssayError && /unsupported/.test(error.code);
}

describe('plain answers agree with PostgreSQL', () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await Postgres.start();
  });
  after(() => postgres.close());

  /** @param ours an answer to compare with PostgreSQL's */
  async function agree(
    ours: (text: string, tables: readonly Table[], data: SqlData) => Promise<readonly (readonly unknown[])[]>,
    numRuns: number,
  ): Promise<void> {
    let asked = 0;
    let refused = 0;
    let refusedByUs = 0;
    for (let seed = 1; seed <= 8; seed += 1) {
      const data = sqlData(seed);
      const tables = sqlTablesOf(new Tokens(), data);
      await postgres.load(data);
      const property = fc.asyncProperty(sqlQueries(), async ({ text, ordered }) => {
        asked += 1;
        const theirs = await postgres.query(text).catch((error: unknown) => String(error));
        // PostgreSQL itself refuses a few: sums of dates out of range and the like.
        if (typeof theirs === 'string') {
          refused += 1;
          return;
        }
        const rows = await ours(text, tables, data).catch((error: unknown) => {
          if (!isRefusal(error)) throw new Error(text, { cause: error });
          refusedByUs += 1;
        });
        if (!rows) return;
        assert.deepEqual(
          comparable(rows, ordered),
          comparable(theirs, ordered),
          `${text}\n(data of seed ${seed})`,
        );
      });
      await fc.assert(property, runs(numRuns / 8));
    }
    assert.ok(refused <= asked / 50, `PostgreSQL refused ${refused} of ${asked} generated queries`);
    assert.equal(refusedByUs, 0, `we refused ${refusedByUs} of ${asked} generated queries`);
  }

  it('by front end and reference model', async () => {
    await agree(byDefinition, 1200);
  });

  it('by the whole database', async () => {
    await agree(byDatabase, 2400);
  });
});
