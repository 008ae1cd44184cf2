/** Scan and literal rows. */

import { product, range } from '../circuit.js';
import { ColumnBuffer } from '../column-buffer.js';
import type { Factor, Frame } from '../frame.js';
import type { Scan, Values } from '../plan.js';
import type { Context } from './context.js';

/** Row tokens and cell tokens as they are; the set of rows depends on the membership token and on all row tokens. */
export function scan({ table, columns, indexes }: Scan, { capture }: Context): Frame {
  const factor = (node: Factor['node'] | null): Factor[] =>
    node === null || !capture ? [] : [{ node, selection: null }];
  const whole = (node: Factor['node'] | null): Factor['node'][] =>
    node === null || !capture ? [] : [product(node)];
  const rowTokens = table.rowTokens();
  return {
    rows: table.rowCount,
    columns: columns.map((column, i) => {
      const cells = table.cellTokens(indexes[i]);
      return {
        column,
        vector: table.vector(indexes[i]),
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
