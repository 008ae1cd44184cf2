/**
 * Other in-process engines, without provenance (and one DuckDB run with hand-written lineage). The one thing to know:
 * they live in a package of their own, bench/peers, so that installing assay stays small; what is not installed is
 * left out.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Database, TableData } from './data.js';
import type { Engine } from './engines.js';
import { type QueryName, queryNames } from './plans.js';
import { lineageSql, sql } from './sql.js';

const folder = fileURLToPath(new URL('../peers/', import.meta.url));

function missing(name: string): string | undefined {
  if (existsSync(`${folder}node_modules/${name}/package.json`)) return undefined;
  return `${name} is not installed: cd bench/peers && npm install`;
}

/** A peer's module; what it exports is described where it is used. */
async function load<M>(name: string): Promise<M> {
  const path = createRequire(folder).resolve(name);
  const module = (await import(pathToFileURL(path).href)) as { default?: M } & M;
  return module.default ?? module;
}

type Row = readonly (number | string)[];

function rowsOf({ columns, rows }: TableData): Row[] {
  const data = [...columns.values()];
  return Array.from({ length: rows }, (_, i) => data.map((column) => column[i]));
}

function typeOf(column: Int32Array | readonly string[]): string {
  return column instanceof Int32Array ? 'INTEGER' : 'VARCHAR';
}

function createTable(name: string, { columns }: TableData): string {
  return `CREATE TABLE ${name} (${[...columns].map(([column, data]) => `${column} ${typeOf(data)}`).join(', ')})`;
}

interface SqliteStatement {
  raw(): SqliteStatement;
  all(): Row[];
  run(...values: Row): void;
}
interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
}

const betterSqlite: Engine = {
  missing: () => missing('better-sqlite3'),
  async setup(db) {
    const Constructor = await load<new (file: string) => Sqlite>('better-sqlite3');
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

const sqlJs: Engine = {
  missing: () => missing('sql.js'),
  async setup(db) {
    const initialise = await load<() => Promise<SqlJs>>('sql.js');
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

const alasql: Engine = {
  missing: () => missing('alasql'),
  async setup(db) {
    const { Database: Base, compile } = await load<AlaSql>('alasql');
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
  const { DuckDBInstance } = await load<Duck>('@duckdb/node-api');
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

interface AqTable {
  filter(test: unknown): AqTable;
  join(other: AqTable, on: unknown, values?: unknown): AqTable;
  derive(columns: unknown): AqTable;
  groupby(...keys: unknown[]): AqTable;
  rollup(columns?: unknown): AqTable;
  select(...columns: unknown[]): AqTable;
  rename(columns: Readonly<Record<string, string>>): AqTable;
  dedupe(...columns: unknown[]): AqTable;
  objects(): Record<string, number | string>[];
  reify(): AqTable;
}
interface Arquero {
  table(columns: Readonly<Record<string, unknown>>): AqTable;
  escape(test: (row: Record<string, number>) => unknown): unknown;
  op: Record<'sum' | 'mean' | 'count', (column?: string) => unknown>;
}

const arquero: Engine = {
  missing: () => missing('arquero'),
  async setup(db) {
    const aq = await load<Arquero>('arquero');
    const table = (name: string): AqTable => aq.table(Object.fromEntries(db.get(name)?.columns ?? []));
    const [lineitem, orders, customer, supplier, nation, region, edge] = [
      'lineitem',
      'orders',
      'customer',
      'supplier',
      'nation',
      'region',
      'edge',
    ].map(table);
    const where = (test: (row: Record<string, number>) => unknown): unknown => aq.escape(test);
    const { sum, mean, count } = aq.op;
    const discounted = { disc: where((d) => d.l_extendedprice * (100 - d.l_discount)) };
    const queries: Record<QueryName, () => AqTable> = {
      q1: () =>
        lineitem
          .filter(where((d) => d.l_shipdate <= 19980902))
          .derive(discounted)
          .groupby('l_returnflag', 'l_linestatus')
          .rollup({
            sum_qty: sum('l_quantity'),
            sum_base: sum('l_extendedprice'),
            sum_disc: sum('disc'),
            avg_qty: mean('l_quantity'),
            n: count(),
          }),
      q3: () =>
        lineitem
          .filter(where((d) => d.l_shipdate > 19950315))
          .join(
            orders
              .filter(where((d) => d.o_orderdate < 19950315))
              .join(customer.filter(where((d) => (d.c_mktsegment as unknown) === 'BUILDING')), [
                'o_custkey',
                'c_custkey',
              ]),
            ['l_orderkey', 'o_orderkey'],
          )
          .derive(discounted)
          .groupby('l_orderkey', 'o_orderdate', 'o_shippriority')
          .rollup({ revenue: sum('disc') }),
      q5: () =>
        lineitem
          .join(
            orders
              .filter(where((d) => d.o_orderdate >= 19940101 && d.o_orderdate < 19950101))
              .join(
                customer.join(
                  nation.join(region.filter(where((d) => (d.r_name as unknown) === 'ASIA')), [
                    'n_regionkey',
                    'r_regionkey',
                  ]),
                  ['c_nationkey', 'n_nationkey'],
                ),
                ['o_custkey', 'c_custkey'],
              ),
            ['l_orderkey', 'o_orderkey'],
          )
          .join(supplier, [
            ['l_suppkey', 'c_nationkey'],
            ['s_suppkey', 's_nationkey'],
          ])
          .derive(discounted)
          .groupby('n_name')
          .rollup({ revenue: sum('disc') }),
      q6: () =>
        lineitem
          .filter(
            where(
              (d) =>
                d.l_shipdate >= 19940101 &&
                d.l_shipdate < 19950101 &&
                d.l_discount >= 5 &&
                d.l_discount <= 7 &&
                d.l_quantity < 24,
            ),
          )
          .derive({ part: where((d) => d.l_extendedprice * d.l_discount) })
          .rollup({ revenue: sum('part') }),
      j2: () =>
        lineitem
          .join(orders, ['l_orderkey', 'o_orderkey'])
          .select('o_orderkey', 'o_orderdate', 'l_linenumber', 'l_quantity'),
      path: () =>
        edge
          .rename({ dst: 'mid' })
          .join(edge.rename({ src: 'mid' }), ['mid', 'mid'])
          .select('src', 'dst')
          .dedupe('src', 'dst'),
      j2d: () =>
        lineitem
          .join(orders, ['l_orderkey', 'o_orderkey'])
          .select('o_custkey', 'l_suppkey')
          .dedupe('o_custkey', 'l_suppkey'),
      tri: () =>
        edge
          .rename({ src: 'a', dst: 'b' })
          .join(edge.rename({ src: 'b', dst: 'c' }), ['b', 'b'])
          .join(edge.rename({ src: 'c', dst: 'a' }), [
            ['c', 'a'],
            ['c', 'a'],
          ])
          .select('a', 'b', 'c'),
    };
    return {
      run: (query) => queries[query]().reify(),
      rows: (result) => (result as AqTable).objects().map((row) => Object.values(row)),
    };
  },
};

export const peers: readonly (readonly [string, Engine])[] = [
  ['duckdb-inside', duck(sql, false, true)],
  ['duckdb-rows', duck(sql, true, true)],
  ['duckdb-lineage', duck(lineageSql, false, false)],
  ['better-sqlite3', betterSqlite],
  ['sql.js', sqlJs],
  ['alasql', alasql],
  ['arquero', arquero],
];
