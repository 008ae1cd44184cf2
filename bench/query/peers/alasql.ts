/** AlaSQL: SQL over JavaScript objects. */
import type { TableData } from '../data.js';
import type { Engine } from '../engines.js';
import { queryNames } from '../plans.js';
import { sql } from '../sql.js';
import { loadPeer, missing } from './load-peer.js';

interface AlaSql {
  Database: new (
    name: string,
  ) => {
    exec(sql: string): unknown;
    tables: Record<string, { data: unknown[] }>;
  };
  compile(sql: string, database: string): () => Record<string, number | string>[];
}

/** Its grammar has more reserved words than SQL: `edge` is one, and so are some short names. */
function inAlaSql(text: string): string {
  return text.replace(/\bedge\b/g, '[edge]').replace(/ AS (a|b|c|n)\b/g, ' AS [$1]');
}

export const alasql: Engine = {
  missing: () => missing('alasql'),
  async setup(db) {
    const { Database: Base, compile } = await loadPeer<AlaSql>('alasql');
    const base = new Base('bench');
    for (const [name, table] of db) {
      base.exec(`CREATE TABLE [${name}]`);
      base.tables[name].data = objects(table);
    }
    const compiled = new Map(queryNames.map((query) => [query, compile(inAlaSql(sql[query]), 'bench')]));
    return {
      run: (query) => compiled.get(query)?.(),
      rows: (result) => (result as Record<string, number | string>[]).map((row) => Object.values(row)),
    };
  },
};

function objects({ columns, rows }: TableData): Record<string, number | string>[] {
  return Array.from({ length: rows }, (_, i) =>
    Object.fromEntries([...columns].map(([name, data]) => [name, data[i]])),
  );
}
