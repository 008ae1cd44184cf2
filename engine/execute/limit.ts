/** Limit and offset, and the guard of scalar subqueries. For labels, which rows are in depends on all. */
import { AssayError } from '../../semiring/error.js';
import { compileRow } from '../evaluate/row.js';
import type { Expression } from '../expression.js';
import { type Frame, guard, select } from '../frame.js';
import type { Limit } from '../plan.js';
import type { Context } from './context.js';
import { dependsOnAll } from './sort.js';

export function limit(plan: Limit, input: Frame, context: Context): Frame {
  const { arena, capture } = context;
  const offset = count(plan.offset, 'OFFSET', context) ?? 0;
  const most = count(plan.limit, 'LIMIT', context) ?? Number.POSITIVE_INFINITY;
  const index = arena.int32(input.rows);
  let kept = 0;
  let passed = 0;
  for (let i = 0; i < input.rows && kept < most; i++) {
    if (input.present !== null && input.present[i] === 0) continue;
    if (passed++ >= offset) index[kept++] = i;
  }
  return select(capture ? dependsOnAll(input, []) : input, arena, index, kept);
}

function count(expression: Expression | null, what: string, { parameters }: Context): number | null {
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
