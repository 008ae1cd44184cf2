/** Columns of the select list by number or name, as ORDER BY and GROUP BY may write them. */
import type { Node } from 'libpg-query';
import { visibleText } from '../../semiring/message/visible-text.js';
import type { Column } from '../plan/expression.js';
import type { BindContext } from './context.js';
import { bareName, locationOf, ordinalOf } from './parse/tree.js';

/** The output column that an ordinal or a bare name means. */
export function outputColumn(
  node: Node,
  columns: readonly Column[],
  clause: string,
  context: BindContext,
): Column | undefined {
  const ordinal = ordinalOf(node);
  if (ordinal !== undefined) return columns[ordinalIndex(ordinal, columns.length, node, clause, context)];
  const name = bareName(node);
  const found = columns.filter((column) => name !== undefined && column.name === name);
  if (found.length > 1) throw ambiguousOutput(node, name ?? '', clause, context);
  return found[0];
}

export function ordinalIndex(
  ordinal: number,
  count: number,
  node: Node,
  clause: string,
  context: BindContext,
): number {
  if (ordinal >= 1 && ordinal <= count) return ordinal - 1;
  throw context.error(
    'ordinal',
    `${clause} position ${ordinal} is not in the select list`,
    context.place(locationOf(node)),
    {
      hint: `it has ${count} columns`,
    },
  );
}

export function ambiguousOutput(node: Node, name: string, clause: string, context: BindContext): Error {
  return context.error(
    'ambiguous-column',
    `${clause} ${visibleText(name)} is ambiguous`,
    context.place(locationOf(node)),
  );
}
