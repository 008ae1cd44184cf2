/**
 * Grouping: rows to group numbers. The group-index vector that comes out is kept, it is the sum of the
 * provenance circuit.
 */
import type { Arena } from '../../memory/pool.js';
import { IntMap } from '../hash/int-map.js';
import { type Codes, combineSmall, groupCodes, type KeyColumn, largestSize } from '../hash/key-codes.js';

export interface Grouping {
  /** The group of each row. */
  readonly group: Int32Array;
  readonly count: number;
  /** The first row of each group. */
  readonly first: Int32Array;
}

/** Groups in order of first appearance; NULL equals NULL. */
export function groupRows(keys: readonly KeyColumn[], rows: number, arena: Arena): Grouping {
  if (rows === 0) return { group: arena.int32(0), count: 0, first: arena.int32(0) };
  if (keys.length === 0) return { group: arena.int32(rows).fill(0), count: 1, first: new Int32Array(1) };
  let codes = groupCodes(keys[0], rows, arena);
  for (let k = 1; k < keys.length; k++) {
    const together = combineSmall(codes, keys[k], rows);
    codes = together ?? combine(codes, groupCodes(keys[k], rows, arena), rows, arena);
  }
  const grouping = dense(codes, rows, arena);
  arena.free(codes.codes);
  return grouping;
}

/** Codes of pairs: by arithmetic where the product of the sizes fits 31 bits, by hashing where not. */
function combine(a: Codes, b: Codes, rows: number, arena: Arena): Codes {
  if (a.size * b.size < largestSize) {
    const { codes, size } = b;
    const out = a.codes;
    for (let i = 0; i < rows; i++) out[i] = out[i] * size + codes[i];
    arena.free(codes);
    return { codes: out, size: a.size * size };
  }
  const map = new IntMap(arena);
  const out = arena.int32(rows);
  arena.free(map.insertAll(a.codes, b.codes, rows, out, arena.int32(1024)));
  const size = map.size;
  map.free();
  arena.free(a.codes);
  arena.free(b.codes);
  return { codes: out, size };
}

function dense({ codes, size }: Codes, rows: number, arena: Arena): Grouping {
  const group = arena.int32(rows);
  if (size <= 4 * rows + 4096) return direct(codes, size, rows, group, arena);
  const map = new IntMap(arena);
  const first = map.insertAll(codes, null, rows, group, arena.int32(1024));
  const count = map.size;
  map.free();
  return { group, count, first };
}

/** A table by code, where the codes are dense enough. */
function direct(codes: Int32Array, size: number, rows: number, group: Int32Array, arena: Arena): Grouping {
  const numbers = arena.int32(size).fill(0, 0, size);
  const first = arena.int32(Math.min(rows, size));
  const count = numberCodes(codes, rows, numbers, group, first);
  arena.free(numbers);
  return { group, count, first: arena.fitted(first, count) };
}

/** A loop of its own; see key-codes.ts. `numbers` holds 0 for a new code, else its number plus one. */
function numberCodes(
  codes: Int32Array,
  rows: number,
  numbers: Int32Array,
  group: Int32Array,
  first: Int32Array,
): number {
  let count = 0;
  for (let i = 0; i < rows; i++) {
    const code = codes[i];
    let number = numbers[code];
    if (number === 0) {
      first[count] = i;
      number = ++count;
      numbers[code] = number;
    }
    group[i] = number - 1;
  }
  return count;
}
