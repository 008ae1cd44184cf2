/**
 * What a table demands of its rows, as CREATE TABLE says it. This is data (columns by number) and functions
 * of one row; who enforces it is {@link RowGuard}.
 */
import type { Type, Value } from '../value/value.js';

/** The number in parentheses after a type. */
export type Size =
  /** `varchar(n)` and `char(n)`: n code points; `fixed` is kept without the spaces that fill it up. */
  | { readonly kind: 'varying' | 'fixed'; readonly length: number }
  /** `numeric(p, s)` */
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number };

/** UNIQUE or PRIMARY KEY: no two rows are equal in all of these columns. */
export interface Key {
  readonly name: string;
  readonly columns: readonly number[];
  readonly primary: boolean;
  /** Rows with a NULL in the key are equal to none. */
  readonly nullsDistinct: boolean;
}

export interface Check {
  readonly name: string;
  /** The columns that it reads, to be shown. */
  readonly columns: readonly number[];
  /** Its syntax tree, to be saved. */
  readonly syntax: unknown;
  /** A row that it let through once may not pass another time. */
  readonly readsClock: boolean;
  /** NULL passes. @param now milliseconds since 1970-01-01 00:00 UTC */
  holds(row: readonly Value[], now: number): boolean | null;
}

export interface Default {
  readonly syntax: unknown;
  /** @param now milliseconds since 1970-01-01 00:00 UTC */
  value(now: number): Value;
}

/** A table, as its constraints see it. */
export interface ConstrainedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  /** Whether a row has the key. @param columns of `row`, in the order of the key's own */
  hasKey(key: number, row: readonly Value[], columns: readonly number[]): boolean;
}

/** FOREIGN KEY: where none of `columns` is NULL, their values are a key of a row of the other table. */
export interface Reference {
  readonly name: string;
  /** In the order of the columns of the other table's key. */
  readonly columns: readonly number[];
  /** Null: the table itself. */
  readonly table: ConstrainedTable | null;
  /** Number of the key among the other table's. */
  readonly key: number;
}

export interface Constraints {
  readonly notNull: ReadonlySet<number>;
  readonly sizes: ReadonlyMap<number, Size>;
  readonly defaults: ReadonlyMap<number, Default>;
  readonly keys: readonly Key[];
  readonly checks: readonly Check[];
  readonly references: readonly Reference[];
}
