/**
 * Errors of rows that a table does not take. A message shows values of the row that was to be inserted and of
 * no other, safe to print and cut short; its label is that row's.
 */
import { AssayError } from '../../semiring/message/error.js';
import { shorten, visibleText } from '../../semiring/message/visible-text.js';
import { toText } from '../operators/cast.js';
import type { Type, Value } from '../value/value.js';
import type { ConstrainedTable } from './definition.js';

/** Columns that a value is shown in. */
const shownWidth = 60;
/** Columns of a row that are shown. */
const shownColumns = 8;

/** @param row from 0, within the rows that were to be inserted together */
export function violation(
  code: string,
  table: string,
  row: number,
  what: string,
  options?: ErrorOptions,
): AssayError {
  return new AssayError(`engine/${code}`, `table ${shownName(table)}, row ${row + 1}: ${what}`, options);
}

export function shownName(name: string): string {
  return `"${visibleText(name)}"`;
}

export function shownValue(value: Value, type: Type): string {
  if (value === null) return 'NULL';
  const text = shorten(toText(value, type), shownWidth);
  return typeof value === 'string' ? `"${text}"` : text;
}

/** `"a" = 1, "b" = "x"` */
export function shownCells(
  { columns }: ConstrainedTable,
  which: readonly number[],
  row: readonly Value[],
): string {
  const cells = which
    .slice(0, shownColumns)
    .map((c) => `${shownName(columns[c].name)} = ${shownValue(row[c], columns[c].type)}`);
  if (which.length > shownColumns) cells.push('…');
  return cells.join(', ');
}
