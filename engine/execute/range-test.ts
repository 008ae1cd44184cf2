/**
 * The fast path of "column compared with a constant": a range of 32-bit integers, tested over the base data
 * without any intermediate. It takes no null, no NaN and no mixed units; whatever it does not take goes the
 * general way. Ranges over one column are intersected, so BETWEEN is one test.
 */

import { comparisons } from '../evaluate/compile.js';
import { parameterValue } from '../evaluate/row.js';
import { type Frame, frameColumn } from '../frame/frame.js';
import type { Selection } from '../frame/selection.js';
import { mirrored } from '../operators/comparison.js';
import type { ComparisonKind } from '../operators/kernel/comparison.js';
import type { Expression } from '../plan/expression.js';
import type { Value } from '../value/value.js';
import type { Bounds } from '../value/vector.js';

/** Passes where `min <= value <= max`, or where not (`outside`). */
export interface RangeTest {
  readonly data: Int32Array;
  readonly selection: Selection | null;
  /** Where all values lie, if known. */
  readonly bounds: Bounds | undefined;
  readonly min: number;
  readonly max: number;
  readonly outside: boolean;
}

/** The conjunct as a range test; undefined where it is of another form. */
export function rangeTest(
  predicate: Expression,
  frame: Frame,
  parameters: readonly Value[],
): RangeTest | undefined {
  if (predicate.kind !== 'call' || predicate.arguments.length !== 2) return undefined;
  let [left, right] = predicate.arguments;
  let fn = predicate.function;
  if (right.kind === 'column') {
    const turned = mirrored.get(fn);
    if (turned === undefined) return undefined;
    [left, right, fn] = [right, left, turned];
  }
  const kind = comparisons.get(fn);
  if (kind === undefined || left.kind !== 'column') return undefined;
  if (right.kind !== 'literal' && right.kind !== 'parameter') return undefined;
  if (left.type !== right.type && !(isNumeric(left.type) && isNumeric(right.type))) return undefined;
  const column = frameColumn(frame, left.id);
  if (column === undefined || column.vector.nulls !== null || column.selection?.nullable) return undefined;
  const constant = right.kind === 'literal' ? right.value : parameterValue(right.index, parameters);
  const { vector, selection } = column;
  if (vector.form === 'dictionary' && (kind === '=' || kind === '<>') && typeof constant === 'string') {
    const bounds = { min: 0, max: vector.words.length - 1 };
    const code = vector.words.indexOf(constant);
    // A word that is not there has code -1, below the bounds: an empty range.
    return { data: vector.data, selection, bounds, ...rangeOf(kind, code) };
  }
  if (vector.form !== 'int32' || typeof constant !== 'number' || Number.isNaN(constant)) return undefined;
  return { data: vector.data, selection, bounds: vector.bounds, ...rangeOf(kind, constant) };
}

function isNumeric(type: string): boolean {
  return type === 'integer' || type === 'float';
}

/** The integers that compare so with the constant, which may have a fraction or be infinite. */
function rangeOf(kind: ComparisonKind, constant: number): Pick<RangeTest, 'min' | 'max' | 'outside'> {
  const all = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, outside: false };
  switch (kind) {
    case '=':
    case '<>':
      return { min: Math.ceil(constant), max: Math.floor(constant), outside: kind === '<>' };
    case '<':
      return { ...all, max: Math.ceil(constant) - 1 };
    case '<=':
      return { ...all, max: Math.floor(constant) };
    case '>':
      return { ...all, min: Math.floor(constant) + 1 };
    case '>=':
      return { ...all, min: Math.ceil(constant) };
  }
}

/** Adds a test to others, into one that is there already where both are ranges of one column. */
export function withTest(tests: readonly RangeTest[], test: RangeTest): readonly RangeTest[] {
  const same = tests.findIndex(
    ({ data, selection, outside }) =>
      data === test.data && selection === test.selection && !outside && !test.outside,
  );
  if (same < 0) return [...tests, test];
  const { min, max } = tests[same];
  const both = { ...test, min: Math.max(min, test.min), max: Math.min(max, test.max) };
  return tests.with(same, both);
}

/** Rows a block: its row numbers stay in the first-level cache from test to test. */
const block = 2048;

/**
 * Writes the rows, of `rows` (of 0 … n-1 where null), that pass every test to `out`, and returns how many.
 */
export function rowsPassing(
  tests: readonly RangeTest[],
  rows: Int32Array | null,
  n: number,
  out: Int32Array,
): number {
  const loops = tests.map(loopOf);
  let kept = 0;
  for (let start = 0; start < n; start += block) {
    const size = Math.min(block, n - start);
    let end: number;
    if (rows === null) end = loops[0].fromAll(start, size, out, kept);
    else end = loops[0].from(rows, start, size, out, kept);
    // Each further test thins out the block in place.
    for (let t = 1; t < loops.length; t++) end = loops[t].from(out, kept, end - kept, out, kept);
    kept = end;
  }
  return kept;
}

/** Both write passing rows to `out` from `at` on, and return where they ended. */
interface Loops {
  /** Tests rows `start … start+n-1`. */
  fromAll(start: number, n: number, out: Int32Array, at: number): number;
  /** Tests rows `rows[start … start+n-1]`; `out` may be `rows`, no further on. */
  from(rows: Int32Array, start: number, n: number, out: Int32Array, at: number): number;
}

function loopOf({ data, selection, bounds, min, max, outside }: RangeTest): Loops {
  const index = selection?.resolve() ?? null;
  if (bounds === undefined || bounds.max - bounds.min >= 2 ** 31 - 1) {
    const holds = (row: number): boolean => {
      const value = data[index === null ? row : index[row]];
      return (value >= min && value <= max) !== outside;
    };
    return rowByRow(holds);
  }
  const low = Math.max(min, bounds.min);
  const high = Math.min(max, bounds.max);
  if (low > high) return rowByRow(() => outside);
  const flip = outside ? 0 : 1;
  return index === null ? direct(data, low, high, flip) : indexed(data, index, low, high, flip);
}

function rowByRow(holds: (row: number) => boolean): Loops {
  return {
    fromAll(start, n, out, at) {
      let k = at;
      for (let row = start; row < start + n; row++) if (holds(row)) out[k++] = row;
      return k;
    },
    from(rows, start, n, out, at) {
      let k = at;
      for (let i = start; i < start + n; i++) if (holds(rows[i])) out[k++] = rows[i];
      return k;
    },
  };
}

// Without a branch, which would be mispredicted: the sign of (value - low) | (high - value) says "outside".
// Neither difference overflows, since low, high and every value lie within bounds that are less than 2^31
// apart.

function direct(data: Int32Array, low: number, high: number, flip: number): Loops {
  return {
    fromAll(start, n, out, at) {
      let k = at;
      for (let row = start; row < start + n; row++) {
        const value = data[row];
        out[k] = row;
        k += (((value - low) | (high - value)) >>> 31) ^ flip;
      }
      return k;
    },
    from(rows, start, n, out, at) {
      let k = at;
      for (let i = start; i < start + n; i++) {
        const row = rows[i];
        const value = data[row];
        out[k] = row;
        k += (((value - low) | (high - value)) >>> 31) ^ flip;
      }
      return k;
    },
  };
}

function indexed(data: Int32Array, index: Int32Array, low: number, high: number, flip: number): Loops {
  return {
    fromAll(start, n, out, at) {
      let k = at;
      for (let row = start; row < start + n; row++) {
        const value = data[index[row]];
        out[k] = row;
        k += (((value - low) | (high - value)) >>> 31) ^ flip;
      }
      return k;
    },
    from(rows, start, n, out, at) {
      let k = at;
      for (let i = start; i < start + n; i++) {
        const row = rows[i];
        const value = data[index[row]];
        out[k] = row;
        k += (((value - low) | (high - value)) >>> 31) ^ flip;
      }
      return k;
    },
  };
}
