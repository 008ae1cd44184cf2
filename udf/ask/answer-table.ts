/** The answers to one call as a table: a row a distinct set of cells, whose token is the answer's. */

import type { Token, Tokens } from '../../engine/provenance/token.js';
import { Table } from '../../engine/table/table.js';
import type { Type, Value } from '../../engine/value/value.js';

/** @param rows by the cells' key */
export function answerTable(
  tokens: Tokens,
  rows: ReadonlyMap<string, { readonly value: Value; readonly token: Token }>,
  type: Type,
): Table {
  const table = new Table(tokens, 'ask', [
    { name: 'key', type: 'text', labelled: false },
    { name: 'answer', type, labelled: false },
  ]);
  const entries = [...rows];
  table.appendValues(
    entries.map(([key, { value }]) => [key, value]),
    { rowTokens: entries.map(([, { token }]) => token) },
  );
  return table;
}
