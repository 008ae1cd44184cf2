/**
 * A hash map from one or two 32-bit integers to dense numbers 0, 1, 2, … in order of first appearance: open
 * addressing with linear probing, Fibonacci hashing (Knuth, TAOCP 3, 6.4).
 */
import type { Arena } from '../../memory/pool.js';

const golden = 0x9e3779b1 | 0;
const mixer = 0x85ebca6b | 0;

/** Keys are the pairs (a, b); one integer a is the pair (a, 0). */
export class IntMap {
  readonly #arena: Arena;
  #a: Int32Array;
  #b: Int32Array;
  /** The number at a slot plus one; 0 is free. */
  #slots: Int32Array;
  #shift: number;
  #mask: number;
  #size = 0;

  constructor(arena: Arena, expected = 1024) {
    this.#arena = arena;
    const bits = Math.max(11, Math.ceil(Math.log2(2 * expected)));
    this.#shift = 32 - bits;
    this.#mask = 2 ** bits - 1;
    this.#slots = arena.int32(2 ** bits).fill(0);
    this.#a = arena.int32(2 ** (bits - 1));
    this.#b = arena.int32(2 ** (bits - 1));
  }

  get size(): number {
    return this.#size;
  }

  /** Numbers the keys (a[i], b[i]) for i < n into `out`; `firsts` gets the first i of each new number. */
  insertAll(a: Int32Array, b: Int32Array | null, n: number, out: Int32Array, firsts: Int32Array): Int32Array {
    let first = firsts;
    let at = 0;
    while (at < n) {
      at = b === null ? this.#insertOnes(a, at, n, out, first) : this.#insertPairs(a, b, at, n, out, first);
      if (at < n) {
        this.#grow();
        first = grown(this.#arena, first, this.#a.length);
      }
    }
    return first;
  }

  /** The numbers of known keys; -1 for others and for keys with a negative part. */
  lookupAll(a: Int32Array, b: Int32Array | null, n: number, out: Int32Array): void {
    const slots = this.#slots;
    const keysA = this.#a;
    const keysB = this.#b;
    const shift = this.#shift;
    const mask = this.#mask;
    for (let i = 0; i < n; i++) {
      const x = a[i];
      const y = b === null ? 0 : b[i];
      let found = -1;
      if (x >= 0 && y >= 0) {
        let h = Math.imul(Math.imul(x, mixer) ^ y, golden) >>> shift;
        for (let s = slots[h]; s !== 0; s = slots[h]) {
          if (keysA[s - 1] === x && keysB[s - 1] === y) {
            found = s - 1;
            break;
          }
          h = (h + 1) & mask;
        }
      }
      out[i] = found;
    }
  }

  /** Stops early where the map is full; returns how far it came. */
  #insertOnes(a: Int32Array, from: number, n: number, out: Int32Array, firsts: Int32Array): number {
    const slots = this.#slots;
    const keys = this.#a;
    const shift = this.#shift;
    const mask = this.#mask;
    const room = Math.min(keys.length, firsts.length);
    let size = this.#size;
    let i = from;
    for (; i < n; i++) {
      const x = a[i];
      let h = Math.imul(Math.imul(x, mixer), golden) >>> shift;
      let s = slots[h];
      while (s !== 0 && keys[s - 1] !== x) {
        h = (h + 1) & mask;
        s = slots[h];
      }
      if (s === 0) {
        if (size === room) break;
        keys[size] = x;
        firsts[size] = i;
        s = ++size;
        slots[h] = s;
      }
      out[i] = s - 1;
    }
    this.#b.fill(0, this.#size, size);
    this.#size = size;
    return i;
  }

  #insertPairs(
    a: Int32Array,
    b: Int32Array,
    from: number,
    n: number,
    out: Int32Array,
    firsts: Int32Array,
  ): number {
    const slots = this.#slots;
    const keysA = this.#a;
    const keysB = this.#b;
    const shift = this.#shift;
    const mask = this.#mask;
    const room = Math.min(keysA.length, firsts.length);
    let size = this.#size;
    let i = from;
    for (; i < n; i++) {
      const x = a[i];
      const y = b[i];
      let h = Math.imul(Math.imul(x, mixer) ^ y, golden) >>> shift;
      let s = slots[h];
      while (s !== 0 && !(keysA[s - 1] === x && keysB[s - 1] === y)) {
        h = (h + 1) & mask;
        s = slots[h];
      }
      if (s === 0) {
        if (size === room) break;
        keysA[size] = x;
        keysB[size] = y;
        firsts[size] = i;
        s = ++size;
        slots[h] = s;
      }
      out[i] = s - 1;
    }
    this.#size = size;
    return i;
  }

  #grow(): void {
    const capacity = 4 * (this.#mask + 1);
    this.#arena.free(this.#slots);
    this.#slots = this.#arena.int32(capacity).fill(0);
    this.#mask = capacity - 1;
    this.#shift -= 2;
    this.#a = grown(this.#arena, this.#a, capacity / 2);
    this.#b = grown(this.#arena, this.#b, capacity / 2);
    for (let k = 0; k < this.#size; k++) {
      let h = Math.imul(Math.imul(this.#a[k], mixer) ^ this.#b[k], golden) >>> this.#shift;
      while (this.#slots[h] !== 0) h = (h + 1) & this.#mask;
      this.#slots[h] = k + 1;
    }
  }

  free(): void {
    this.#arena.free(this.#slots);
    this.#arena.free(this.#a);
    this.#arena.free(this.#b);
  }
}

function grown(arena: Arena, array: Int32Array, length: number): Int32Array {
  if (array.length >= length) return array;
  const larger = arena.int32(length);
  larger.set(array);
  arena.free(array);
  return larger;
}
