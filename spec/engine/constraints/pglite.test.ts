/**
 * Constraints agree with PostgreSQL's: of a generated script each CREATE TABLE and each INSERT is accepted by
 * both or refused by both, and the tables hold the same rows after every one. So an INSERT that is refused
 * leaves no trace.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { Database } from '../../../planner/query/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { runs } from '../answers.js';
import { type Script, scripts } from './generated-tables.js';

/** The error's text, or undefined where the statement was accepted. */
async function refusal(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof AssayError ? `${error.code}: ${error.message}` : String(error);
  }
}

/** Rows as a multiset; `char(n)` is without the spaces that fill it up. */
function comparable(rows: readonly (readonly unknown[])[]): string[] {
  const plain = (value: unknown) =>
    typeof value === 'string' ? value.trimEnd() : typeof value === 'number' ? String(value + 0) : value;
  return rows.map((row) => JSON.stringify(row.map(plain))).sort();
}

describe('constraints agree with PostgreSQL', () => {
  let postgres: PGlite;
  before(async () => {
    postgres = await PGlite.create();
  });
  after(() => postgres.close());

  async function theirRows(table: string): Promise<unknown[][]> {
    const parsers = { 1700: Number, 1082: (text: string) => text };
    const { rows } = await postgres.query<unknown[]>(`SELECT * FROM ${table}`, [], {
      rowMode: 'array',
      parsers,
    });
    return rows;
  }

  it('on generated tables and rows', async () => {
    const seen = { made: 0, unmade: 0, accepted: 0, refused: 0 };
    const both = async (sql: string, db: Database, history: string[]): Promise<boolean> => {
      history.push(sql);
      const theirs = await refusal(() => postgres.exec(sql));
      const ours = await refusal(() => db.run(sql));
      assert.equal(
        ours !== undefined,
        theirs !== undefined,
        `${history.join(';\n')}\nours: ${ours}\ntheirs: ${theirs}`,
      );
      return theirs === undefined;
    };
    const agree = async ({ creates, inserts }: Script): Promise<void> => {
      await postgres.exec('DROP TABLE IF EXISTS u; DROP TABLE IF EXISTS t');
      const db = new Database();
      const history: string[] = [];
      for (const create of creates) seen[(await both(create, db, history)) ? 'made' : 'unmade']++;
      if (db.tables.length === 0) return;
      for (const insert of inserts) {
        const done = await both(insert, db, history);
        seen[done ? 'accepted' : 'refused']++;
        for (const { name } of db.tables) {
          const ours = (await db.query(`SELECT * FROM ${name}`)).rows();
          assert.deepEqual(comparable(ours), comparable(await theirRows(name)), history.join(';\n'));
        }
      }
    };
    await fc.assert(fc.asyncProperty(scripts, agree), { ...runs(100), includeErrorInReport: true });
    const { made, unmade, accepted, refused } = seen;
    assert.ok(made > unmade, `${made} tables made, ${unmade} refused`);
    assert.ok(
      Math.min(accepted, refused) > (accepted + refused) / 8,
      `${accepted} accepted, ${refused} refused`,
    );
  });
});
