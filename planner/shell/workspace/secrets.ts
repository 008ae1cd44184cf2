/**
 * Values that are secret by label, so that the history does not keep them. It errs on the side of forgetting:
 * a line that holds any text of a cell that not everybody may read is not stored.
 */

import type { Token } from '../../../engine/provenance/token.js';
import type { Table } from '../../../engine/table/table.js';
import { external } from '../../../engine/value/external.js';
import { valueAt } from '../../../engine/value/vector.js';
import type { Database } from '../../query/index.js';
import { factOf } from '../../query/why/facts.js';
import { cellText } from '../format/column.js';

/** Values of fewer characters are compared with whole words only. */
const shortest = 4;
/** Beyond this many long values, only whole literals are compared. */
const mostSearched = 20_000;

export class Secrets {
  readonly #values = new Set<string>();
  readonly #long: string[] = [];

  /** The values of a table, or of the rows and cells that tokens stand for. */
  add(database: Database, what: string | readonly Token[]): void {
    if (typeof what === 'string') {
      const table = database.table(what);
      for (let row = 0; row < table.rowCount; row++) this.#addRow(database, what, row);
      return;
    }
    for (const token of what) {
      const fact = factOf(token, database.tables);
      if (fact?.row === undefined) continue;
      if (fact.column === undefined) this.#addRow(database, fact.table, fact.row);
      else {
        const table = database.table(fact.table);
        this.#addCell(table, table.columnIndex(fact.column), fact.row);
      }
    }
  }

  /** The values of all rows and cells whose tokens are secret. */
  addWhere(database: Database, isSecret: (token: Token) => boolean): void {
    for (const table of database.tables) {
      for (let row = 0; row < table.rowCount; row++) {
        const whole = isSecret(table.rowToken(row));
        for (let column = 0; column < table.columns.length; column++) {
          const cell = table.cellToken(column, row);
          if (whole || (cell !== undefined && isSecret(cell))) this.#addCell(table, column, row);
        }
      }
    }
  }

  addValue(text: string | undefined): void {
    if (text === undefined || text === '' || this.#values.has(text)) return;
    this.#values.add(text);
    if (text.length >= shortest && this.#long.length < mostSearched) this.#long.push(text);
  }

  /** Whether a line holds a secret value. */
  isIn(line: string): boolean {
    if (this.#values.size === 0) return false;
    if (this.#long.some((value) => line.includes(value))) return true;
    for (const [, quoted, word] of line.matchAll(/'((?:[^']|'')*)'|([\p{L}\p{N}_.@-]+)/gu)) {
      if (this.#values.has(quoted?.replaceAll("''", "'") ?? word)) return true;
    }
    return false;
  }

  #addRow(database: Database, name: string, row: number): void {
    const table = database.table(name);
    for (let column = 0; column < table.columns.length; column++) this.#addCell(table, column, row);
  }

  #addCell(table: Table, column: number, row: number): void {
    this.addValue(cellText(external(valueAt(table.vector(column), row), table.columns[column].type)));
  }
}
