/**
 * Annotated relations as the reference model sees them: a list of rows, each with its values, an annotation
 * and a provenance for each cell, in one semiring K. Nothing here is fast, and nothing is shared with the
 * engine but the scalar functions; see spec/semantics.md for the definitions in prose.
 */
import type { Column, ColumnId } from '../../engine/plan/expression.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import type { Table } from '../../engine/table/table.js';
import { isInterval } from '../../engine/value/external.js';
import type { Interval, Value } from '../../engine/value/value.js';
import type { Semiring } from '../../semiring/contract/semiring.js';

/** One summand k ⊗ value of an aggregate's tensor. */
export interface Term<K> {
  readonly weight: K;
  readonly values: readonly Value[];
}

export interface Row<K> {
  readonly values: readonly Value[];
  readonly ann: K;
  /** One for each value; 1 where the column is not labelled by cell. */
  readonly prov: readonly K[];
  /** Whether the plain answer has this row. False only for the extra rows of `keep: 'possible'`. */
  readonly present: boolean;
  /**
   * The tensors of a group's aggregates, by position; only on rows that an aggregate node has just put out.
   */
  readonly tensors?: ReadonlyMap<number, readonly Term<K>[]>;
}

export interface Relation<K> {
  readonly columns: readonly Column[];
  readonly rows: readonly Row<K>[];
  /** Dependency reading only: the label of the fact that these are the rows. */
  readonly membership: K;
  /** Dependency reading only: for each column, the product of all base cells that it is made from. */
  readonly reach: readonly K[];
}

/** A base table under a valuation of its tokens. Column positions are the table's own. */
export interface Base<K> {
  readonly rows: readonly {
    readonly values: readonly Value[];
    readonly token: K;
    readonly cells: readonly K[];
  }[];
  readonly membership: K;
}

/** What the evaluation of an expression needs besides the row. */
export type Surroundings = Pick<Reading<unknown>, 'parameters' | 'outer' | 'subquery'>;

/** How a plan is evaluated. */
export interface Reading<K> {
  readonly semiring: Semiring<K>;
  readonly dependency: boolean;
  readonly keep: 'present' | 'possible';
  readonly parameters: readonly Value[];
  /** Inside a correlated subquery: the values of the enclosing query's row. */
  readonly outer?: ReadonlyMap<ColumnId, Value>;
  /**
   * The rows of a subquery that is still inside an expression. Its provenance is not defined: plain values
   * only.
   */
  subquery(plan: LogicalPlan, outer: ReadonlyMap<ColumnId, Value>): readonly (readonly Value[])[];
  base(table: Table): Base<K>;
}

export function product<K>(semiring: Semiring<K>, factors: Iterable<K>): K {
  let result = semiring.one;
  for (const factor of factors) result = semiring.times(result, factor);
  return result;
}

export function sum<K>(semiring: Semiring<K>, summands: Iterable<K>): K {
  let result = semiring.zero;
  for (const summand of summands) result = semiring.plus(result, summand);
  return result;
}

export function monus<K>(semiring: Semiring<K>, a: K, b: K): K {
  if (!semiring.monus) throw new Error(`${semiring.name} has no monus`);
  return semiring.monus(a, b);
}

export function delta<K>(semiring: Semiring<K>, a: K): K {
  if (!semiring.delta) throw new Error(`${semiring.name} has no δ`);
  return semiring.delta(a);
}

/** The length by which intervals compare: months have 30 days, days 24 hours. */
export function spanOf({ months, days, milliseconds }: Interval): number {
  return (months * 30 + days) * 86_400_000 + milliseconds;
}

/** Text that is equal for values that GROUP BY and DISTINCT take as equal: NULL equals NULL, 0 equals -0. */
export function keyOf(values: readonly Value[]): string {
  return JSON.stringify(
    values.map((value) => {
      if (typeof value === 'number' || typeof value === 'bigint') return `number ${value === 0 ? 0 : value}`;
      if (isInterval(value)) return { span: spanOf(value) };
      return value !== null && typeof value === 'object' ? { json: value } : value;
    }),
  );
}

/** Rows by equal values, in order of first appearance. */
export function groupBy<T>(rows: readonly T[], values: (row: T) => readonly Value[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(values(row));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
