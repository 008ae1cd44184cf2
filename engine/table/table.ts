/**
 * A base table: typed columns that grow, one row token a row, one cell token a cell where a column is
 * labelled by cell, and a membership token that stands for who may add or remove rows. Appending never
 * changes what an earlier query saw; its vectors and nodes are snapshots.
 */
import { AssayError } from '../../semiring/message/error.js';
import { nearest } from '../../semiring/message/nearest.js';
import { type Constraints, RowGuard, type Rules } from '../constraints/index.js';
import { type CsvOptions, parseCsv } from '../format/csv.js';
import { type Node, range } from '../provenance/circuit.js';
import type { Token, Tokens } from '../provenance/token.js';
import { TokenRanges } from '../provenance/token-ranges.js';
import type { Type, Value } from '../value/value.js';
import type { Vector } from '../value/vector.js';
import { ColumnBuffer } from './column-buffer.js';
import { countDistinct } from './distinct-count.js';
import { inferTypes } from './infer.js';
import { type InputRow, keysOf, machineRow } from './input-row.js';
import { TokenColumn } from './token-column.js';

export type { CsvOptions } from '../format/csv.js';
export type { InputRow } from './input-row.js';

export interface TableColumn {
  readonly name: string;
  readonly type: Type;
  /** Whether each cell has a token of its own. */
  readonly labelled: boolean;
}

export interface TableOptions extends AppendOptions {
  /**
   * Names of the columns, in order; needed where rows are arrays or absent. Default: the keys as first seen.
   * Where they are given, a row with another key is refused.
   */
  readonly columns?: readonly string[];
  /**
   * Declared types; the rest is inferred from the rows, all of them: one row then decides what the cells of
   * the others are. Where rows are of mixed trust, declare every type: a value of another one is refused by
   * its place.
   */
  readonly types?: { readonly [column: string]: Type } | ReadonlyMap<string, Type>;
  /** Columns whose cells have tokens of their own. */
  readonly labelled?: readonly string[] | 'all';
  /** A membership token: issued when `true`, or one that exists. Default: none. */
  readonly membership?: boolean | Token;
}

export interface AppendOptions {
  /** Row tokens to use instead of fresh ones, one a row. */
  readonly rowTokens?: readonly Token[];
  /** Cell tokens to use instead of fresh ones, one a row, by labelled column's name. */
  readonly cellTokens?: ReadonlyMap<string, readonly Token[]>;
}

interface DistinctCount {
  readonly rows: number;
  readonly count: number;
}

export class Table {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly membership: Token | undefined;
  readonly #tokens: Tokens;
  readonly #buffers: readonly ColumnBuffer[];
  readonly #rowTokens = new TokenColumn();
  readonly #cellTokens: readonly (TokenColumn | null)[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #distinct = new Map<number, DistinctCount>();
  /** Absent where the table has no constraints. */
  readonly #guard: RowGuard | undefined;
  /**
   * Whether its tokens were issued for it: a program that gave them may still know them when the table is
   * gone.
   */
  #ownsTokens: boolean;

  /** An empty table. @param rules hold for every row from now on, however it comes */
  constructor(
    tokens: Tokens,
    name: string,
    columns: readonly TableColumn[],
    membership?: boolean | Token,
    rules?: Rules,
  ) {
    this.name = name;
    this.columns = columns;
    this.#tokens = tokens;
    this.#indexes = new Map(columns.map((column, i) => [column.name, i]));
    if (this.#indexes.size < columns.length) throw duplicateColumn(name, columns);
    this.#buffers = columns.map((column) => new ColumnBuffer(column.type));
    this.#cellTokens = columns.map((column) => (column.labelled ? new TokenColumn() : null));
    this.membership =
      membership === true
        ? tokens.issue(1, () => `${name}[*]`)
        : membership === false
          ? undefined
          : membership;
    this.#ownsTokens = typeof membership !== 'number';
    if (this.membership !== undefined)
      tokens.checkIssued(this.membership, `table ${JSON.stringify(name)}, membership token`);
    this.#guard = rules && new RowGuard(this, rules);
  }

  /**
   * A table of JSON rows. Types that are not declared are inferred from all rows: whole numbers are integers,
   * mixed numbers floats, objects and mixed kinds JSON, a column without any value text.
   * @throws AssayError `engine/type-mismatch` where a value is not of its declared type
   */
  static fromRows(
    tokens: Tokens,
    name: string,
    rows: readonly InputRow[],
    options: TableOptions = {},
  ): Table {
    const names = options.columns ?? keysOf(rows);
    const { labelled = [] } = options;
    const declared = typesOf(options.types);
    for (const column of declared.keys()) checkKnown(name, column, names);
    const types = inferTypes(names, rows, declared);
    if (labelled !== 'all') for (const column of labelled) checkKnown(name, column, names);
    const columns = names.map((column, i) => ({
      name: column,
      type: types[i],
      labelled: labelled === 'all' || labelled.includes(column),
    }));
    const table = new Table(tokens, name, columns, options.membership);
    table.append(rows, options);
    return table;
  }

  /** A table of CSV text. @throws AssayError `engine/csv` with file and line */
  static fromCsv(
    tokens: Tokens,
    name: string,
    text: string,
    options: CsvOptions & Omit<TableOptions, keyof AppendOptions> = {},
  ): Table {
    const declared = typesOf(options.types);
    const { columns, types, rows } = parseCsv(text, { ...options, types: declared });
    for (const column of declared.keys()) checkKnown(name, column, columns);
    const { labelled, membership } = options;
    return Table.fromRows(tokens, name, rows, { columns, types, labelled, membership });
  }

  get rowCount(): number {
    return this.#rowTokens.length;
  }

  /** What CREATE TABLE demanded of the rows, if anything. */
  get constraints(): Constraints | undefined {
    return this.#guard?.constraints;
  }

  /**
   * Whether a row has the key, one of `constraints`.
   * @param columns of `row`, in the order of the key's own
   */
  hasKey(key: number, row: readonly Value[], columns: readonly number[]): boolean {
    return this.#guard?.hasKey(key, row, columns) ?? false;
  }

  /**
   * Adds rows; amortised constant time a cell. All or nothing: a bad value leaves the table as it was.
   * @throws AssayError `engine/type-mismatch`, `engine/too-deep` (JSON past 500 levels),
   *   `engine/unknown-column`, `engine/row-length`, `engine/token-count`, `engine/unknown-token`; where the
   *   table has constraints also `engine/too-long`, `engine/out-of-range`, `engine/not-null`, `engine/check`,
   *   `engine/unique`, `engine/foreign-key`
   */
  append(rows: readonly InputRow[], options: AppendOptions = {}): void {
    this.appendValues(
      rows.map((row, i) => machineRow(this, row, i, (c) => this.#guard?.default(c) ?? null)),
      options,
    );
  }

  /**
   * Adds rows whose values are in machine form and of the columns' types already; constraints are checked.
   * @param options `stored`: the rows were in the table before it was saved, so a CHECK that reads the clock
   *   held then
   */
  appendValues(
    given: readonly (readonly Value[])[],
    options: AppendOptions & { readonly stored?: boolean } = {},
  ): void {
    const start = this.rowCount;
    const { name } = this;
    const { rowTokens, cellTokens } = options;
    if (rowTokens !== undefined) this.#checkTokens('row tokens', rowTokens, given.length);
    for (const [column, tokens] of cellTokens ?? []) {
      if (this.#cellTokens[this.columnIndex(column)] === null) {
        throw new AssayError(
          'engine/not-labelled',
          `column ${JSON.stringify(column)} of table ${JSON.stringify(this.name)} is not labelled by cell`,
        );
      }
      this.#checkTokens(`cell tokens of ${JSON.stringify(column)}`, tokens, given.length);
    }
    // Last of what can fail: from here on the rows are in.
    const rows = this.#guard?.admit(given, options.stored ?? false) ?? given;
    if (options.stored) this.#ownsTokens = true;
    else if (rowTokens !== undefined || cellTokens !== undefined) this.#ownsTokens = false;
    for (let c = 0; c < this.#buffers.length; c++) {
      const buffer = this.#buffers[c];
      for (const row of rows) buffer.push(row[c]);
    }
    if (rowTokens !== undefined) this.#rowTokens.pushAll(rowTokens);
    else
      this.#rowTokens.pushRange(
        this.#tokens.issue(rows.length, (i) => `${name}[${start + i + 1}]`),
        rows.length,
      );
    for (const [c, cells] of this.#cellTokens.entries()) {
      if (cells === null) continue;
      const column = this.columns[c].name;
      const given = cellTokens?.get(column);
      if (given !== undefined) cells.pushAll(given);
      else {
        const first = this.#tokens.issue(rows.length, (i) => `${name}[${start + i + 1}].${column}`);
        cells.pushRange(first, rows.length);
      }
    }
  }

  /** Number of the column. @throws AssayError `engine/unknown-column`, with the nearest name */
  columnIndex(name: string): number {
    const index = this.#indexes.get(name);
    if (index !== undefined) return index;
    return checkKnown(this.name, name, this.#indexes.keys());
  }

  rowToken(row: number): Token {
    return this.#rowTokens.at(row);
  }

  /** The cell's own token; undefined where the column is not labelled by cell. */
  cellToken(column: number | string, row: number): Token | undefined {
    return this.#cellTokens[typeof column === 'number' ? column : this.columnIndex(column)]?.at(row);
  }

  /** The column's values now. @param rows only those of so many rows: as it was when it had these */
  vector(column: number, rows?: number): Vector {
    return this.#buffers[column].snapshot(rows);
  }

  /** One row token a row. @param rows as for {@link vector} */
  rowTokens(rows?: number): Node {
    return this.#rowTokens.node(rows);
  }

  /**
   * One cell token a row, or null where the column is not labelled by cell. @param rows as for {@link vector}
   */
  cellTokens(column: number, rows?: number): Node | null {
    return this.#cellTokens[column]?.node(rows) ?? null;
  }

  /** Nodes that read its tokens, all of them: rows, labelled cells, membership. */
  *tokenNodes(): Generator<Node> {
    if (this.membership !== undefined) yield range(this.membership, 1);
    yield this.rowTokens();
    for (const cells of this.#cellTokens) if (cells !== null) yield cells.node();
  }

  /**
   * The tokens that were issued for it, and are of no use when it is gone; none where a program gave some.
   */
  ownTokens(): TokenRanges {
    const own = new TokenRanges();
    if (!this.#ownsTokens) return own;
    for (const node of this.tokenNodes()) {
      if (node.kind === 'range') own.add(node.first, node.rows);
      else if (node.kind === 'tokens') for (let i = 0; i < node.rows; i++) own.add(node.tokens[i], 1);
    }
    return own;
  }

  /**
   * How many distinct values a column has, NULL aside. Kept; counted anew when the table has grown by a
   * fifth.
   */
  distinct(column: number): number {
    const known = this.#distinct.get(column);
    const rows = this.rowCount;
    if (known !== undefined && rows <= known.rows * 1.2) return known.count;
    const count = countDistinct(this.vector(column));
    this.#distinct.set(column, { rows, count });
    return count;
  }

  #checkTokens(what: string, given: readonly Token[], wanted: number): void {
    if (given.length !== wanted) {
      throw new AssayError(
        'engine/token-count',
        `table ${JSON.stringify(this.name)}: ${given.length} ${what} for ${wanted} rows`,
      );
    }
    for (const [row, token] of given.entries())
      this.#tokens.checkIssued(token, `table ${JSON.stringify(this.name)}, row ${row + 1}, ${what}`);
  }
}

function typesOf(types: TableOptions['types']): ReadonlyMap<string, Type> {
  return types instanceof Map ? types : new Map(Object.entries(types ?? {}));
}

function checkKnown(table: string, column: string, names: Iterable<string>): never | number {
  const known = [...names];
  const index = known.indexOf(column);
  if (index >= 0) return index;
  throw new AssayError(
    'engine/unknown-column',
    `table ${JSON.stringify(table)} has no column ${JSON.stringify(column)}: ${nearest(column, known)}`,
  );
}

function duplicateColumn(table: string, columns: readonly TableColumn[]): AssayError {
  const names = columns.map((column) => column.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return new AssayError(
    'engine/duplicate-column',
    `table ${JSON.stringify(table)} has two columns ${JSON.stringify(twice)}`,
  );
}
