/** A row that somebody misses in an answer, as values by the answer's columns. */
import type { Column } from '../../../engine/plan/expression.js';
import type { Value } from '../../../engine/value/value.js';
import { AssayError } from '../../../semiring/message/error.js';
import { nearest } from '../../../semiring/message/nearest.js';
import { shorten } from '../../../semiring/message/visible-text.js';
import { valueOfType } from '../parameters.js';

/** Values by column name (others may be anything), or one for each column (`undefined`: anything). */
export type Tuple = readonly unknown[] | { readonly [column: string]: unknown };

/** A tuple as one value in machine form for each column of the answer; undefined: any value. */
export type WantedTuple = readonly (Value | undefined)[];

/**
 * @throws AssayError `query/unknown-column`, `query/ambiguous-column`, `query/row-length`, `query/parameter`
 */
export function wantedTuple(tuple: Tuple, columns: readonly Column[]): WantedTuple {
  const given = isList(tuple) ? inOrder(tuple, columns) : byName(tuple, columns);
  return given.map((value, i) =>
    value === undefined ? undefined : valueOfType(value, columns[i].type, columns[i].name),
  );
}

function isList(tuple: Tuple): tuple is readonly unknown[] {
  return Array.isArray(tuple);
}

function inOrder(tuple: readonly unknown[], columns: readonly Column[]): readonly unknown[] {
  if (tuple.length === columns.length) return Array.from(tuple);
  throw new AssayError(
    'query/row-length',
    `${tuple.length} values for ${columns.length} columns of the answer: ${list(columns)}`,
  );
}

function byName(
  tuple: { readonly [column: string]: unknown },
  columns: readonly Column[],
): readonly unknown[] {
  for (const name of Object.keys(tuple)) {
    const count = columns.filter((column) => column.name === name).length;
    if (count === 1) continue;
    const shown = shorten(JSON.stringify(name), 60);
    if (count > 1)
      throw new AssayError(
        'query/ambiguous-column',
        `the answer has ${count} columns ${shown}: give an array with one value for each of ${list(columns)}`,
      );
    const names = columns.map((column) => column.name);
    throw new AssayError(
      'query/unknown-column',
      `the answer has no column ${shown}: ${nearest(name, names)}`,
    );
  }
  return columns.map(({ name }) => (Object.hasOwn(tuple, name) ? tuple[name] : undefined));
}

function list(columns: readonly Column[]): string {
  return columns.map((column) => shorten(column.name, 40)).join(', ');
}
