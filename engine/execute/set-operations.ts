/**
 * Except and intersect. With `all` false, over K-relations: (Σ left) ∸ (Σ right) and (Σ left) · (Σ right) for
 * each distinct row. With `all` true, SQL's bag counts: of a row that is m times on the left and n times on
 * the right, EXCEPT leaves the first max(0, m − n) left copies, INTERSECT the first min(m, n), each with its
 * counterpart on the right. All columns are compared, so a row is worth ann · P(all columns), and its cells
 * are 1.
 */

import { type Factor, type Frame, guard, productNode, select } from '../frame/frame.js';
import type { Except, Intersect } from '../plan/plan.js';
import { either, monus } from '../provenance/circuit.js';
import type { Context } from './context.js';
import { Collapsed } from './group/collapse.js';
import { groupRows } from './group/grouping.js';
import { membershipOfWhole } from './membership.js';
import { union } from './union.js';

/** Both sides, left rows first, and equal rows in one group. */
interface Sides {
  readonly both: Frame;
  readonly left: number;
  readonly group: Int32Array;
  readonly groups: number;
  readonly first: Int32Array;
}

function sides(plan: Except | Intersect, left: Frame, right: Frame, context: Context): Sides {
  const both = union(plan.columns, [left, right], context);
  const { group, count, first } = groupRows(both.columns, both.rows, context.arena);
  return { both, left: left.rows, group, groups: count, first };
}

/** Present rows of each group on one side. */
function counts({ both, group, groups }: Sides, from: number, to: number): Int32Array {
  const result = new Int32Array(groups);
  for (let i = from; i < to; i++) if (both.present === null || both.present[i] === 1) result[group[i]]++;
  return result;
}

/** Σ over each group of the left (or right) rows' ann · P(all columns). */
function sumOfSide(s: Sides, from: number, to: number, context: Context): readonly Factor[] {
  const rows = to - from;
  const index = context.arena.int32(rows);
  const group = context.arena.int32(rows);
  for (let i = 0; i < rows; i++) {
    index[i] = from + i;
    group[i] = s.group[from + i];
  }
  const side = select(s.both, context.arena, index, rows);
  return new Collapsed(
    side,
    side.columns.flatMap((column) => column.provenance),
    group,
    context.arena,
  ).sum(s.groups);
}

export function except(plan: Except, left: Frame, right: Frame, context: Context): Frame {
  const s = sides(plan, left, right, context);
  if (plan.all) return bag('except', s, context);
  const { capture, possible, arena } = context;
  const onLeft = counts(s, 0, s.left);
  const onRight = counts(s, s.left, s.both.rows);
  const index = arena.int32(s.groups);
  const present: number[] = [];
  let rows = 0;
  for (let g = 0; g < s.groups; g++) {
    const isPresent = onLeft[g] > 0 && onRight[g] === 0;
    if (!isPresent && !(possible && capture && s.first[g] < s.left)) continue;
    index[rows++] = g;
    present.push(isPresent ? 1 : 0);
  }
  const groups = perGroup(s, context);
  if (!capture) return select(groups, arena, index, rows);
  const sumLeft = sumOfSide(s, 0, s.left, context);
  const annotation = possible
    ? [minus(sumLeft, sumOfSide(s, s.left, s.both.rows, context), s.groups)]
    : sumLeft;
  const frame: Frame = {
    ...groups,
    annotation: [...annotation, ...guard(membershipOfWhole(right))],
    membership: membershipOfWhole(s.both),
  };
  const chosen = select(frame, arena, index, rows);
  return { ...chosen, present: possible ? Uint8Array.from(present) : null };
}

/** (Σ left) ∸ (Σ right); for labels the guard says what the right side means. */
function minus(left: readonly Factor[], right: readonly Factor[], groups: number): Factor {
  const a = productNode(left, groups);
  return { node: either(monus(a, productNode(right, groups)), a), selection: null };
}

export function intersect(plan: Intersect, left: Frame, right: Frame, context: Context): Frame {
  const s = sides(plan, left, right, context);
  if (plan.all) return bag('intersect', s, context);
  const { arena, capture, possible } = context;
  const onLeft = counts(s, 0, s.left);
  const onRight = counts(s, s.left, s.both.rows);
  const inRight = new Uint8Array(s.groups);
  for (let i = s.left; i < s.both.rows; i++) inRight[s.group[i]] = 1;
  const index = arena.int32(s.groups);
  const present: number[] = [];
  let rows = 0;
  for (let g = 0; g < s.groups; g++) {
    const isPresent = onLeft[g] > 0 && onRight[g] > 0;
    if (!isPresent && !(possible && capture && s.first[g] < s.left && inRight[g] === 1)) continue;
    index[rows++] = g;
    present.push(isPresent ? 1 : 0);
  }
  const groups = perGroup(s, context);
  if (!capture) return select(groups, arena, index, rows);
  const annotation = [...sumOfSide(s, 0, s.left, context), ...sumOfSide(s, s.left, s.both.rows, context)];
  const chosen = select({ ...groups, annotation, membership: membershipOfWhole(s.both) }, arena, index, rows);
  return { ...chosen, present: possible ? Uint8Array.from(present) : null };
}

/** One row a group, cells 1, without annotation. */
function perGroup(s: Sides, { arena }: Context): Frame {
  const frame = select({ ...s.both, annotation: [], present: null }, arena, s.first, s.groups);
  return { ...frame, columns: bare(frame.columns) };
}

function bare(columns: Frame['columns']): Frame['columns'] {
  return columns.map((column) => ({ ...column, provenance: [], reach: [], tensor: undefined }));
}

/**
 * Row numbers by group, in order: those of group g are `rows[start[g] … start[g+1]-1]`. Present rows only.
 */
function rowsByGroup(
  s: Sides,
  from: number,
  to: number,
): { readonly start: Int32Array; readonly rows: Int32Array } {
  const start = new Int32Array(s.groups + 1);
  const count = counts(s, from, to);
  for (let g = 0; g < s.groups; g++) start[g + 1] = start[g] + count[g];
  const next = start.slice();
  const rows = new Int32Array(start[s.groups]);
  for (let i = from; i < to; i++)
    if (s.both.present === null || s.both.present[i] === 1) rows[next[s.group[i]]++] = i;
  return { start, rows };
}

/** The left copies that stay, and for `intersect` the right copy that each meets. */
function bag(kind: 'except' | 'intersect', s: Sides, context: Context): Frame {
  const { arena, capture } = context;
  const { both } = s;
  const onLeft = counts(s, 0, s.left);
  const right = rowsByGroup(s, s.left, both.rows);
  const seen = new Int32Array(s.groups);
  const index = arena.int32(s.left);
  const partner = arena.int32(s.left);
  let rows = 0;
  for (let i = 0; i < s.left; i++) {
    if (both.present !== null && both.present[i] === 0) continue;
    const g = s.group[i];
    const copy = seen[g]++;
    const onRight = right.start[g + 1] - right.start[g];
    if (copy >= (kind === 'except' ? onLeft[g] - onRight : onRight)) continue;
    partner[rows] = kind === 'intersect' ? right.rows[right.start[g] + copy] : -1;
    index[rows++] = i;
  }
  const worth = capture ? [...both.annotation, ...both.columns.flatMap((column) => column.provenance)] : [];
  const whole: Frame = { ...both, columns: bare(both.columns), annotation: worth, present: null };
  const kept = select(whole, arena, index, rows);
  if (!capture) return kept;
  const met = kind === 'intersect' ? select({ ...whole, columns: [] }, arena, partner, rows).annotation : [];
  const membership = membershipOfWhole(both);
  return { ...kept, annotation: [...kept.annotation, ...met, ...guard(membership)], membership };
}
