/** SQL text to a bound plan over given tables, with all built-in functions: the front end alone. */
import * as aggregates from '../../engine/aggregates/index.js';
import type { AggregateFunction } from '../../engine/expression.js';
import {
  type BoundQuery,
  bindStatement,
  builtinScalars,
  Functions,
  parseSql,
} from '../../engine/sql/index.js';
import type { Table } from '../../engine/table.js';
import { scalarLibrary } from '../../udf/scalar/index.js';

const functions = new Functions(
  [...builtinScalars, ...scalarLibrary],
  Object.values(aggregates) as readonly AggregateFunction[],
);

/** @param text one SELECT */
export async function boundQuery(text: string, tables: readonly Table[]): Promise<BoundQuery> {
  const [statement] = await parseSql(text);
  const bound = bindStatement(statement, {
    tables: {
      table: (name) => tables.find((table) => table.name === name),
      names: () => tables.map((table) => table.name),
    },
    functions,
    now: 0,
  });
  if (bound.kind !== 'query') throw new Error(`not a query: ${text}`);
  return bound.query;
}
