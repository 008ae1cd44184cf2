/**
 * The gate to a table with constraints. Rows pass all together or not at all; where one does not, nothing has
 * changed, the indexes of keys included.
 *
 * Row by row, in PostgreSQL's order: sizes, NOT NULL, CHECK, keys; references last, since a row may refer to
 * one that is inserted with it.
 */
import { AssayError } from '../../semiring/message/error.js';
import type { Value } from '../value/value.js';
import type { Check, ConstrainedTable, Constraints, Reference } from './definition.js';
import { fit, showSize } from './size.js';
import { UniqueIndex } from './unique-index.js';
import { shownCells, shownName, shownValue, violation } from './violation.js';

/** Constraints, and the clock that a CHECK or DEFAULT may read (milliseconds since 1970-01-01 00:00 UTC). */
export interface Rules {
  readonly constraints: Constraints;
  readonly clock: () => number;
}

type Row = readonly Value[];

export class RowGuard {
  readonly constraints: Constraints;
  readonly #table: ConstrainedTable;
  readonly #clock: () => number;
  readonly #indexes: readonly UniqueIndex[];

  constructor(table: ConstrainedTable, { constraints, clock }: Rules) {
    this.constraints = constraints;
    this.#table = table;
    this.#clock = clock;
    this.#indexes = constraints.keys.map((key) => new UniqueIndex(key));
  }

  /**
   * The rows as they are to be stored; their keys are taken in.
   * @param stored whether the rows were in the table before: what depends on the time held then
   * @throws AssayError `engine/too-long`, `engine/out-of-range`, `engine/not-null`, `engine/check`,
   *   `engine/unique`, `engine/foreign-key`
   */
  admit(rows: readonly Row[], stored: boolean): readonly Row[] {
    const now = this.#clock();
    const admitted: Row[] = [];
    try {
      for (const [i, given] of rows.entries()) {
        const row = this.#sized(given, i);
        this.#checkRow(row, i, now, stored);
        this.#addKeys(row, i);
        admitted.push(row);
      }
      for (const [i, row] of admitted.entries()) this.#checkReferences(row, i);
    } catch (error) {
      for (const row of admitted) for (const index of this.#indexes) index.remove(row);
      throw error;
    }
    return admitted;
  }

  /** What a column is where a row does not say; NULL where it has no default. */
  default(column: number): Value {
    return this.constraints.defaults.get(column)?.value(this.#clock()) ?? null;
  }

  /** Whether a row of this table has the key. @param columns of `row`, in the order of the key's own */
  hasKey(key: number, row: Row, columns: readonly number[]): boolean {
    return this.#indexes[key].has(row, columns);
  }

  #sized(given: Row, i: number): Row {
    const { sizes } = this.constraints;
    if (sizes.size === 0) return given;
    const row = [...given];
    for (const [c, size] of sizes) {
      const value = fit(row[c], size);
      if (value === undefined) {
        const { name, type } = this.#table.columns[c];
        const shown = `${shownName(name)} = ${shownValue(row[c], type)}`;
        throw size.kind === 'decimal'
          ? this.#violation('out-of-range', i, `${shown} does not fit ${showSize(size)}`)
          : this.#violation('too-long', i, `${shown} is too long for ${showSize(size)}`);
      }
      row[c] = value;
    }
    return row;
  }

  #checkRow(row: Row, i: number, now: number, stored: boolean): void {
    for (const c of this.constraints.notNull) {
      if (row[c] !== null) continue;
      throw this.#violation(
        'not-null',
        i,
        `column ${shownName(this.#table.columns[c].name)} may not be NULL`,
      );
    }
    for (const check of this.constraints.checks) {
      if (stored && check.readsClock) continue;
      if (this.#holds(check, row, i, now) !== false) continue;
      throw this.#violation(
        'check',
        i,
        `${this.#shown(check.columns, row)}violates the CHECK constraint ${shownName(check.name)}`,
      );
    }
  }

  #holds(check: Check, row: Row, i: number, now: number): boolean | null {
    try {
      return check.holds(row, now);
    } catch (error) {
      if (!(error instanceof AssayError || error instanceof RangeError)) throw error;
      const what = `the CHECK constraint ${shownName(check.name)} cannot be evaluated: ${error.message}`;
      throw this.#violation('check', i, what, { cause: error });
    }
  }

  /** Takes in the row's keys: all of them, or none where one is there already. */
  #addKeys(row: Row, i: number): void {
    for (const [k, index] of this.#indexes.entries()) {
      if (index.add(row)) continue;
      for (const earlier of this.#indexes.slice(0, k)) earlier.remove(row);
      const { name, columns, primary } = this.constraints.keys[k];
      const constraint = `${primary ? 'PRIMARY KEY' : 'UNIQUE constraint'} ${shownName(name)}`;
      throw this.#violation('unique', i, `${this.#shown(columns, row)}is there already: ${constraint}`);
    }
  }

  #checkReferences(row: Row, i: number): void {
    for (const reference of this.constraints.references) {
      const { name, columns } = reference;
      if (columns.some((column) => row[column] === null) || this.#isThere(reference, row)) continue;
      const target = shownName((reference.table ?? this.#table).name);
      const what = `${this.#shown(columns, row)}is no key of table ${target}: foreign key ${shownName(name)}`;
      throw this.#violation('foreign-key', i, what);
    }
  }

  #isThere({ table, key, columns }: Reference, row: Row): boolean {
    return (table ?? this.#table).hasKey(key, row, columns);
  }

  #shown(columns: readonly number[], row: Row): string {
    return columns.length === 0 ? 'it ' : `${shownCells(this.#table, columns, row)} `;
  }

  #violation(code: string, row: number, what: string, options?: ErrorOptions): AssayError {
    return violation(code, this.#table.name, row, what, options);
  }
}
