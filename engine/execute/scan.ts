/** Scan and literal rows. */

import { type Factor, type Frame, select } from '../frame/frame.js';
import { Selection } from '../frame/selection.js';
import type { Scan, Values } from '../plan/plan.js';
import { product, range } from '../provenance/circuit.js';
import type { Token } from '../provenance/token.js';
import { ColumnBuffer } from '../table/column-buffer.js';
import type { Context } from './context.js';

/**
 * Row tokens and cell tokens as they are; the set of rows depends on the membership token and on all row
 * tokens.
 */
export function scan(plan: Scan, context: Context): Frame {
  const whole = wholeTable(plan, context);
  return context.isDeleted === undefined ? whole : withoutDeleted(whole, plan, context.isDeleted, context);
}

function wholeTable({ table, columns, indexes, rows = table.rowCount }: Scan, { capture }: Context): Frame {
  const factor = (node: Factor['node'] | null): Factor[] =>
    node === null || !capture ? [] : [{ node, selection: null }];
  const whole = (node: Factor['node'] | null): Factor['node'][] =>
    node === null || !capture ? [] : [product(node)];
  const rowTokens = table.rowTokens(rows);
  return {
    rows,
    columns: columns.map((column, i) => {
      const cells = table.cellTokens(indexes[i], rows);
      return {
        column,
        vector: table.vector(indexes[i], rows),
        selection: null,
        provenance: factor(cells),
        reach: whole(cells),
      };
    }),
    annotation: factor(rowTokens),
    membership: [
      ...whole(table.membership === undefined ? null : range(table.membership, 1)),
      ...whole(rowTokens),
    ],
    present: null,
  };
}

/** The rows that are left; a cell that is gone is NULL. */
function withoutDeleted(
  whole: Frame,
  { table, indexes }: Scan,
  isDeleted: (token: Token) => boolean,
  { arena }: Context,
): Frame {
  const { rows } = whole;
  const columns = whole.columns.map((column, i) => {
    if (!table.columns[indexes[i]].labelled) return column;
    const index = new Int32Array(rows);
    let gone = false;
    for (let row = 0; row < rows; row++) {
      const cell = table.cellToken(indexes[i], row);
      const isGone = cell !== undefined && isDeleted(cell);
      index[row] = isGone ? -1 : row;
      gone ||= isGone;
    }
    if (!gone) return column;
    const selection = new Selection(arena, null, index, rows, true);
    return {
      ...column,
      selection,
      provenance: column.provenance.map((factor) => ({ ...factor, selection })),
    };
  });
  const left = arena.int32(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) if (!isDeleted(table.rowToken(row))) left[count++] = row;
  return select({ ...whole, columns }, arena, left, count);
}

/** Annotated 1. */
export function literalRows({ columns, rows }: Values): Frame {
  return {
    rows: rows.length,
    columns: columns.map((column, c) => {
      const buffer = new ColumnBuffer(column.type, rows.length);
      for (const row of rows) buffer.push(row[c]);
      return { column, vector: buffer.snapshot(), selection: null, provenance: [], reach: [] };
    }),
    annotation: [],
    membership: [],
    present: null,
  };
}
