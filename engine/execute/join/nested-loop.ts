/** Pairs by comparing every row with every row, for conditions without an equality; block by block. */

import type { Frame } from '../../frame/frame.js';
import type { Expression } from '../../plan/expression.js';
import { type Context, checkAborted } from '../context.js';
import { passing } from '../filter.js';
import { checkPairs, type Pairs } from './matches.js';
import { pairedColumns } from './paired.js';

/** Pairs looked at in one go. */
const block = 65_536;

/** @throws AssayError `engine/too-many-rows` */
export function nestedPairs(
  condition: Expression | undefined,
  left: Frame,
  right: Frame,
  context: Context,
): Pairs {
  const { arena } = context;
  if (condition === undefined) return crossPairs(left.rows, right.rows, context);
  let found: Pairs = { left: arena.int32(0), right: arena.int32(0), rows: 0 };
  const step = Math.max(1, Math.floor(block / Math.max(1, right.rows)));
  const plain = { ...context, capture: false };
  for (let start = 0; start < left.rows; start += step) {
    checkAborted(context.signal);
    const pairs = blockPairs(start, Math.min(step, left.rows - start), right.rows, context);
    const columns = pairedColumns({ left, right, on: condition, pairs }, context);
    const { index, count } = passing(condition, columns, plain);
    const more = room(found, count, context);
    for (let i = 0; i < count; i++) {
      more.left[found.rows + i] = pairs.left[index[i]];
      more.right[found.rows + i] = pairs.right[index[i]];
    }
    found = { ...more, rows: found.rows + count };
    for (const array of [index, pairs.left, pairs.right]) arena.free(array);
  }
  return found;
}

function crossPairs(left: number, right: number, context: Context): Pairs {
  checkPairs(left * right);
  return blockPairs(0, left, right, context);
}

function blockPairs(start: number, leftRows: number, rightRows: number, { arena }: Context): Pairs {
  const rows = leftRows * rightRows;
  const left = arena.int32(rows);
  const right = arena.int32(rows);
  let at = 0;
  for (let i = 0; i < leftRows; i++) {
    for (let j = 0; j < rightRows; j++) {
      left[at] = start + i;
      right[at++] = j;
    }
  }
  return { left, right, rows };
}

function room(pairs: Pairs, more: number, { arena }: Context): Pairs {
  const needed = pairs.rows + more;
  checkPairs(needed);
  if (needed <= pairs.left.length && needed <= pairs.right.length) return pairs;
  const grow = (old: Int32Array): Int32Array => {
    const larger = arena.int32(Math.max(1024, 2 * old.length, needed));
    larger.set(old.subarray(0, pairs.rows));
    arena.free(old);
    return larger;
  };
  return { left: grow(pairs.left), right: grow(pairs.right), rows: pairs.rows };
}
