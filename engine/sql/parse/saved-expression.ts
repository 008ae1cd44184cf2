/**
 * CHECK and DEFAULT out of a file: a syntax tree that may be anything. It passes the same gate as one that
 * was parsed, so nothing runs that could not have been written.
 */
import type { Node } from 'libpg-query';
import type { Check, Default } from '../../constraints/index.js';
import type { Type } from '../../value/value.js';
import { checkOf, defaultOf } from '../bind/row-expression.js';
import { BindContext } from '../context.js';
import type { FunctionCatalog } from '../function-catalog.js';
import { checkSupported } from './check-supported.js';
import { SqlSource } from './source.js';

interface SavedColumn {
  readonly name: string;
  readonly type: Type;
}

/** @throws {SqlError} where it is no CHECK over these columns; TypeError where it is no syntax tree */
export function savedCheck(
  name: string,
  syntax: unknown,
  table: string,
  columns: readonly SavedColumn[],
  functions: FunctionCatalog,
): Check {
  return checkOf(name, checkedTree(syntax), contextOf(functions), table, columns);
}

/** @throws {SqlError} where it is no DEFAULT of this column; TypeError where it is no syntax tree */
export function savedDefault(syntax: unknown, column: SavedColumn, functions: FunctionCatalog): Default {
  return defaultOf(checkedTree(syntax), contextOf(functions), column);
}

function checkedTree(syntax: unknown): Node {
  if (typeof syntax !== 'object' || syntax === null) throw new TypeError('this is no syntax tree');
  checkSupported(syntax, new SqlSource(''), 0);
  return syntax as Node;
}

function contextOf(functions: FunctionCatalog): BindContext {
  const tables = { table: () => undefined, names: () => [] };
  return new BindContext(new SqlSource(''), { tables, functions, now: 0 });
}
