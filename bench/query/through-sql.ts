/**
 * The eight queries as SQL through the database: parsed, planned with the optimiser's join order, run with
 * provenance.
 */
import { Database } from '../../planner/query/database.js';
import type { Result } from '../../planner/query/result.js';
import type { Database as Data } from './data.js';
import type { Engine } from './engines.js';
import { sql } from './sql.js';

function load(data: Data): Database {
  const db = new Database();
  for (const [name, { columns, rows }] of data) {
    const arrays = [...columns.values()];
    const values = Array.from({ length: rows }, (_, i) => arrays.map((column) => column[i]));
    db.load(name, values, { columns: [...columns.keys()], membership: false });
  }
  return db;
}

export const throughSql: Engine = {
  setup(data) {
    const db = load(data);
    return {
      async run(query) {
        const result = await db.query(sql[query]);
        result.relation.columns.forEach((_, c) => void result.relation.vector(c));
        return result;
      },
      rows: (result) => (result as Result).relation.rows(),
      release: (result) => (result as Result).relation.release(),
    };
  },
};

/** Parsing, binding and planning alone. */
export const throughSqlPlanned: Engine = {
  setup(data) {
    const db = load(data);
    return { run: (query) => db.explain(sql[query]) };
  },
};
