/**
 * Rows made from a query's rows: INSERT … SELECT and CREATE TABLE AS. A new row gets a fresh token that is
 * *defined* as the annotation of the query's row, so provenance passes through the table.
 */

import type { Relation } from '../../engine/answer/relation.js';
import type { Node } from '../../engine/provenance/circuit.js';
import type { Catalog } from '../../engine/table/catalog.js';
import { Table } from '../../engine/table/table.js';
import type { Value } from '../../engine/value/value.js';
import { rowNode, type Valuations } from './valuations.js';

/**
 * Appends the relation's rows; its column i goes to the table's column `columns[i]`, the others become NULL.
 * @returns the number of the first new row
 * @throws AssayError where a constraint of the table does not hold; nothing has changed then
 */
export function appendRows(table: Table, columns: readonly number[], relation: Relation): number {
  const start = table.rowCount;
  const rows = Array.from({ length: relation.rowCount }, (_, row) => {
    const values: Value[] = table.columns.map(() => null);
    columns.forEach((column, i) => {
      values[column] = relation.value(i, row);
    });
    return values;
  });
  table.appendValues(rows);
  return start;
}

/** Says what the rows from `start` on are worth: what the relation's rows are. */
export function defineRows(
  table: Table,
  start: number,
  columns: readonly number[],
  relation: Relation,
  valuations: Valuations,
): void {
  if (relation.rowCount === 0) return;
  const homeless: Node[] = [];
  columns.forEach((column, i) => {
    const cell = relation.cell(i);
    const token = table.cellToken(column, start);
    if (cell.kind === 'one') return;
    if (token === undefined) homeless.push(cell);
    else valuations.define(token, cell);
  });
  const annotation = rowNode(relation.annotation, homeless);
  if (annotation.kind !== 'one') valuations.define(table.rowToken(start), annotation);
}

/** A new table of the relation's rows; a column whose cells have provenance is labelled by cell. */
export function tableOf(name: string, relation: Relation, names: readonly string[], catalog: Catalog): Table {
  const columns = relation.columns.map((column, i) => ({
    name: names[i],
    type: column.type === 'null' ? ('text' as const) : column.type,
    labelled: relation.cell(i).kind !== 'one',
  }));
  return catalog.add(new Table(catalog.tokens, name, columns, true));
}
