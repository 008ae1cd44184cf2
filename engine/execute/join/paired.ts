/** Two frames side by side: the rows of a join from its pairs of rows. */

import { type Factor, type Frame, select } from '../../frame/frame.js';
import type { Expression } from '../../plan/expression.js';
import type { Node } from '../../provenance/circuit.js';
import type { Context } from '../context.js';
import { cellsOf, membershipWith } from '../membership.js';
import type { Pairs } from './matches.js';

/**
 * What a join starts from: both sides, and the pairs of their rows for which `on` (none: any pair) is true.
 */
export interface JoinedRows {
  readonly left: Frame;
  readonly right: Frame;
  readonly on: Expression | undefined;
  readonly pairs: Pairs;
}

/** The frame of the pairs: both sides' columns. */
export function paired({ left, right, on, pairs }: JoinedRows, { arena, capture }: Context): Frame {
  const frame = sideBySide(
    select(left, arena, pairs.left, pairs.rows),
    select(right, arena, pairs.right, pairs.rows),
  );
  if (!capture) return frame;
  const cells = on === undefined ? [] : cellsOf(frame, [on]);
  return {
    ...frame,
    annotation: [...frame.annotation, ...cells],
    membership: joinedMembership(left, right, on),
  };
}

/** P(on) of each pair. */
export function pairedCells(joined: JoinedRows, context: Context): readonly Factor[] {
  if (joined.on === undefined) return [];
  return cellsOf(pairedColumns(joined, context), [joined.on]);
}

/** The pairs' columns with their cells, without annotations of rows. */
export function pairedColumns({ left, right, pairs }: JoinedRows, { arena }: Context): Frame {
  const bare = (side: Frame): Frame => ({ ...side, annotation: [], present: null });
  return sideBySide(
    select(bare(left), arena, pairs.left, pairs.rows),
    select(bare(right), arena, pairs.right, pairs.rows),
  );
}

/** What the set of rows that a join gives depends on. */
export function joinedMembership(left: Frame, right: Frame, on: Expression | undefined): readonly Node[] {
  return [...new Set([...sideMembership(left, on), ...sideMembership(right, on)])];
}

/** What the set of rows of one side, compared in `on`, depends on. */
export function sideMembership(frame: Frame, on: Expression | undefined): readonly Node[] {
  return on === undefined ? frame.membership : membershipWith(frame, [on]);
}

/** Columns and factors of two frames of the same number of rows. */
export function sideBySide(left: Frame, right: Frame): Frame {
  return {
    rows: left.rows,
    columns: [...left.columns, ...right.columns],
    annotation: [...left.annotation, ...right.annotation],
    membership: [...new Set([...left.membership, ...right.membership])],
    present: bothPresent(left.present, right.present),
  };
}

/** 1 where a row is present in both. */
export function bothPresent(a: Uint8Array | null, b: Uint8Array | null): Uint8Array | null {
  if (a === null || b === null) return a ?? b;
  return a.map((present, i) => present & b[i]);
}
