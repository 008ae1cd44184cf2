/**
 * Outer joins: the pairs of the inner join and, after them, the unmatched rows as an anti join leaves them.
 */

import { type Frame, factorNode, productNode, select } from '../../frame/frame.js';
import { concat, either, gather, type Node, one, times } from '../../provenance/circuit.js';
import type { Context } from '../context.js';
import { type JoinedRows, joinedMembership, paired, pairedCells, sideBySide } from './paired.js';
import { type Unmatched, unmatched } from './unmatched.js';

/** The pairs, then the unmatched rows of the left (`left`), the right (`right`), or both (`full`). */
export function outer(type: 'left' | 'right' | 'full', joined: JoinedRows, context: Context): Frame {
  const { left, right, on, pairs } = joined;
  const { arena, capture } = context;
  const alone = {
    left: type === 'right' ? null : unmatched('left', joined, context),
    right: type === 'left' ? null : unmatched('right', joined, context),
  };
  const leftCount = alone.left?.count ?? 0;
  const rows = pairs.rows + leftCount + (alone.right?.count ?? 0);
  const index = { left: arena.int32(rows).fill(-1, 0, rows), right: arena.int32(rows).fill(-1, 0, rows) };
  index.left.set(pairs.left.subarray(0, pairs.rows));
  index.right.set(pairs.right.subarray(0, pairs.rows));
  if (alone.left) index.left.set(alone.left.index.subarray(0, leftCount), pairs.rows);
  if (alone.right) index.right.set(alone.right.index.subarray(0, alone.right.count), pairs.rows + leftCount);
  const frame = sideBySide(
    select({ ...left, present: null }, arena, index.left, rows, alone.right !== null),
    select({ ...right, present: null }, arena, index.right, rows, alone.left !== null),
  );
  if (!capture) return frame;
  const extra = concat([
    productNode(pairedCells(joined, context), pairs.rows),
    ...[alone.left, alone.right].flatMap((part) => (part === null ? [] : [extraNode(part)])),
  ]);
  const { present } = paired(joined, { ...context, capture: false });
  return {
    ...frame,
    annotation:
      extra.kind === 'one' ? frame.annotation : [...frame.annotation, { node: extra, selection: null }],
    membership: joinedMembership(left, right, on),
    present: concatenatedPresence(present, pairs.rows, [alone.left, alone.right]),
  };
}

/** The extra factors of unmatched rows, over these rows. */
function extraNode({ index, count, factors, rows }: Unmatched): Node {
  return times(
    one(count),
    ...factors.map((factor) => {
      if (factor.constant) return factorNode(factor, count);
      const node = gather(productNode([{ ...factor, dependency: false }], rows), index, count);
      return factor.dependency ? either(one(count), node) : node;
    }),
  );
}

function concatenatedPresence(
  pairs: Uint8Array | null,
  count: number,
  parts: readonly (Unmatched | null)[],
): Uint8Array | null {
  if (pairs === null && parts.every((part) => part === null || part.present === null)) return null;
  const flags = [pairs === null ? new Uint8Array(count).fill(1) : pairs.subarray(0, count)];
  for (const part of parts) {
    if (part === null) continue;
    const { present } = part;
    flags.push(
      Uint8Array.from({ length: part.count }, (_, i) => (present === null ? 1 : present[part.index[i]])),
    );
  }
  const rows = flags.reduce((sum, array) => sum + array.length, 0);
  const all = new Uint8Array(rows);
  let at = 0;
  for (const array of flags) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
