/**
 * Rows of one side of a join and their matches on the other: which have one, what the matches are worth (Σ),
 * and what those without are multiplied with (1 ∸ Σ). Where only present rows are kept, no unmatched row has
 * a match, so its 1 ∸ Σ is 1 and nothing is spent on it; for labels it depends on all that it was compared
 * with.
 */

import { type Factor, guard, productNode, select } from '../../frame/frame.js';
import { either, monus, type Node, one } from '../../provenance/circuit.js';
import type { Context } from '../context.js';
import { Collapsed } from '../group/collapse.js';
import { cellsOf } from '../membership.js';
import { type JoinedRows, pairedCells, sideMembership } from './paired.js';

/** The matched rows of one side: 1 where the row is in some pair that is present. */
export function matched(
  index: Int32Array,
  other: Int32Array,
  pairs: number,
  rows: number,
  otherPresent: Uint8Array | null,
): Uint8Array {
  const flags = new Uint8Array(rows);
  for (let i = 0; i < pairs; i++)
    if (otherPresent === null || otherPresent[other[i]] === 1) flags[index[i]] = 1;
  return flags;
}

/** The rows with that flag, in order. */
export function rowsWhere(
  flags: Uint8Array,
  wanted: number,
  context: Context,
): { index: Int32Array; count: number } {
  const { arena } = context;
  const index = arena.int32(flags.length);
  let count = 0;
  for (let i = 0; i < flags.length; i++) {
    index[count] = i;
    count += flags[i] === wanted ? 1 : 0;
  }
  return { index: arena.fitted(index, count), count };
}

type Side = 'left' | 'right';

function other(side: Side): Side {
  return side === 'left' ? 'right' : 'left';
}

/** Σ over a row's matches of the other side's ann · P(on): one row for each row of this side. */
export function sumOfMatches(side: Side, joined: JoinedRows, context: Context): Node {
  const { pairs } = joined;
  const matches = select(joined[other(side)], context.arena, pairs[other(side)], pairs.rows);
  const collapsed = new Collapsed(matches, pairedCells(joined, context), pairs[side], context.arena);
  return productNode(collapsed.sum(joined[side].rows), joined[side].rows);
}

export interface Unmatched {
  /** Row numbers of the one side. */
  readonly index: Int32Array;
  readonly count: number;
  /** How many rows the side has. */
  readonly rows: number;
  /** What its annotation is multiplied with, over all rows of the side. */
  readonly factors: readonly Factor[];
  /** 0 where a row of the side is only possible; null: all present. */
  readonly present: Uint8Array | null;
}

/**
 * The rows of one side that have no match (in `possible` mode also those that have), as an anti join leaves
 * them.
 */
export function unmatched(side: Side, joined: JoinedRows, context: Context): Unmatched {
  const { capture, possible } = context;
  const { on, pairs } = joined;
  const own = joined[side];
  const partner = joined[other(side)];
  const flags = matched(pairs[side], pairs[other(side)], pairs.rows, own.rows, partner.present);
  const { rows } = own;
  if (!capture) return { ...rowsWhere(flags, 0, context), rows, factors: [], present: null };
  const factors: Factor[] = [];
  if (possible) factors.push({ node: withoutMatches(sumOfMatches(side, joined, context)), selection: null });
  if (on !== undefined) for (const cell of cellsOf(own, [on])) factors.push({ ...cell, dependency: true });
  factors.push(...guard(sideMembership(partner, on)));
  if (!possible) return { ...rowsWhere(flags, 0, context), rows, factors, present: own.present };
  return {
    ...rowsWhere(new Uint8Array(rows), 0, context),
    rows,
    factors,
    present: absentWhere(flags, own.present),
  };
}

/** 1 ∸ Σ; for labels the guard says it all. */
function withoutMatches(sum: Node): Node {
  return either(monus(one(sum.rows), sum), one(sum.rows));
}

function absentWhere(flags: Uint8Array, present: Uint8Array | null): Uint8Array {
  return flags.map((flag, i) => (flag === 1 || (present !== null && present[i] === 0) ? 0 : 1));
}
