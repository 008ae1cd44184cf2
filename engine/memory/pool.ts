/**
 * A pool of column buffers. The one thing to know: a fresh page of memory costs more than a pass over it, so
 * buffers go back to the pool when a relation is released and the next query runs in memory that is already
 * warm. A pool belongs to one database; nothing here is global.
 */

import { AssayError } from '../../semiring/message/error.js';

export type PooledArray = Int32Array | Float64Array | Uint8Array | Uint32Array;

/** Free buffers by element type and capacity. Buffers come out dirty. */
export class BufferPool {
  readonly #int32 = new Map<number, Int32Array[]>();
  readonly #float64 = new Map<number, Float64Array[]>();
  readonly #uint8 = new Map<number, Uint8Array[]>();
  readonly #uint32 = new Map<number, Uint32Array[]>();
  #bytesFree = 0;
  readonly #limit: number;
  /** Below this many elements a buffer is not worth pooling. */
  readonly smallest: number;

  /**
   * @param limit bytes that the pool holds at most; buffers given back beyond it are left to the collector
   * @param smallest elements of the shortest array that is pooled
   */
  constructor(limit = 1 << 30, smallest = 1024) {
    this.#limit = limit;
    this.smallest = smallest;
  }

  /** Bytes waiting to be used again. */
  get bytesFree(): number {
    return this.#bytesFree;
  }

  int32(length: number): Int32Array {
    return this.#take(this.#int32, length) ?? fresh(Int32Array, length, this.smallest);
  }

  float64(length: number): Float64Array {
    return this.#take(this.#float64, length) ?? fresh(Float64Array, length, this.smallest);
  }

  uint8(length: number): Uint8Array {
    return this.#take(this.#uint8, length) ?? fresh(Uint8Array, length, this.smallest);
  }

  uint32(length: number): Uint32Array {
    return this.#take(this.#uint32, length) ?? fresh(Uint32Array, length, this.smallest);
  }

  /** The caller must not use the array, nor any view of it, again. */
  giveBack(array: PooledArray): void {
    const length = array.length;
    if (length < this.smallest || length !== capacity(length, this.smallest)) return;
    if (this.#bytesFree + array.byteLength > this.#limit) return;
    this.#bytesFree += array.byteLength;
    if (array instanceof Int32Array) put(this.#int32, array);
    else if (array instanceof Float64Array) put(this.#float64, array);
    else if (array instanceof Uint8Array) put(this.#uint8, array);
    else put(this.#uint32, array);
  }

  #take<A extends PooledArray>(lists: Map<number, A[]>, length: number): A | undefined {
    if (length < this.smallest) return undefined;
    const array = lists.get(capacity(length, this.smallest))?.pop();
    if (array !== undefined) this.#bytesFree -= array.byteLength;
    return array;
  }
}

/** @throws AssayError `engine/out-of-memory` */
function fresh<A extends PooledArray>(form: new (length: number) => A, length: number, smallest: number): A {
  try {
    return new form(capacity(length, smallest));
  } catch (cause) {
    throw new AssayError(
      'engine/out-of-memory',
      `there is no memory for a column of ${length} values: filter earlier, or release relations that are not needed`,
      { cause },
    );
  }
}

function put<A extends PooledArray>(lists: Map<number, A[]>, array: A): void {
  const list = lists.get(array.length);
  if (list === undefined) lists.set(array.length, [array]);
  else list.push(array);
}

/** Capacities are 2^k and 1.5 · 2^k, so that at most a third is wasted. */
function capacity(length: number, smallest: number): number {
  if (length < smallest) return length;
  const power = 2 ** Math.ceil(Math.log2(length));
  return length <= power * 0.75 ? power * 0.75 : power;
}

/** What one execution has taken from a pool, so that all of it can be given back at once. */
export class Arena {
  readonly pool: BufferPool;
  readonly #taken = new Set<PooledArray>();

  constructor(pool: BufferPool) {
    this.pool = pool;
  }

  int32(length: number): Int32Array {
    return this.#keep(this.pool.int32(length));
  }

  float64(length: number): Float64Array {
    return this.#keep(this.pool.float64(length));
  }

  uint8(length: number): Uint8Array {
    return this.#keep(this.pool.uint8(length));
  }

  uint32(length: number): Uint32Array {
    return this.#keep(this.pool.uint32(length));
  }

  /** An array twice as long with the same beginning; the old one is given back. */
  grow(array: Int32Array): Int32Array {
    const larger = this.int32(Math.max(this.pool.smallest, 2 * array.length));
    larger.set(array);
    this.free(array);
    return larger;
  }

  /**
   * The first `count` elements in a buffer of their size: what is kept is not the room that finding them
   * needed.
   */
  fitted(array: Int32Array, count: number): Int32Array {
    if (2 * count > array.length || array.length < this.pool.smallest) return array;
    const smaller = this.int32(count);
    smaller.set(array.subarray(0, count));
    this.free(array);
    return smaller;
  }

  /** Gives one array back early. */
  free(array: PooledArray): void {
    if (this.#taken.delete(array)) this.pool.giveBack(array);
  }

  /** Gives back all arrays that are not in `kept`. */
  keepOnly(kept: ReadonlySet<unknown>): void {
    for (const array of this.#taken) if (!kept.has(array)) this.free(array);
  }

  releaseAll(): void {
    for (const array of this.#taken) this.pool.giveBack(array);
    this.#taken.clear();
  }

  #keep<A extends PooledArray>(array: A): A {
    if (array.length >= this.pool.smallest) this.#taken.add(array);
    return array;
  }
}
