/**
 * A database: tokens, and tables by name. Names are compared exactly; SQL folds unquoted ones before it asks.
 */
import { AssayError } from '../../semiring/message/error.js';
import { nearest } from '../../semiring/message/nearest.js';
import type { ConstrainedTable } from '../constraints/index.js';
import { BufferPool } from '../memory/pool.js';
import { Tokens } from '../provenance/token.js';
import type { TokenRanges } from '../provenance/token-ranges.js';
import { type AppendOptions, type CsvOptions, type InputRow, Table, type TableOptions } from './table.js';

export class Catalog {
  readonly tokens: Tokens;
  /** Column buffers that this database's queries share. */
  readonly pool: BufferPool;
  readonly #tables = new Map<string, Table>();
  /** Answers refer to the tables that they were made from. */
  readonly #unreachable: FinalizationRegistry<TokenRanges>;

  constructor(tokens: Tokens = new Tokens(), pool: BufferPool = new BufferPool()) {
    this.tokens = tokens;
    this.pool = pool;
    this.#unreachable = new FinalizationRegistry((own) => tokens.collect(own));
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

  /**
   * Drops tables, all or none.
   * @throws AssayError `engine/unknown-table`, `engine/referenced` where a foreign key of a table that stays
   *   refers to one
   */
  drop(...names: readonly string[]): void {
    const dropped = new Set<ConstrainedTable>(names.map((name) => this.table(name)));
    for (const table of this.#tables.values()) {
      if (dropped.has(table)) continue;
      const reference = table.constraints?.references.find((one) => one.table && dropped.has(one.table));
      if (!reference) continue;
      throw new AssayError(
        'engine/referenced',
        `table ${JSON.stringify(reference.table?.name)} cannot be dropped: the foreign key ${JSON.stringify(reference.name)} of table ${JSON.stringify(table.name)} refers to it`,
      );
    }
    for (const name of new Set(names)) {
      const table = this.table(name);
      this.#tables.delete(name);
      const own = table.ownTokens();
      this.tokens.drop(own);
      this.#unreachable.register(table, own);
    }
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
