/**
 * A query's answer: rows of values, an annotation a row, a provenance a cell. Values stay in columns behind
 * index vectors until they are asked for; `vector` gathers a column once and keeps it.
 */

import type { Semiring } from '../../semiring/contract/semiring.js';
import { describeValue } from '../../semiring/message/describe-value.js';
import { AssayError } from '../../semiring/message/error.js';
import type { Formula } from '../../semiring/polynomial/formula.js';
import type { Polynomial } from '../../semiring/polynomial/polynomial.js';
import { columnEvaluator } from '../evaluate/column.js';
import { materialise } from '../evaluate/materialise.js';
import { type Frame, guard, productNode } from '../frame/frame.js';
import type { Arena } from '../memory/pool.js';
import type { Column } from '../plan/expression.js';
import { bytesOf, indexesOf, type Node, times } from '../provenance/circuit.js';
import {
  type ExpandedPolynomial,
  type Expansion,
  formulaAt,
  polynomialAt,
} from '../provenance/polynomial-at.js';
import { type ReadOptions, read } from '../provenance/read.js';
import type { Reading, Valuation } from '../provenance/reading.js';
import { external } from '../value/external.js';
import type { Value } from '../value/value.js';
import { type Vector, valueAt } from '../value/vector.js';
import { type Tensor, type TensorOptions, tensorIndexes, tensorOf } from './tensor.js';

export type { ReadOptions } from '../provenance/read.js';
export type { Reading, Valuation } from '../provenance/reading.js';

export class Relation {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly #frame: Frame;
  readonly #arena: Arena;
  readonly #vectors = new Map<number, Vector>();
  #annotation: Node | undefined;

  /** Made by `execute`. */
  constructor(frame: Frame, arena: Arena) {
    this.columns = frame.columns.map(({ column }) => column);
    this.rowCount = frame.rows;
    this.#frame = frame;
    this.#arena = arena;
  }

  /** 1 in every row where the query ran without capture. */
  get annotation(): Node {
    this.#annotation ??= productNode(this.#frame.annotation, this.rowCount);
    return this.#annotation;
  }

  /** Provenance of a column's cells, without the row's annotation. */
  cell(column: number): Node {
    return productNode(this.#column(column).provenance, this.rowCount);
  }

  /** For label semirings: the label of "these are the rows that there are", as one row; in a derivation 1. */
  get membership(): Node {
    return productNode(guard(this.#frame.membership), 1);
  }

  /** Number of the column of that name. @throws AssayError `engine/unknown-column` */
  columnIndex(name: string): number {
    const index = this.columns.findIndex((column) => column.name === name);
    if (index >= 0) return index;
    throw new AssayError('engine/unknown-column', `the answer has no column ${JSON.stringify(name)}`);
  }

  /** A column's values in machine form. Valid until `release`. */
  vector(column: number): Vector {
    let vector = this.#vectors.get(column);
    if (vector === undefined) {
      const source = this.#column(column);
      vector =
        source.selection === null
          ? source.vector
          : materialise(columnEvaluator(source), null, this.rowCount, this.#arena);
      this.#vectors.set(column, vector);
    }
    return vector;
  }

  /**
   * Whether the row is in the plain answer; false only where `keep: 'possible'` brought it in.
   * @throws AssayError `engine/no-row`
   */
  isPresent(row: number): boolean {
    this.checkRow(row);
    return this.#frame.present === null || this.#frame.present[row] === 1;
  }

  /** A cell in machine form. @throws AssayError `engine/unknown-column`, `engine/no-row` */
  value(column: number, row: number): Value {
    const { vector, selection } = this.#column(column);
    this.checkRow(row);
    return valueAt(vector, selection === null ? row : selection.resolve()[row]);
  }

  /**
   * One row in external form: dates as ISO text, integers as number or bigint. @throws AssayError
   * `engine/no-row`
   */
  row(row: number): unknown[] {
    this.checkRow(row);
    return this.columns.map((column, c) => external(this.value(c, row), column.type));
  }

  rows(): unknown[][] {
    const width = this.columns.length;
    const readers = this.columns.map((column, c) => externalReader(this.vector(c), column));
    const rows: unknown[][] = [];
    for (let row = 0; row < this.rowCount; row++) {
      const values: unknown[] = [];
      for (let c = 0; c < width; c++) values.push(readers[c](row));
      rows.push(values);
    }
    return rows;
  }

  /** A later column of the same name wins. Objects have no prototype, so that any name is a plain key. */
  objects(): Record<string, unknown>[] {
    const columns = this.columns.map((column, c) => externalColumn(this.vector(c), column, this.rowCount));
    return Array.from({ length: this.rowCount }, (_, row) => {
      const object = Object.create(null) as Record<string, unknown>;
      for (const [c, { name }] of this.columns.entries()) object[name] = columns[c][row];
      return object;
    });
  }

  /** Rows one by one, without making them all. */
  *[Symbol.iterator](): Generator<unknown[]> {
    for (let row = 0; row < this.rowCount; row++) yield this.row(row);
  }

  /**
   * The annotation of every row, read in a semiring.
   * @throws SemiringError `semiring/not-a-semiring`, `semiring/not-in-carrier`, `semiring/no-monus`,
   *   `semiring/no-delta`
   * @throws ReadingLimitError `engine/reading-limit` where values of a semiring that grows outgrow
   *   `options.limit`
   */
  annotate<K>(semiring: Semiring<K>, valuation: Valuation<K>, options?: ReadOptions): Reading<K> {
    return read(this.annotation, semiring, valuation, this.#arena.pool, options);
  }

  /** ann · prov(cell) of every row: what a policy reads. @throws as {@link annotate} */
  annotateCell<K>(
    column: number,
    semiring: Semiring<K>,
    valuation: Valuation<K>,
    options?: ReadOptions,
  ): Reading<K> {
    return read(times(this.annotation, this.cell(column)), semiring, valuation, this.#arena.pool, options);
  }

  /**
   * The row's N[X] polynomial. @throws AssayError `engine/no-row`; `engine/long-polynomial` past a million
   * monomials, see `expand`
   */
  polynomial(row: number, expansion?: Expansion): Polynomial {
    const most = 1_000_000;
    // The beginning is not needed, so no more than it takes to see that it is one is made.
    const { derivations } = this.expand(row, 1, expansion);
    if (derivations <= most) {
      const { polynomial, cut } = this.expand(row, most, expansion);
      if (!cut) return polynomial;
    }
    throw new AssayError(
      'engine/long-polynomial',
      `the polynomial of row ${row} has up to ${derivations} monomials; use expand(row, limit) to see its beginning`,
    );
  }

  /**
   * The row's N[X] polynomial, cut after `limit` monomials, with its size.
   * @param expansion what tokens stand for
   * @throws AssayError `engine/no-row`, `engine/bad-limit`
   */
  expand(row: number, limit?: number, expansion?: Expansion): ExpandedPolynomial {
    this.checkRow(row);
    return polynomialAt(this.annotation, row, limit, expansion);
  }

  /**
   * The row's annotation as the query built it, not multiplied out: what probabilities are computed from.
   * @param expansion what tokens stand for
   * @throws AssayError `engine/no-row`
   */
  formula(row: number, expansion?: Expansion): Formula {
    this.checkRow(row);
    return formulaAt(this.annotation, row, expansion);
  }

  /**
   * How an aggregate's value came about: the tensor Σ ann ⊗ value of one row.
   * @param options what tokens stand for, in a database whose rows were made from others
   * @throws AssayError `engine/no-row`; `engine/no-tensor` where the column is not the bare value of an
   *   aggregate, or an outer join put NULL in its place
   */
  tensor(column: number, row: number, options?: TensorOptions): Tensor {
    const { tensor, selection, column: described } = this.#column(column);
    this.checkRow(row);
    const name = JSON.stringify(described.name);
    if (tensor === undefined) {
      throw new AssayError(
        'engine/no-tensor',
        `column ${name} is not the value of an aggregate as it came out of its group: select the aggregate itself, what is computed from it (sum(v) + 1, a cast, coalesce) has no tensor`,
      );
    }
    const group = selection === null ? row : selection.resolve()[row];
    if (group >= 0) return tensorOf(tensor.inputs(), group, options);
    throw new AssayError(
      'engine/no-tensor',
      `column ${name} of row ${row} comes from no group: an outer join or a subquery found none and put NULL in its place`,
    );
  }

  /** That the answer has the row. @throws AssayError `engine/no-row` */
  checkRow(row: number): void {
    if (Number.isInteger(row) && row >= 0 && row < this.rowCount) return;
    const rows = this.rowCount === 1 ? 'one row, number 0' : `${this.rowCount} rows, numbered from 0`;
    throw new AssayError(
      'engine/no-row',
      `the answer has no row ${describeValue(row)}: it has ${this.rowCount === 0 ? 'no rows' : rows}`,
    );
  }

  /**
   * Bytes of the index vectors that annotation, cells and the terms of aggregates keep, each counted once.
   */
  get provenanceBytes(): number {
    const indexes = indexesOf([this.annotation, ...this.columns.map((_, c) => this.cell(c))]);
    for (const { tensor } of this.#frame.columns)
      if (tensor !== undefined) for (const [index, rows] of tensorIndexes(tensor)) indexes.set(index, rows);
    return bytesOf(indexes);
  }

  /** Gives the buffers back to the pool. The relation, its vectors and its nodes must not be used after. */
  release(): void {
    this.#vectors.clear();
    this.#arena.releaseAll();
  }

  #column(column: number) {
    const found = this.#frame.columns[column];
    if (found !== undefined) return found;
    throw new AssayError('engine/unknown-column', `the answer has no column number ${column}`);
  }
}

function externalColumn(vector: Vector, column: Column, rows: number): unknown[] {
  const reader = externalReader(vector, column);
  return Array.from({ length: rows }, (_, row) => reader(row));
}

/** The external value of a row of the vector. */
function externalReader(vector: Vector, { type }: Column): (row: number) => unknown {
  const asIs = type !== 'date' && type !== 'timestamp' && type !== 'interval';
  if (asIs && vector.nulls === null) {
    if (vector.form === 'int32' || vector.form === 'float64') {
      const { data } = vector;
      return (row) => data[row];
    }
    if (vector.form === 'dictionary') {
      const { data, words } = vector;
      return (row) => words[data[row]];
    }
  }
  return (row) => external(valueAt(vector, row), type);
}
