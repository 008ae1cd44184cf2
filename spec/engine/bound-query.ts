/** SQL text to a bound plan over given tables, with all built-in functions: the front end alone. */
import * as aggregates from '../../engine/aggregates/index.js';
import type { AggregateFunction } from '../../engine/plan/expression.js';
import {
  type BoundQuery,
  bindStatement,
  builtinScalars,
  Functions,
  parseSql,
} from '../../engine/sql/index.js';
import type { Table } from '../../engine/table/table.js';
import { parametersOf } from '../../planner/query/parameters.js';
import { scalarLibrary } from '../../udf/scalar/index.js';
import type { SqlParameter } from './generated-sql.js';

const functions = new Functions(
  [...builtinScalars, ...scalarLibrary],
  Object.values(aggregates) as readonly AggregateFunction[],
);

/** @param text one SELECT */
export async function boundQuery(
  text: string,
  tables: readonly Table[],
  parameters: readonly SqlParameter[] = [],
): Promise<BoundQuery> {
  const [statement] = await parseSql(text);
  const bound = bindStatement(statement, {
    tables: {
      table: (name) => tables.find((table) => table.name === name),
      names: () => tables.map((table) => table.name),
    },
    functions,
    parameterTypes: parametersOf(parameters).types,
    now: Date.UTC(2026, 0, 1),
  });
  if (bound.kind !== 'query') throw new Error(`not a query: ${text}`);
  return bound.query;
}
