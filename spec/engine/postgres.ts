/**
 * A real PostgreSQL (PGlite: PostgreSQL as WebAssembly), started once, with the schema of generated-sql.ts
 * and data of our choice; and the comparison of two plain answers: as lists where the query says an order,
 * else as multisets, numbers up to nine digits (sums and averages round differently).
 */
import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import type { Tokens } from '../../engine/provenance/token.js';
import { Table } from '../../engine/table/table.js';
import { external } from '../../engine/value/external.js';
import type { Value } from '../../engine/value/value.js';
import { valuesOf } from './generated-database.js';
import type { SqlParameter } from './generated-sql.js';
import { type SqlType, sqlTables, typeNames } from './generated-sql-schema.js';

/** Rows of each table of the schema, in order, in machine form. */
export type SqlData = readonly (readonly (readonly Value[])[])[];

/** @param seed the same seed gives the same data */
export function sqlData(seed: number, maxLength = 6): SqlData {
  const rows = sqlTables.map(({ columns }) =>
    fc.array(fc.tuple(...columns.map((column) => valuesOf(column.type))), { maxLength, size: 'max' }),
  );
  return fc.sample(fc.tuple(...rows), { seed, numRuns: 1 })[0];
}

/** The same data as tables of ours. */
export function sqlTablesOf(tokens: Tokens, data: SqlData): Table[] {
  return sqlTables.map(({ name, columns }, t) =>
    Table.fromRows(
      tokens,
      name,
      data[t].map((row) => row.map((value, c) => external(value, columns[c].type))),
      {
        columns: columns.map((c) => c.name),
        types: new Map(columns.map((c) => [c.name, c.type])),
        labelled: 'all',
        membership: true,
      },
    ),
  );
}

const asNumber = (text: string) => Number(text);
const asText = (text: string) => text;

/** What PostgreSQL says instead of rows. */
export class Refusal {
  /**
   * SQLSTATE: its first two characters are a class, 22 for data that will not do, 42 for a text that is
   * wrong.
   */
  readonly code: string;
  readonly message: string;

  constructor(error: unknown) {
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    this.code = code ?? '';
    this.message = message ?? String(error);
  }
}

export class Postgres {
  readonly #database: PGlite;

  private constructor(database: PGlite) {
    this.#database = database;
  }

  static async start(): Promise<Postgres> {
    const database = await PGlite.create();
    await database.exec("SET TIME ZONE 'UTC'");
    // Our own function, in PostgreSQL's words.
    await database.exec(
      'CREATE FUNCTION contains(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT strpos($1, $2) > 0 $$',
    );
    for (const { name, columns } of sqlTables)
      await database.exec(
        `CREATE TABLE ${name} (${columns.map((c) => `${c.name} ${typeNames[c.type]}`).join(', ')})`,
      );
    return new Postgres(database);
  }

  async load(data: SqlData): Promise<void> {
    for (const [t, { name, columns }] of sqlTables.entries()) {
      await this.#database.exec(`TRUNCATE ${name}`);
      for (const row of data[t]) {
        const values = row.map((value, c) => (value === null ? 'NULL' : literal(value, columns[c].type)));
        await this.#database.exec(`INSERT INTO ${name} VALUES (${values.join(', ')})`);
      }
    }
  }

  /** Rows with numbers as numbers, dates and the like as ISO text; or PostgreSQL's refusal. */
  async query(text: string, parameters: readonly SqlParameter[] = []): Promise<unknown[][] | Refusal> {
    const parsers = { 20: asNumber, 1700: asNumber, 1082: asText, 1114: asText, 1186: asText };
    try {
      const { rows } = await this.#database.query<unknown[]>(text, [...parameters], {
        rowMode: 'array',
        parsers,
      });
      return rows;
    } catch (error) {
      return new Refusal(error);
    }
  }

  /** What `run` does to the tables is taken back. */
  async tentatively<T>(run: () => Promise<T>): Promise<T> {
    await this.#database.exec('BEGIN');
    try {
      return await run();
    } finally {
      await this.#database.exec('ROLLBACK');
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

function literal(value: Value, type: SqlType): string {
  const text = String(external(value, type));
  return `CAST('${text.replaceAll("'", "''")}' AS ${typeNames[type]})`;
}

/** One line a row, to compare answers by. */
export function comparable(rows: readonly (readonly unknown[])[], ordered: boolean): string[] {
  const lines = rows.map((row) =>
    JSON.stringify(
      row.map((value) => {
        if (typeof value === 'bigint') return Number(value);
        if (typeof value === 'number')
          return Number.isFinite(value) ? Number(value.toPrecision(9)) + 0 : `${value}`;
        return value;
      }),
    ),
  );
  return ordered ? lines : lines.sort();
}
