/**
 * The pairs of rows that a join is made of: by hashing where the condition has an equality, row by row where
 * not. The smaller side is built, the larger one probes.
 */

import type { Frame } from '../../frame/frame.js';
import { type Expression, freshColumn } from '../../plan/expression.js';
import { type Context, checkAborted } from '../context.js';
import { passing } from '../filter.js';
import { computed } from '../project.js';
import { splitCondition } from './join-condition.js';
import { matchingPairs, type Pairs, sharedCodes } from './matches.js';
import { nestedPairs } from './nested-loop.js';
import { type JoinedRows, pairedColumns } from './paired.js';

/** All pairs of rows for which the condition is true. */
export function findPairs(on: Expression | undefined, left: Frame, right: Frame, context: Context): Pairs {
  const { arena } = context;
  checkAborted(context.signal);
  const { keys, rest } = splitCondition(on, idsOf(left), idsOf(right));
  if (keys.length === 0) return nestedPairs(rest, left, right, context);
  const columns = keys.map(
    (key) =>
      [
        computed(freshColumn('', key.left.type), key.left, left, context),
        computed(freshColumn('', key.right.type), key.right, right, context),
      ] as const,
  );
  const buildRight = right.rows <= left.rows;
  const [build, probe] = buildRight ? [right, left] : [left, right];
  const codes = sharedCodes(
    columns.map(([a, b], k) => {
      const { nullsEqual } = keys[k];
      return buildRight ? { build: b, probe: a, nullsEqual } : { build: a, probe: b, nullsEqual };
    }),
    build.rows,
    probe.rows,
    arena,
  );
  const found = matchingPairs(codes, build.rows, probe.rows, arena);
  arena.free(codes.build);
  arena.free(codes.probe);
  const pairs = buildRight
    ? { left: found.probe, right: found.build, rows: found.rows }
    : { left: found.build, right: found.probe, rows: found.rows };
  return rest === undefined ? pairs : passingPairs({ left, right, on: rest, pairs }, context);
}

/** The pairs for which `on` is true too. */
function passingPairs(joined: JoinedRows & { readonly on: Expression }, context: Context): Pairs {
  const { arena } = context;
  const { pairs } = joined;
  const plain = { ...context, capture: false };
  const { index, count } = passing(joined.on, pairedColumns(joined, context), plain);
  const kept = { left: arena.int32(count), right: arena.int32(count), rows: count };
  for (let i = 0; i < count; i++) {
    kept.left[i] = pairs.left[index[i]];
    kept.right[i] = pairs.right[index[i]];
  }
  arena.free(index);
  arena.free(pairs.left);
  arena.free(pairs.right);
  return kept;
}

/** The columns of a frame. */
export function idsOf(frame: Frame): ReadonlySet<number> {
  return new Set(frame.columns.map(({ column }) => column.id));
}
