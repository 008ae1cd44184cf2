/**
 * Index vectors in as many bits as their largest entry needs. Packing costs a pass and unpacking another, so
 * an index is packed only where nothing but provenance reads it any more and there are many of them (see
 * packed-circuit.ts); all others stay the arrays that the operators made.
 */
import type { Arena } from './pool.js';

/** An index vector, as it is or packed. An array may be longer than what is used of it. */
export type Index = Int32Array | PackedIndex;

/** `rows` entries of -1 or more, each in `bits` bits of `words` as entry + 1. */
export class PackedIndex {
  readonly rows: number;
  readonly bits: number;
  /** May be longer than needed. */
  readonly words: Uint32Array;

  private constructor(rows: number, bits: number, words: Uint32Array) {
    this.rows = rows;
    this.bits = bits;
    this.words = words;
  }

  /** The first `rows` entries of `index`, in a buffer of the arena's. */
  static of(index: Int32Array, rows: number, arena: Arena): PackedIndex {
    const bits = bitsFor(index, rows);
    const words = arena.uint32(wordsFor(rows, bits));
    pack(words, index, rows, bits);
    return new PackedIndex(rows, bits, words);
  }

  /** Bytes that the entries take. */
  get byteLength(): number {
    return 4 * wordsFor(this.rows, this.bits);
  }

  at(row: number): number {
    const { words, bits } = this;
    const bit = row * bits;
    // Past 2^31 bits the shifts of 32-bit integers would wrap.
    const word = Math.floor(bit / 32);
    const offset = bit % 32;
    const low = words[word] >>> offset;
    const high = offset + bits > 32 ? words[word + 1] << (32 - offset) : 0;
    return ((low | high) & maskOf(bits)) - 1;
  }

  /** All entries; `out` has room for `rows` of them. */
  unpack(out: Int32Array = new Int32Array(this.rows)): Int32Array {
    unpack(out, this.words, this.rows, this.bits);
    return out;
  }
}

/** The entry of a row. */
export function indexAt(index: Index, row: number): number {
  return index instanceof PackedIndex ? index.at(row) : index[row];
}

/** The entries in an array, which may be longer than what is used of it. */
export function flatIndex(index: Index): Int32Array {
  return index instanceof PackedIndex ? index.unpack() : index;
}

/** Bytes of the first `rows` entries. */
export function indexBytes(index: Index, rows: number): number {
  return index instanceof PackedIndex ? index.byteLength : 4 * rows;
}

function wordsFor(rows: number, bits: number): number {
  return Math.ceil((rows * bits) / 32);
}

function maskOf(bits: number): number {
  return bits === 32 ? -1 : (1 << bits) - 1;
}

function bitsFor(index: Int32Array, rows: number): number {
  let all = 0;
  for (let i = 0; i < rows; i++) all |= index[i] + 1;
  return 32 - Math.clz32(all);
}

function pack(words: Uint32Array, index: Int32Array, rows: number, bits: number): void {
  let word = 0;
  let filled = 0;
  let at = 0;
  for (let i = 0; i < rows; i++) {
    const entry = index[i] + 1;
    word |= entry << filled;
    filled += bits;
    if (filled < 32) continue;
    words[at++] = word;
    filled -= 32;
    word = filled === 0 ? 0 : entry >>> (bits - filled);
  }
  if (filled > 0) words[at] = word;
}

function unpack(out: Int32Array, words: Uint32Array, rows: number, bits: number): void {
  const mask = maskOf(bits);
  let offset = 0;
  let at = 0;
  for (let i = 0; i < rows; i++) {
    const low = words[at] >>> offset;
    const next = offset + bits;
    const high = next > 32 ? words[at + 1] << (32 - offset) : 0;
    out[i] = ((low | high) & mask) - 1;
    at += next >>> 5;
    offset = next & 31;
  }
}
