/**
 * What the *set* of rows of a frame depends on, for label semirings. A row that a filter dropped might have
 * passed had its cells been other ones, so an answer that depends on the whole set (an aggregate, a
 * difference, a limit) depends on every row and every cell that was looked at. Without this, noninterference
 * would fail: an attacker whose row is filtered out could change it to come in.
 *
 * `membership` and `reach` are products over base tables, made once at the scan and handed on, never over
 * intermediate rows: so they cost nothing per row, and the label of an answer does not depend on the plan
 * that was chosen (join order follows statistics, which untrusted rows can change). See spec/semantics.md.
 */

import { type Factor, type Frame, frameColumn, provenanceOf } from '../frame/frame.js';
import type { Expression } from '../plan/expression.js';
import { columnsRead } from '../plan/traverse-expression.js';
import type { Node } from '../provenance/circuit.js';

/** The set of rows, and the columns that `expressions` read. */
export function membershipWith(frame: Frame, expressions: readonly Expression[]): readonly Node[] {
  return [...new Set([...frame.membership, ...reachOf(frame, expressions)])];
}

/** The set of rows, and all columns. */
export function membershipOfWhole(frame: Frame): readonly Node[] {
  return [...new Set([...frame.membership, ...frame.columns.flatMap((column) => column.reach)])];
}

/** The base cells behind the columns that the expressions read. */
export function reachOf(frame: Frame, expressions: readonly Expression[]): readonly Node[] {
  return [...new Set(idsOf(expressions).flatMap((id) => frameColumn(frame, id)?.reach ?? []))];
}

/** P(r, e): provenance of the cells that the expressions read, row by row. */
export function cellsOf(frame: Frame, expressions: readonly Expression[]): readonly Factor[] {
  return provenanceOf(frame, idsOf(expressions));
}

function idsOf(expressions: readonly Expression[]): number[] {
  const ids = new Set<number>();
  for (const expression of expressions) columnsRead(expression, ids);
  return [...ids];
}
