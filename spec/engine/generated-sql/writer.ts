/**
 * What the parts of the generator ask of one another: each part is a function of a {@link Writer}, and
 * generated-sql.ts puts them together.
 */
import type { SqlTable, SqlType } from '../generated-sql-schema.js';
import type { Choices } from './choices.js';

/** A value for `$1`, `$2`, …, in the form in which callers hand it over: dates and the like as text. */
export type SqlParameter = null | boolean | number | string;

export interface ScopeColumn {
  readonly sql: string;
  readonly type: SqlType;
}

/** What an expression may use. */
export interface Scope {
  readonly columns: readonly ScopeColumn[];
  readonly subqueries: boolean;
}

/** An item of FROM. */
export interface Relation {
  readonly sql: string;
  readonly columns: readonly ScopeColumn[];
}

/** A query of WITH: its columns are c1, c2, … */
export interface CommonQuery {
  readonly name: string;
  readonly types: readonly SqlType[];
}

export interface Writer extends Choices {
  /** Tables that FROM may name. */
  readonly tables: SqlTable[];
  /** Queries of WITH in reach. */
  readonly common: CommonQuery[];
  readonly parameters: SqlParameter[];

  expression(type: SqlType, scope: Scope): string;
  /** An expression that is more than a column or a literal. */
  compound(type: SqlType, scope: Scope): string;
  condition(scope: Scope): string;
  aggregate(type: SqlType, rows: readonly ScopeColumn[]): string;
  from(): Relation;
  /** Types for the columns of a query, one to three. */
  someTypes(): SqlType[];
  /**
   * A query that puts out these types under the names c1, c2, …; `outer` are the columns of enclosing
   * queries.
   */
  query(types: readonly SqlType[], outer: readonly ScopeColumn[]): string;
  /** In brackets; it has at most one row. */
  scalarSubquery(type: SqlType, scope: Scope): string;
}

/** A text with its parameters numbered anew: what was written and not used has left gaps. */
export function withParameters(
  text: string,
  parameters: readonly SqlParameter[],
): { readonly text: string; readonly parameters: readonly SqlParameter[] } {
  const used = [...new Set([...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))];
  return {
    text: text.replace(/\$(\d+)/g, (_, n: string) => `$${used.indexOf(Number(n)) + 1}`),
    parameters: used.map((n) => parameters[n - 1]),
  };
}

/** The columns of a relation under an alias. */
export function columnsOf(
  alias: string,
  columns: readonly { readonly name: string; readonly type: SqlType }[],
): ScopeColumn[] {
  return columns.map(({ name, type }) => ({ sql: `${alias}.${name}`, type }));
}

/** c1, c2, … of these types. */
export function outputs(types: readonly SqlType[]): { readonly name: string; readonly type: SqlType }[] {
  return types.map((type, i) => ({ name: `c${i + 1}`, type }));
}

/**
 * An expression as an output column: of equal values that read differently ('1 mon' and '30 days') any may
 * stand for the others in DISTINCT, so intervals are brought to one form.
 */
export function output(type: SqlType, sql: string): string {
  return type === 'interval' && !sql.startsWith('justify_interval(') ? `justify_interval(${sql})` : sql;
}
