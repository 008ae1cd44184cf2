/** SQLite, native (better-sqlite3) and as WebAssembly (sql.js). */
import type { Engine } from '../engines.js';
import { queryNames } from '../plans.js';
import { sql } from '../sql.js';
import { createTable, loadPeer, missing, type Row, rowsOf } from './load-peer.js';

interface SqliteStatement {
  raw(): SqliteStatement;
  all(): Row[];
  run(...values: Row): void;
}
interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
}

export const betterSqlite: Engine = {
  missing: () => missing('better-sqlite3'),
  async setup(db) {
    const Constructor = await loadPeer<new (file: string) => Sqlite>('better-sqlite3');
    const base = new Constructor(':memory:');
    for (const [name, table] of db) {
      base.exec(createTable(name, table));
      const insert = base.prepare(
        `INSERT INTO ${name} VALUES (${[...table.columns].map(() => '?').join(', ')})`,
      );
      base.exec('BEGIN');
      for (const row of rowsOf(table)) insert.run(...row);
      base.exec('COMMIT');
    }
    for (const index of indexes) base.exec(index);
    base.exec('ANALYZE');
    const statements = new Map(queryNames.map((query) => [query, base.prepare(sql[query]).raw()]));
    return { run: (query) => statements.get(query)?.all(), rows: (result) => result as Row[] };
  },
};

/** Indexes on the join keys, as a user of SQLite would make them. */
const indexes = [
  'CREATE INDEX orders_key ON orders (o_orderkey)',
  'CREATE INDEX customer_key ON customer (c_custkey)',
  'CREATE INDEX supplier_key ON supplier (s_suppkey)',
  'CREATE INDEX edge_src ON edge (src, dst)',
];

interface SqlJs {
  Database: new () => {
    run(sql: string): void;
    exec(sql: string): { values: Row[] }[];
    prepare(sql: string): { run(values: Row): void; free(): void };
  };
}

export const sqlJs: Engine = {
  missing: () => missing('sql.js'),
  async setup(db) {
    const initialise = await loadPeer<() => Promise<SqlJs>>('sql.js');
    const base = new (await initialise()).Database();
    for (const [name, table] of db) {
      base.run(createTable(name, table));
      base.run('BEGIN');
      const insert = base.prepare(
        `INSERT INTO ${name} VALUES (${[...table.columns].map(() => '?').join(', ')})`,
      );
      for (const row of rowsOf(table)) insert.run(row);
      insert.free();
      base.run('COMMIT');
    }
    for (const index of indexes) base.run(index);
    base.run('ANALYZE');
    return { run: (query) => base.exec(sql[query])[0]?.values ?? [], rows: (result) => result as Row[] };
  },
};
