/**
 * What EXPLAIN depends on. How many rows there are and how long they took is told of all rows, those that a
 * filter dropped too, so every reading of such a line, by derivation as well, is the product over all that
 * the tables hold.
 */

import { Relation } from '../../../engine/answer/relation.js';
import { literalRows } from '../../../engine/execute/scan.js';
import { Arena, type BufferPool } from '../../../engine/memory/pool.js';
import { freshColumn } from '../../../engine/plan/expression.js';
import { type Node, one, product, range, spread, times } from '../../../engine/provenance/circuit.js';
import type { Table } from '../../../engine/table/table.js';

/** One row: the product of the membership, row and cell tokens of the tables. */
export function allOf(tables: Iterable<Table>): Node {
  const factors: Node[] = [];
  for (const table of tables) {
    if (table.membership !== undefined) factors.push(range(table.membership, 1));
    factors.push(product(table.rowTokens()));
    for (const c of table.columns.keys()) {
      const cells = table.cellTokens(c);
      if (cells) factors.push(product(cells));
    }
  }
  return factors.length === 0 ? one(1) : times(...factors);
}

/** Text as an answer: a row a line, each of which depends on `dependsOn`. */
export function linesOf(text: string, name: string, dependsOn: Node, pool: BufferPool): Relation {
  const rows = text.split('\n').map((line) => [line]);
  const frame = literalRows({ kind: 'values', columns: [freshColumn(name, 'text')], rows });
  const annotation = [{ node: spread(dependsOn, rows.length), selection: null }];
  return new Relation({ ...frame, annotation, membership: [dependsOn] }, new Arena(pool));
}
