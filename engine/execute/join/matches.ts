/**
 * Matching pairs of an equi-join. The pairs are two index vectors, and these are kept; they are the join's
 * provenance. Pairs come out in order of the probe side, and within it of the build side.
 */
import { AssayError } from '../../../semiring/message/error.js';
import type { Arena } from '../../memory/pool.js';
import { IntMap } from '../hash/int-map.js';
import { joinCodes, type KeyColumn, largestSize } from '../hash/key-codes.js';

export interface Pairs {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly rows: number;
}

/** An index vector holds no more. */
const mostRows = 2 ** 30;

/** @throws AssayError `engine/too-many-rows` */
export function checkPairs(rows: number): void {
  if (rows <= mostRows) return;
  throw new AssayError(
    'engine/too-many-rows',
    `a join of ${rows} rows is more than the ${mostRows} that an index vector holds`,
  );
}

/** Both sides' keys in one code space, small enough for a table by code; -1 meets nothing. */
export interface SharedCodes {
  readonly build: Int32Array;
  readonly probe: Int32Array;
  readonly size: number;
}

export function sharedCodes(
  keys: readonly { readonly build: KeyColumn; readonly probe: KeyColumn; readonly nullsEqual: boolean }[],
  buildRows: number,
  probeRows: number,
  arena: Arena,
): SharedCodes {
  let codes: SharedCodes | undefined;
  for (const { build, probe, nullsEqual } of keys) {
    const next = joinCodes(build, buildRows, probe, probeRows, arena, nullsEqual);
    codes = codes === undefined ? next : combine(codes, next, buildRows, probeRows, arena);
  }
  if (codes === undefined) throw new RangeError('an equi-join has at least one key');
  return codes.size > 4 * buildRows + 65_536 ? compact(codes, null, buildRows, probeRows, arena) : codes;
}

function combine(
  a: SharedCodes,
  b: SharedCodes,
  buildRows: number,
  probeRows: number,
  arena: Arena,
): SharedCodes {
  if (a.size * b.size >= largestSize) return compact(a, b, buildRows, probeRows, arena);
  multiplyInto(a.build, b.build, b.size, buildRows);
  multiplyInto(a.probe, b.probe, b.size, probeRows);
  arena.free(b.build);
  arena.free(b.probe);
  return { build: a.build, probe: a.probe, size: a.size * b.size };
}

function multiplyInto(a: Int32Array, b: Int32Array, size: number, n: number): void {
  for (let i = 0; i < n; i++) a[i] = a[i] < 0 || b[i] < 0 ? -1 : a[i] * size + b[i];
}

/** Dense numbers for the build side's codes (pairs of codes where there is a second), by hashing. */
function compact(
  a: SharedCodes,
  b: SharedCodes | null,
  buildRows: number,
  probeRows: number,
  arena: Arena,
): SharedCodes {
  const map = new IntMap(arena);
  const present = arena.int32(buildRows);
  let n = 0;
  const x = arena.int32(buildRows);
  const y = b === null ? null : arena.int32(buildRows);
  for (let i = 0; i < buildRows; i++) {
    if (a.build[i] < 0 || (b !== null && b.build[i] < 0)) continue;
    present[n] = i;
    x[n] = a.build[i];
    if (y !== null && b !== null) y[n] = b.build[i];
    n++;
  }
  const numbers = arena.int32(n);
  arena.free(map.insertAll(x, y, n, numbers, arena.int32(1024)));
  const build = a.build;
  build.fill(-1, 0, buildRows);
  for (let k = 0; k < n; k++) build[present[k]] = numbers[k];
  const probe = arena.int32(probeRows);
  map.lookupAll(a.probe, b === null ? null : b.probe, probeRows, probe);
  const size = map.size;
  map.free();
  for (const array of [present, x, y, numbers, a.probe, b?.build, b?.probe]) if (array) arena.free(array);
  return { build, probe, size };
}

/** @returns pairs as (build row, probe row) */
export function matchingPairs(
  { build, probe, size }: SharedCodes,
  buildRows: number,
  probeRows: number,
  arena: Arena,
): { build: Int32Array; probe: Int32Array; rows: number } {
  const slots = arena.int32(size + 1).fill(-1, 0, size + 1);
  const pairs = fileUnique(slots, build, buildRows)
    ? uniquePairs(slots, probe, probeRows, arena)
    : manyPairs(slots, build, size, buildRows, probe, probeRows, arena);
  arena.free(slots);
  return pairs;
}

// The loops stand alone; see key-codes.ts.

/** The row of each code; false where a code has two. */
function fileUnique(slots: Int32Array, build: Int32Array, rows: number): boolean {
  for (let i = 0; i < rows; i++) {
    const code = build[i];
    if (code < 0) continue;
    if (slots[code] >= 0) return false;
    slots[code] = i;
  }
  return true;
}

function uniquePairs(slots: Int32Array, probe: Int32Array, probeRows: number, arena: Arena) {
  const left = arena.int32(probeRows);
  const right = arena.int32(probeRows);
  const rows = lookUp(slots, probe, probeRows, left, right);
  return { build: arena.fitted(left, rows), probe: arena.fitted(right, rows), rows };
}

function lookUp(
  slots: Int32Array,
  probe: Int32Array,
  probeRows: number,
  left: Int32Array,
  right: Int32Array,
): number {
  let rows = 0;
  for (let i = 0; i < probeRows; i++) {
    const code = probe[i];
    if (code < 0) continue;
    const row = slots[code];
    left[rows] = row;
    right[rows] = i;
    rows += row >= 0 ? 1 : 0;
  }
  return rows;
}

/** Build rows sorted by code (a counting sort), so that the matches of a probe row lie side by side. */
function manyPairs(
  offsets: Int32Array,
  build: Int32Array,
  size: number,
  buildRows: number,
  probe: Int32Array,
  probeRows: number,
  arena: Arena,
) {
  offsets.fill(0, 0, size + 1);
  countCodes(offsets, build, buildRows);
  const total = countMatches(offsets, probe, probeRows);
  checkPairs(total);
  const sum = addUp(offsets, size);
  const sorted = arena.int32(sum);
  fileByCode(offsets, build, buildRows, sorted);
  const left = arena.int32(total);
  const right = arena.int32(total);
  emitMatches(offsets, sorted, probe, probeRows, left, right);
  arena.free(sorted);
  return { build: left, probe: right, rows: total };
}

function countCodes(counts: Int32Array, codes: Int32Array, n: number): void {
  for (let i = 0; i < n; i++) if (codes[i] >= 0) counts[codes[i]]++;
}

function countMatches(counts: Int32Array, probe: Int32Array, n: number): number {
  let total = 0;
  for (let i = 0; i < n; i++) if (probe[i] >= 0) total += counts[probe[i]];
  return total;
}

/** Counts to the ends of their runs; the end of all beside. */
function addUp(counts: Int32Array, size: number): number {
  let sum = 0;
  for (let code = 0; code < size; code++) {
    sum += counts[code];
    counts[code] = sum;
  }
  counts[size] = sum;
  return sum;
}

/** From the end, so that offsets[code] ends as the start of its run and runs keep the build order. */
function fileByCode(offsets: Int32Array, build: Int32Array, n: number, sorted: Int32Array): void {
  for (let i = n - 1; i >= 0; i--) if (build[i] >= 0) sorted[--offsets[build[i]]] = i;
}

function emitMatches(
  offsets: Int32Array,
  sorted: Int32Array,
  probe: Int32Array,
  n: number,
  left: Int32Array,
  right: Int32Array,
): void {
  let rows = 0;
  for (let i = 0; i < n; i++) {
    const code = probe[i];
    if (code < 0) continue;
    const end = offsets[code + 1];
    for (let k = offsets[code]; k < end; k++) {
      left[rows] = sorted[k];
      right[rows++] = i;
    }
  }
}
