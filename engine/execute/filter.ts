/**
 * Filter: annotation ann · P(r, p). The output is one index vector. Conjuncts are applied one after the
 * other, each to the rows that are left, so a cheap and selective first conjunct pays for the rest.
 */

import { compile } from '../evaluate/compile.js';
import { type Frame, select } from '../frame/frame.js';
import type { Expression } from '../plan/expression.js';
import type { Filter } from '../plan/plan.js';
import { conjuncts } from '../plan/traverse-expression.js';
import { batch, chunkValue, type Evaluator } from '../value/chunk.js';
import { type Context, checkAborted } from './context.js';
import { cellsOf, membershipWith } from './membership.js';
import { type RangeTest, rangeTest, rowsPassing, withTest } from './range-test.js';

export function filter({ predicate }: Filter, input: Frame, context: Context): Frame {
  const { arena, capture } = context;
  const { index, count } = passing(predicate, input, context);
  if (!capture) return select(input, arena, index, count);
  const cells = cellsOf(input, [predicate]);
  const extended = {
    ...input,
    annotation: [...input.annotation, ...cells],
    membership: membershipWith(input, [predicate]),
  };
  return select(extended, arena, index, count);
}

/** The rows of the frame for which the predicate is true, in order. */
export function passing(
  predicate: Expression,
  frame: Frame,
  context: Context,
): { index: Int32Array; count: number } {
  const { arena, parameters, signal } = context;
  let rows: Int32Array | null = null;
  let count = frame.rows;
  const narrow = (keep: (rows: Int32Array | null, n: number, out: Int32Array) => number): void => {
    checkAborted(signal);
    const out = arena.int32(count);
    count = keep(rows, count, out);
    if (rows !== null) arena.free(rows);
    rows = out;
  };
  let tests: readonly RangeTest[] = [];
  const runTests = (): void => {
    const chosen = tests;
    if (chosen.length > 0) narrow((from, n, out) => rowsPassing(chosen, from, n, out));
    tests = [];
  };
  for (const conjunct of conjuncts(predicate)) {
    const test = rangeTest(conjunct, frame, parameters);
    if (test !== undefined) {
      tests = withTest(tests, test);
      continue;
    }
    runTests();
    const evaluator = compile(conjunct, frame, parameters);
    narrow((from, n, out) => refine(evaluator, from, n, out));
  }
  runTests();
  return { index: rows === null ? identity(arena.int32(count), count) : arena.fitted(rows, count), count };
}

function identity(out: Int32Array, n: number): Int32Array {
  for (let i = 0; i < n; i++) out[i] = i;
  return out;
}

function refine(predicate: Evaluator, rows: Int32Array | null, n: number, out: Int32Array): number {
  let kept = 0;
  for (let start = 0; start < n; start += batch) {
    const size = Math.min(batch, n - start);
    const chunk = predicate.run(rows, start, size);
    if (chunk.form !== 'boolean') {
      for (let i = 0; i < size; i++)
        if (chunkValue(chunk, i) === true) out[kept++] = rows === null ? start + i : rows[start + i];
      continue;
    }
    const { data, nulls, offset } = chunk;
    for (let i = 0; i < size; i++) {
      out[kept] = rows === null ? start + i : rows[start + i];
      kept += data[offset + i] === 1 && (nulls === null || nulls[offset + i] === 0) ? 1 : 0;
    }
  }
  return kept;
}
