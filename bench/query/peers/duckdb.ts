/**
 * DuckDB: its answer left inside, or made into JavaScript rows, or with row ids carried by a hand-written
 * rewrite.
 */
import type { Database } from '../data.js';
import type { Engine } from '../engines.js';
import type { QueryName } from '../plans.js';
import { lineageSql, sql } from '../sql.js';
import { createTable, loadPeer, missing, type Row, rowsOf } from './load-peer.js';

interface DuckResult {
  getRowsJS(): Row[];
}
interface DuckConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<DuckResult>;
  createAppender(table: string): Promise<{
    appendInteger(value: number): void;
    appendVarchar(value: string): void;
    endRow(): void;
    closeSync(): void;
  }>;
}
interface Duck {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckConnection> }> };
}

async function openDuck(db: Database): Promise<DuckConnection> {
  const { DuckDBInstance } = await loadPeer<Duck>('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const [name, table] of db) {
    await connection.run(createTable(name, table).replace('(', '(rid INTEGER, '));
    const appender = await connection.createAppender(name);
    for (const [i, row] of rowsOf(table).entries()) {
      appender.appendInteger(i);
      for (const value of row) {
        if (typeof value === 'number') appender.appendInteger(value);
        else appender.appendVarchar(value);
      }
      appender.endRow();
    }
    appender.closeSync();
  }
  return connection;
}

function duck(text: Readonly<Record<QueryName, string>>, rowsWanted: boolean, checked: boolean): Engine {
  return {
    missing: () => missing('@duckdb/node-api'),
    async setup(db) {
      const connection = await openDuck(db);
      return {
        run: async (query) => {
          const result = await connection.runAndReadAll(text[query]);
          return rowsWanted ? result.getRowsJS() : result;
        },
        rows: checked
          ? (result) => (rowsWanted ? (result as Row[]) : (result as DuckResult).getRowsJS())
          : undefined,
      };
    },
  };
}

export const duckdbInside: Engine = duck(sql, false, true);
export const duckdbRows: Engine = duck(sql, true, true);
export const duckdbLineage: Engine = duck(lineageSql, false, false);
