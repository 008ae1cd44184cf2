/** Limit and offset, and the guard of scalar subqueries. For labels, which rows are in depends on all. */
import { AssayError } from '../../semiring/message/error.js';
import { compileRow } from '../evaluate/row.js';
import { type Frame, guard, select } from '../frame/frame.js';
import { type Expression, freshColumn } from '../plan/expression.js';
import type { Limit } from '../plan/plan.js';
import type { Context } from './context.js';
import { groupRows } from './group/grouping.js';
import { computed } from './project.js';
import { dependsOnAll } from './sort.js';

export function limit(plan: Limit, input: Frame, context: Context): Frame {
  const { arena, capture } = context;
  const offset = amount(plan.offset, 'OFFSET', context) ?? 0;
  const most = amount(plan.limit, 'LIMIT', context) ?? Number.POSITIVE_INFINITY;
  const by = plan.by ?? [];
  const { group, count: groups } = groupRows(
    by.map((key) => computed(freshColumn('', key.type), key, input, context)),
    input.rows,
    arena,
  );
  const passed = new Float64Array(groups);
  const index = arena.int32(input.rows);
  let kept = 0;
  for (let i = 0; i < input.rows; i++) {
    if (input.present !== null && input.present[i] === 0) continue;
    const place = passed[group[i]]++;
    if (place >= offset && place - offset < most) index[kept++] = i;
  }
  arena.free(group);
  return select(capture ? dependsOnAll(input, by) : input, arena, arena.fitted(index, kept), kept);
}

function amount(expression: Expression | null, what: string, { parameters }: Context): number | null {
  if (expression === null) return null;
  const value = compileRow(expression, { parameters, column: () => () => null })(0);
  if (value === null) return null;
  const n = Number(value);
  if (n >= 0) return Math.floor(n);
  throw new AssayError('engine/bad-limit', `${what} must not be negative, got ${String(value)}`);
}

/** @throws AssayError `engine/more-than-one-row` */
export function singleRow(input: Frame, context: Context): Frame {
  const { arena, capture } = context;
  const rows = presentRows(input);
  if (rows.length > 1) {
    throw new AssayError(
      'engine/more-than-one-row',
      `a subquery used as a value returned ${rows.length} rows`,
    );
  }
  if (rows.length === 1) return { ...select(input, arena, Int32Array.from(rows), 1), present: null };
  // No row: one row of NULLs, there whatever is deleted.
  const nulls = select({ ...input, annotation: [], present: null }, arena, Int32Array.of(-1), 1, true);
  return { ...nulls, annotation: capture ? guard(input.membership) : [] };
}

function presentRows({ rows, present }: Frame): number[] {
  return Array.from({ length: Math.min(rows, present === null ? rows : rows) }, (_, i) => i).filter(
    (i) => present === null || present[i] === 1,
  );
}
