/**
 * Keys as small integers. Two rows have the same code exactly when their keys are equal (for grouping: NULL
 * equals NULL and has code 0; for joining: NULL has code -1 and meets nothing).
 */
import type { FrameColumn } from '../../frame/frame.js';
import type { Arena } from '../../memory/pool.js';
import { keyOf } from '../../operators/compare.js';
import { type Bounds, type Vector, valueAt } from '../../value/vector.js';

/** Codes lie in 0 … size-1, or are -1. */
export interface Codes {
  readonly codes: Int32Array;
  readonly size: number;
}

export const largestSize = 2 ** 31 - 1;

export type KeyColumn = Pick<FrameColumn, 'vector' | 'selection'>;

/** Whole numbers in 32 bits, and where they lie; null where a vector holds anything else. */
interface IntegerData {
  readonly data: Int32Array | Float64Array;
  readonly bounds: Bounds;
}

export function integersOf({ vector }: KeyColumn): IntegerData | null {
  if (vector.form === 'int32')
    return { data: vector.data, bounds: vector.bounds ?? boundsOf(vector.data, vector.length) };
  if (vector.form !== 'float64' || !allIntegers(vector.data, vector.length)) return null;
  return { data: vector.data, bounds: boundsOf(vector.data, vector.length) };
}

function allIntegers(data: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) if ((data[i] | 0) !== data[i]) return false;
  return true;
}

function boundsOf(data: Int32Array | Float64Array, n: number): Bounds {
  let min = n > 0 ? data[0] : 0;
  let max = min;
  for (let i = 1; i < n; i++) {
    if (data[i] < min) min = data[i];
    else if (data[i] > max) max = data[i];
  }
  return { min, max };
}

/** Codes for grouping: equal keys, equal codes; NULL is 0. */
export function groupCodes(column: KeyColumn, rows: number, arena: Arena): Codes {
  const { vector, selection } = column;
  const index = selection?.resolve() ?? null;
  const integers = integersOf(column);
  if (integers !== null && integers.bounds.max - integers.bounds.min + 2 < largestSize) {
    const { data, bounds } = integers;
    const codes = shifted(arena.int32(rows), data, bounds.min - 1, index, rows, selection?.nullable ?? false);
    return {
      codes: withNulls(codes, vector, index, rows, 0, selection?.nullable ?? false),
      size: bounds.max - bounds.min + 2,
    };
  }
  if (vector.form === 'dictionary') {
    const codes = shifted(arena.int32(rows), vector.data, -1, index, rows, selection?.nullable ?? false);
    return {
      codes: withNulls(codes, vector, index, rows, 0, selection?.nullable ?? false),
      size: vector.words.length + 1,
    };
  }
  const codes = arena.int32(rows);
  const known = new Map<unknown, number>([[null, 0]]);
  for (let i = 0; i < rows; i++) {
    const key = keyOf(valueAt(vector, index === null ? i : index[i]));
    let code = known.get(key);
    if (code === undefined) {
      code = known.size;
      known.set(key, code);
    }
    codes[i] = code;
  }
  return { codes, size: known.size };
}

/**
 * The codes of pairs (code, key), in one pass and in the codes' own memory, where the key is of 32-bit
 * integers without NULL and the pairs fit 31 bits; null where not.
 */
export function combineSmall({ codes, size }: Codes, key: KeyColumn, rows: number): Codes | null {
  const { vector, selection } = key;
  if (vector.nulls !== null || selection?.nullable) return null;
  const small = smallKey(vector);
  if (small === null || size * small.size >= largestSize) return null;
  const { data, by, size: width } = small;
  const index = selection?.resolve() ?? null;
  if (index === null) appendDigits(codes, width, data, by, rows);
  else appendGathered(codes, width, data, by, index, rows);
  return { codes, size: size * width };
}

// The loops below stand alone, without any code after them: V8 then keeps what it has compiled for them,
// while the machine code of a longer function that was entered in mid-loop is thrown away at the loop's end.

function appendDigits(codes: Int32Array, width: number, data: Int32Array, by: number, n: number): void {
  for (let i = 0; i < n; i++) codes[i] = Math.imul(codes[i], width) + (data[i] - by);
}

function appendGathered(
  codes: Int32Array,
  width: number,
  data: Int32Array,
  by: number,
  index: Int32Array,
  n: number,
): void {
  for (let i = 0; i < n; i++) codes[i] = Math.imul(codes[i], width) + (data[index[i]] - by);
}

function subtractEach(out: Int32Array, data: Int32Array, by: number, n: number): void {
  for (let i = 0; i < n; i++) out[i] = data[i] - by;
}

function subtractGathered(out: Int32Array, data: Int32Array, by: number, index: Int32Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = data[index[i]] - by;
}

/** value - min, or -1 outside of min … max. */
function rangeEach(out: Int32Array, data: Int32Array, min: number, max: number, n: number): void {
  for (let i = 0; i < n; i++) {
    const value = data[i];
    out[i] = value < min || value > max ? -1 : value - min;
  }
}

function rangeGathered(
  out: Int32Array,
  data: Int32Array,
  min: number,
  max: number,
  index: Int32Array,
  n: number,
): void {
  for (let i = 0; i < n; i++) {
    const value = data[index[i]];
    out[i] = value < min || value > max ? -1 : value - min;
  }
}

function smallKey(vector: Vector): { data: Int32Array; by: number; size: number } | null {
  if (vector.form === 'dictionary') return { data: vector.data, by: 0, size: vector.words.length };
  if (vector.form !== 'int32' || vector.bounds === undefined) return null;
  const { min, max } = vector.bounds;
  return { data: vector.data, by: min, size: max - min + 1 };
}

function shifted(
  out: Int32Array,
  data: Int32Array | Float64Array,
  by: number,
  index: Int32Array | null,
  n: number,
  nullable: boolean,
): Int32Array {
  if (data instanceof Float64Array)
    for (let i = 0; i < n; i++) out[i] = data[index === null ? i : Math.max(0, index[i])] - by;
  else if (index === null) subtractEach(out, data, by, n);
  else if (nullable) for (let i = 0; i < n; i++) out[i] = data[Math.max(0, index[i])] - by;
  else subtractGathered(out, data, by, index, n);
  return out;
}

/** Overwrites the codes of NULLs with `code`. */
function withNulls(
  codes: Int32Array,
  { nulls }: Vector,
  index: Int32Array | null,
  n: number,
  code: number,
  nullable: boolean,
): Int32Array {
  if (nulls === null && !nullable) return codes;
  for (let i = 0; i < n; i++) {
    const row = index === null ? i : index[i];
    if (row < 0 || (nulls !== null && nulls[row] === 1)) codes[i] = code;
  }
  return codes;
}

interface JoinCodes {
  readonly build: Int32Array;
  readonly probe: Int32Array;
  readonly size: number;
}

/**
 * Codes for joining: the build side's keys make the code space; a probe key that is not in it has -1.
 * @param nullsEqual NULL is a key like any other, instead of one that meets nothing
 */
export function joinCodes(
  build: KeyColumn,
  buildRows: number,
  probe: KeyColumn,
  probeRows: number,
  arena: Arena,
  nullsEqual = false,
): JoinCodes {
  const codes = joinCodesOfValues(build, buildRows, probe, probeRows, arena);
  if (!nullsEqual) return codes;
  const { size } = codes;
  const withNull = (out: Int32Array, { vector, selection }: KeyColumn, rows: number) =>
    withNulls(out, vector, selection?.resolve() ?? null, rows, size, selection?.nullable ?? false);
  return {
    build: withNull(codes.build, build, buildRows),
    probe: withNull(codes.probe, probe, probeRows),
    size: size + 1,
  };
}

/** NULL has -1. */
function joinCodesOfValues(
  build: KeyColumn,
  buildRows: number,
  probe: KeyColumn,
  probeRows: number,
  arena: Arena,
): JoinCodes {
  const a = integersOf(build);
  const b = integersOf(probe);
  if (a !== null && b !== null && a.bounds.max - a.bounds.min + 2 < largestSize) {
    const { min, max } = a.bounds;
    return {
      build: inRange(arena, a.data, min, max, build, buildRows),
      probe: inRange(arena, b.data, min, max, probe, probeRows),
      size: max - min + 1,
    };
  }
  if (build.vector.form === 'dictionary' && probe.vector.form === 'dictionary') {
    const { words } = build.vector;
    return {
      build: throughTable(arena, build, buildRows, null),
      probe: throughTable(
        arena,
        probe,
        probeRows,
        probe.vector.words === words ? null : translation(probe.vector.words, words),
      ),
      size: words.length,
    };
  }
  const known = new Map<unknown, number>();
  const buildCodes = arena.int32(buildRows);
  for (let i = 0; i < buildRows; i++) {
    const key = keyAt(build, i);
    if (key === null) {
      buildCodes[i] = -1;
      continue;
    }
    let code = known.get(key);
    if (code === undefined) {
      code = known.size;
      known.set(key, code);
    }
    buildCodes[i] = code;
  }
  const probeCodes = arena.int32(probeRows);
  for (let i = 0; i < probeRows; i++) {
    const key = keyAt(probe, i);
    probeCodes[i] = key === null ? -1 : (known.get(key) ?? -1);
  }
  return { build: buildCodes, probe: probeCodes, size: known.size };
}

function keyAt({ vector, selection }: KeyColumn, row: number): unknown {
  return keyOf(valueAt(vector, selection === null ? row : selection.resolve()[row]));
}

function inRange(
  arena: Arena,
  data: Int32Array | Float64Array,
  min: number,
  max: number,
  column: KeyColumn,
  n: number,
): Int32Array {
  const out = arena.int32(n);
  const { vector, selection } = column;
  const index = selection?.resolve() ?? null;
  const nullable = selection?.nullable ?? false;
  if (data instanceof Int32Array && !nullable) {
    if (index === null) rangeEach(out, data, min, max, n);
    else rangeGathered(out, data, min, max, index, n);
  } else {
    for (let i = 0; i < n; i++) {
      const value = data[index === null ? i : Math.max(0, index[i])];
      out[i] = value < min || value > max ? -1 : value - min;
    }
  }
  return withNulls(out, vector, index, n, -1, nullable);
}

/** Dictionary codes through a table of codes (as they are where null). */
function throughTable(arena: Arena, column: KeyColumn, n: number, table: Int32Array | null): Int32Array {
  const out = arena.int32(n);
  const { vector, selection } = column;
  if (vector.form !== 'dictionary') return out;
  const index = selection?.resolve() ?? null;
  for (let i = 0; i < n; i++) {
    const row = index === null ? i : Math.max(0, index[i]);
    out[i] = table === null ? vector.data[row] : table[vector.data[row]];
  }
  return withNulls(out, vector, index, n, -1, selection?.nullable ?? false);
}

function translation(from: readonly string[], to: readonly string[]): Int32Array {
  const codes = new Map(to.map((word, code) => [word, code]));
  return Int32Array.from(from, (word) => codes.get(word) ?? -1);
}
