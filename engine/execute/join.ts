/**
 * Joins. Inner: annL · annR · P(on). Semi: annL · δ(Σ of the matches' annR · P). Anti: annL · (1 ∸ Σ). An outer
 * join is the inner one and, after it, the unmatched rows as an anti join leaves them. The one thing to know: where
 * only present rows are kept, no unmatched row has a match, so its 1 ∸ Σ is 1 and nothing is spent on it; for labels
 * it depends on everything that it was compared with.
 */
import { concat, delta, either, gather, monus, type Node, one, sumBy, times } from '../circuit.js';
import { type Expression, freshColumn, type ScalarFunction } from '../expression.js';
import { type Factor, type Frame, factorNode, guard, productNode, select } from '../frame.js';
import { isNotDistinctFrom } from '../operators/comparison.js';
import { isNotFalse, isNull, isTrue } from '../operators/null.js';
import type { Join } from '../plan.js';
import { conjunction, conjuncts } from '../traverse.js';
import { type Context, checkAborted } from './context.js';
import { passing } from './filter.js';
import { splitCondition } from './join-condition.js';
import { matchingPairs, type Pairs, sharedCodes } from './matches.js';
import { cellsOf, membershipWith, reachOf } from './membership.js';
import { nestedPairs } from './nested-loop.js';
import { computed } from './project.js';

export function join(plan: Join, left: Frame, right: Frame, context: Context): Frame {
  const { type, on } = plan;
  const pairs = findPairs(on, left, right, context);
  switch (type) {
    case 'inner':
      return plan.lookup && context.capture
        ? lookedUp(pairs, left, right, on, context)
        : paired(pairs, left, right, on, context);
    case 'left':
    case 'right':
    case 'full':
      return outer(type, pairs, left, right, on, context);
    case 'semi':
      return semi(pairs, left, right, on, context);
    case 'anti':
      return anti(pairs, left, right, plan, context);
  }
}

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
  return rest === undefined ? pairs : passingPairs(pairs, rest, left, right, context);
}

/** The pairs for which `condition` is true too. */
export function passingPairs(
  pairs: Pairs,
  condition: Expression,
  left: Frame,
  right: Frame,
  context: Context,
): Pairs {
  const { arena } = context;
  const plain = { ...context, capture: false };
  const { index, count } = passing(condition, paired(pairs, left, right, undefined, plain), plain);
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

function idsOf(frame: Frame): ReadonlySet<number> {
  return new Set(frame.columns.map(({ column }) => column.id));
}

/** The frame of the pairs: both sides' columns; an index of -1 makes NULLs. */
export function paired(
  pairs: Pairs,
  left: Frame,
  right: Frame,
  on: Expression | undefined,
  context: Context,
): Frame {
  const { arena, capture } = context;
  const frame = sideBySide(
    select(left, arena, pairs.left, pairs.rows),
    select(right, arena, pairs.right, pairs.rows),
  );
  if (!capture) return frame;
  const cells = on === undefined ? [] : cellsOf(frame, [on]);
  return {
    ...frame,
    annotation: [...frame.annotation, ...cells],
    membership: [...sideMembership(left, on), ...sideMembership(right, on)],
  };
}

/** Each left row with its one partner, whose annotation and P(on) belong to the right cells. */
function lookedUp(
  pairs: Pairs,
  left: Frame,
  right: Frame,
  on: Expression | undefined,
  context: Context,
): Frame {
  const both = paired(pairs, left, right, undefined, { ...context, capture: false });
  const partner = select(right, context.arena, pairs.right, pairs.rows);
  const looked = [...partner.annotation, ...(on === undefined ? [] : cellsOf(both, [on]))];
  const reach = [...sideMembership(right, on), ...(on === undefined ? [] : reachOf(left, [on]))];
  return {
    ...both,
    columns: both.columns.map((column, i) =>
      i < left.columns.length
        ? column
        : {
            ...column,
            provenance: [...column.provenance, ...looked],
            reach: [...new Set([...column.reach, ...reach])],
          },
    ),
    annotation: select(left, context.arena, pairs.left, pairs.rows).annotation,
    membership: left.membership,
  };
}

function sideMembership(frame: Frame, on: Expression | undefined): readonly Node[] {
  return on === undefined ? frame.membership : membershipWith(frame, [on]);
}

function sideBySide(left: Frame, right: Frame): Frame {
  return {
    rows: left.rows,
    columns: [...left.columns, ...right.columns],
    annotation: [...left.annotation, ...right.annotation],
    membership: [...left.membership, ...right.membership],
    present: bothPresent(left.present, right.present),
  };
}

function bothPresent(a: Uint8Array | null, b: Uint8Array | null): Uint8Array | null {
  if (a === null || b === null) return a ?? b;
  return a.map((present, i) => present & b[i]);
}

/** The matched rows of one side: 1 where the row is in some pair that is present. */
function matched(
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

function rowsWhere(
  flags: Uint8Array,
  wanted: number,
  context: Context,
): { index: Int32Array; count: number } {
  const index = context.arena.int32(flags.length);
  let count = 0;
  for (let i = 0; i < flags.length; i++) {
    index[count] = i;
    count += flags[i] === wanted ? 1 : 0;
  }
  return { index, count };
}

/** Σ over a row's matches of the other side's ann · P(on): one row for each row of this side. */
function sumOfMatches(
  side: 'left' | 'right',
  pairs: Pairs,
  left: Frame,
  right: Frame,
  on: Expression | undefined,
  context: Context,
): Node {
  const { arena } = context;
  const other = side === 'left' ? right : left;
  const otherIndex = side === 'left' ? pairs.right : pairs.left;
  const ownIndex = side === 'left' ? pairs.left : pairs.right;
  const ownRows = side === 'left' ? left.rows : right.rows;
  const matches = select(other, arena, otherIndex, pairs.rows);
  const cells =
    on === undefined
      ? []
      : cellsOf(paired(pairs, left, right, undefined, { ...context, capture: true }), [on]);
  return sumBy(productNode([...matches.annotation, ...cells], pairs.rows), ownIndex, ownRows);
}

function semi(pairs: Pairs, left: Frame, right: Frame, on: Expression | undefined, context: Context): Frame {
  const flags = matched(pairs.left, pairs.right, pairs.rows, left.rows, null);
  const { index, count } = rowsWhere(flags, 1, context);
  if (!context.capture) return select(left, context.arena, index, count);
  const sum = sumOfMatches('left', pairs, left, right, on, context);
  const factor: Factor = { node: either(delta(sum), sum), selection: null };
  const extended: Frame = {
    ...left,
    annotation: [...left.annotation, factor],
    membership: [...sideMembership(left, on), ...sideMembership(right, on)],
  };
  const present =
    right.present === null
      ? left.present
      : bothPresent(left.present, matched(pairs.left, pairs.right, pairs.rows, left.rows, right.present));
  return select({ ...extended, present }, context.arena, index, count);
}

interface Unmatched {
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

/** The rows of one side that have no match (in `possible` mode also those that have), as an anti join leaves them. */
function unmatched(
  side: 'left' | 'right',
  pairs: Pairs,
  left: Frame,
  right: Frame,
  on: Expression | undefined,
  context: Context,
): Unmatched {
  const { capture, possible } = context;
  const own = side === 'left' ? left : right;
  const other = side === 'left' ? right : left;
  const [index, otherIndex] = side === 'left' ? [pairs.left, pairs.right] : [pairs.right, pairs.left];
  const flags = matched(index, otherIndex, pairs.rows, own.rows, other.present);
  const { rows } = own;
  if (!capture) return { ...rowsWhere(flags, 0, context), rows, factors: [], present: null };
  const factors: Factor[] = [];
  if (possible)
    factors.push({
      node: withoutMatches(sumOfMatches(side, pairs, left, right, on, context)),
      selection: null,
    });
  if (on !== undefined) for (const cell of cellsOf(own, [on])) factors.push({ ...cell, dependency: true });
  factors.push(...guard(sideMembership(other, on)));
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

function anti(pairs: Pairs, left: Frame, right: Frame, { on, nullAware }: Join, context: Context): Frame {
  const all = nullAware === true && on !== undefined ? unknownToo(pairs, on, left, right, context) : pairs;
  const { index, count, factors, present } = unmatched('left', all, left, right, on, context);
  if (!context.capture) return select(left, context.arena, index, count);
  const extended: Frame = {
    ...left,
    annotation: [...left.annotation, ...factors],
    membership: [...sideMembership(left, on), ...sideMembership(right, on)],
    present,
  };
  return select(extended, context.arena, index, count);
}

/** NOT IN: a pair whose comparison is unknown drops the left row just as a match does. */
function unknownToo(pairs: Pairs, on: Expression, left: Frame, right: Frame, context: Context): Pairs {
  const { keys, rest } = splitCondition(on, idsOf(left), idsOf(right));
  if (keys.length === 1 && rest === undefined) {
    const [key] = keys;
    if (nullRows(key.left, left, context).count === 0 && nullRows(key.right, right, context).count === 0)
      return pairs;
  }
  // A conjunction is not false where none of its conjuncts is; those that are never unknown stay keys.
  const notFalse = conjuncts(on).map(
    (conjunct): Expression =>
      conjunct.kind === 'call' && neverUnknown.has(conjunct.function)
        ? conjunct
        : { kind: 'call', function: isNotFalse, arguments: [conjunct], type: 'boolean' },
  );
  return findPairs(conjunction(notFalse), left, right, context);
}

const neverUnknown: ReadonlySet<ScalarFunction> = new Set([isTrue, isNotDistinctFrom]);

function nullRows(expression: Expression, frame: Frame, context: Context): { count: number } {
  const test: Expression = { kind: 'call', function: isNull, arguments: [expression], type: 'boolean' };
  const { index, count } = passing(test, frame, context);
  context.arena.free(index);
  return { count };
}

/** The pairs, then the unmatched rows of the left (`left`), the right (`right`), or both (`full`). */
function outer(
  type: 'left' | 'right' | 'full',
  pairs: Pairs,
  left: Frame,
  right: Frame,
  on: Expression | undefined,
  context: Context,
): Frame {
  const { arena, capture } = context;
  const alone = {
    left: type === 'right' ? null : unmatched('left', pairs, left, right, on, context),
    right: type === 'left' ? null : unmatched('right', pairs, left, right, on, context),
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
  const both = paired(pairs, left, right, on, context);
  const cells = on === undefined ? [] : cellsOf(both, [on]);
  const extra = concat([
    productNode(cells, pairs.rows),
    ...[alone.left, alone.right].flatMap((part) => (part === null ? [] : [extraNode(part)])),
  ]);
  const { present } = both;
  return {
    ...frame,
    annotation:
      extra.kind === 'one' ? frame.annotation : [...frame.annotation, { node: extra, selection: null }],
    membership: both.membership,
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
