/**
 * Types and values of the engine. A value inside the engine is in machine form (a date is a number), and only
 * `external` at the rim turns it into what a person or a program reads.
 */

/**
 * - `integer`: a whole number, exact at every size: a `number` up to 2^53, a `bigint` past it;
 * - `float`: a double (SQL's real, double precision and numeric);
 * - `date`: days since 1970-01-01; `timestamp`: milliseconds since 1970-01-01 00:00 UTC, with a fraction for
 *   microseconds;
 * - `json`: any JSON value, objects and arrays included;
 * - `null`: the type of an untyped NULL; it converts to every other.
 */
export type Type = 'null' | (typeof columnTypes)[number];

/** The types that a column can be declared with. */
export const columnTypes = [
  'boolean',
  'integer',
  'float',
  'text',
  'date',
  'timestamp',
  'interval',
  'json',
] as const;

/** A span of time; the three parts do not convert into one another, as in PostgreSQL. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A value in machine form; which alternative it is follows from its static {@link Type}. SQL's NULL is
 * `null`.
 */
export type Value = null | boolean | number | bigint | string | Interval | Json;
