/** Rows from outside, as programs and JSON have them, into machine form. */
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { internal } from '../value/external.js';
import { checkJsonDepth } from '../value/json-depth.js';
import type { Type, Value } from '../value/value.js';

/**
 * A row from outside: an object by column name (a missing key is the column's default, NULL where it has
 * none), or an array in column order.
 */
export type InputRow = readonly unknown[] | { readonly [column: string]: unknown };

/** What a row is to fit. */
interface RowShape {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  /** @throws AssayError `engine/unknown-column` */
  columnIndex(name: string): number;
}

/**
 * One value for each column, in machine form.
 * @param i the row's number from 0, for messages
 * @param missing what stands for a column that an object has no key for
 * @throws AssayError `engine/row-length`, `engine/unknown-column`, `engine/type-mismatch`, `engine/too-deep`
 */
export function machineRow(
  table: RowShape,
  row: InputRow,
  i: number,
  missing: (column: number) => Value,
): Value[] {
  const { name, columns } = table;
  const byPosition = Array.isArray(row);
  if (byPosition && row.length !== columns.length) {
    throw new AssayError(
      'engine/row-length',
      `table ${JSON.stringify(name)}, row ${i + 1}: ${row.length} values for ${columns.length} columns`,
    );
  }
  if (!byPosition) for (const key of Object.keys(row)) table.columnIndex(key);
  return columns.map((column, c) => {
    // Own properties only: a column may be called `__proto__`.
    if (!byPosition && !Object.hasOwn(row, column.name)) return missing(c);
    const given: unknown = byPosition ? row[c] : (row as { readonly [column: string]: unknown })[column.name];
    const value = internal(given, column.type);
    const place = () => `table ${JSON.stringify(name)}, row ${i + 1}, column ${JSON.stringify(column.name)}`;
    if (value === undefined) {
      throw new AssayError(
        'engine/type-mismatch',
        `${place()}: expected ${column.type}, got ${describe(given)}`,
      );
    }
    if (column.type === 'json') checkJsonDepth(value, place);
    return value;
  });
}

/** The keys of the rows, as first seen. @throws AssayError `engine/no-columns` where a row is an array */
export function keysOf(rows: readonly InputRow[]): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    if (Array.isArray(row))
      throw new AssayError('engine/no-columns', 'rows that are arrays need the option `columns`');
    for (const key of Object.keys(row)) names.add(key);
  }
  return [...names];
}

/** A short description of a wrong value, safe to print. */
function describe(value: unknown): string {
  if (typeof value === 'string')
    return `text "${visibleText(value.length > 40 ? `${value.slice(0, 40)}…` : value)}"`;
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `${typeof value} ${String(value).slice(0, 40)}`;
}
