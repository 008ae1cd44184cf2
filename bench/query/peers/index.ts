/** Other in-process engines, without provenance (and one DuckDB run with hand-written lineage). */
import type { Engine } from '../engines.js';
import { alasql } from './alasql.js';
import { arquero } from './arquero.js';
import { duckdbInside, duckdbLineage, duckdbRows } from './duckdb.js';
import { betterSqlite, sqlJs } from './sqlite.js';

export const peers: readonly (readonly [string, Engine])[] = [
  ['duckdb-inside', duckdbInside],
  ['duckdb-rows', duckdbRows],
  ['duckdb-lineage', duckdbLineage],
  ['better-sqlite3', betterSqlite],
  ['sql.js', sqlJs],
  ['alasql', alasql],
  ['arquero', arquero],
];
