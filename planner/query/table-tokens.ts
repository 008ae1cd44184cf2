/** The tokens of a table. */

import type { Token } from '../../engine/provenance/token.js';
import type { Table } from '../../engine/table/table.js';

/** Its membership, and every row and labelled cell. */
export function* tokensOf(table: Table): Iterable<Token> {
  if (table.membership !== undefined) yield table.membership;
  for (let row = 0; row < table.rowCount; row++) {
    yield table.rowToken(row);
    for (let column = 0; column < table.columns.length; column++) {
      const cell = table.cellToken(column, row);
      if (cell !== undefined) yield cell;
    }
  }
}
