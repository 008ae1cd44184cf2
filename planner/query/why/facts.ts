/** Which base row, cell or membership a token stands for. */

import type { Token } from '../../../engine/provenance/token.js';
import type { Table } from '../../../engine/table/table.js';

export interface Fact {
  readonly table: string;
  /** From 0; absent for a table's membership. */
  readonly row?: number;
  /** The cell's column; absent for a whole row. */
  readonly column?: string;
  /** The row's values in machine form, in column order. */
  readonly values?: readonly unknown[];
}

/** Undefined for a token of no table at hand (a dropped one, for example). */
export function factOf(token: Token, tables: Iterable<Table>): Fact | undefined {
  for (const table of tables) {
    if (table.membership === token) return { table: table.name };
    const row = find(table.rowCount, (i) => table.rowToken(i), token);
    if (row !== undefined) return { table: table.name, row };
    for (const [c, column] of table.columns.entries()) {
      if (!column.labelled) continue;
      const cell = find(table.rowCount, (i) => table.cellToken(c, i), token);
      if (cell !== undefined) return { table: table.name, row: cell, column: column.name };
    }
  }
  return undefined;
}

/** Most tables' tokens are consecutive, so the place is tried first that this would give. */
function find(count: number, tokenAt: (i: number) => Token | undefined, token: Token): number | undefined {
  if (count === 0) return undefined;
  const guess = token - (tokenAt(0) ?? 0);
  if (guess >= 0 && guess < count && tokenAt(guess) === token) return guess;
  for (let i = 0; i < count; i++) if (tokenAt(i) === token) return i;
  return undefined;
}
