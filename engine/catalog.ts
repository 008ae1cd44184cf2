/** A database: tokens, and tables by name. Names are compared exactly; SQL folds unquoted ones before it asks. */
import { AssayError } from '../semiring/error.js';
import { nearest } from '../semiring/nearest.js';
import { BufferPool } from './pool.js';
import { type AppendOptions, type CsvOptions, type InputRow, Table, type TableOptions } from './table.js';
import { Tokens } from './token.js';

export class Catalog {
  readonly tokens: Tokens;
  /** Column buffers that this database's queries share. */
  readonly pool: BufferPool;
  readonly #tables = new Map<string, Table>();

  constructor(tokens: Tokens = new Tokens(), pool: BufferPool = new BufferPool()) {
    this.tokens = tokens;
    this.pool = pool;
  }

  /** @throws AssayError `engine/table-exists` */
  create(name: string, rows: readonly InputRow[], options?: TableOptions): Table {
    this.#checkFree(name);
    return this.add(Table.fromRows(this.tokens, name, rows, options));
  }

  /** @throws AssayError `engine/table-exists`, `engine/csv` */
  createFromCsv(
    name: string,
    text: string,
    options?: CsvOptions & Omit<TableOptions, keyof AppendOptions>,
  ): Table {
    this.#checkFree(name);
    return this.add(Table.fromCsv(this.tokens, name, text, options));
  }

  /** Takes in a table whose tokens are this catalog's. @throws AssayError `engine/table-exists` */
  add(table: Table): Table {
    this.#checkFree(table.name);
    this.#tables.set(table.name, table);
    return table;
  }

  insert(name: string, rows: readonly InputRow[], options?: AppendOptions): void {
    this.table(name).append(rows, options);
  }

  /** @throws AssayError `engine/unknown-table` */
  drop(name: string): void {
    this.table(name);
    this.#tables.delete(name);
  }

  has(name: string): boolean {
    return this.#tables.has(name);
  }

  /** @throws AssayError `engine/unknown-table`, with the nearest name */
  table(name: string): Table {
    const table = this.#tables.get(name);
    if (table !== undefined) return table;
    throw new AssayError(
      'engine/unknown-table',
      `there is no table ${JSON.stringify(name)}: ${nearest(name, this.#tables.keys())}`,
    );
  }

  /** In order of creation. */
  get tables(): readonly Table[] {
    return [...this.#tables.values()];
  }

  #checkFree(name: string): void {
    if (this.#tables.has(name))
      throw new AssayError('engine/table-exists', `there is a table ${JSON.stringify(name)} already`);
  }
}
