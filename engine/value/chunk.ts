/**
 * Chunks: the values of an expression for a batch of rows. An evaluator reuses its chunk from batch to batch,
 * and a chunk may be a window (`offset`) on a base column, so it is read before the next call.
 */
import type { Type, Value } from './value.js';
import type { Vector } from './vector.js';

/** Rows a batch: small enough that a batch of every intermediate result stays in the first-level cache. */
export const batch = 2048;

interface ChunkBase {
  /** Row i of the batch is at `offset + i` of `data` and `nulls`. */
  offset: number;
  nulls: Uint8Array | null;
}

export type Chunk =
  | (ChunkBase & { readonly form: 'int32'; data: Int32Array })
  | (ChunkBase & { readonly form: 'float64'; data: Float64Array })
  | (ChunkBase & { readonly form: 'boolean'; data: Uint8Array })
  | (ChunkBase & { readonly form: 'dictionary'; data: Int32Array; words: readonly string[] })
  | (ChunkBase & { readonly form: 'plain'; data: readonly Value[] });

/** Evaluates an expression over rows of one frame. */
export interface Evaluator {
  readonly type: Type;
  /** Present where the expression is a constant. */
  readonly constant?: Value;
  /**
   * The values of rows `rows[start … start+n-1]` of the frame, or of rows `start … start+n-1` where `rows` is
   * null.
   * @param n at most `batch`
   */
  run(rows: Int32Array | null, start: number, n: number): Chunk;
}

/** The value at `i` of a chunk. */
export function chunkValue(chunk: Chunk, i: number): Value {
  const at = chunk.offset + i;
  if (chunk.nulls !== null && chunk.nulls[at] === 1) return null;
  switch (chunk.form) {
    case 'boolean':
      return chunk.data[at] === 1;
    case 'dictionary':
      return chunk.words[chunk.data[at]];
    default:
      return chunk.data[at];
  }
}

/** An empty reusable chunk of the form of a vector. */
export function chunkLike(vector: Vector): Chunk {
  const base = { offset: 0, nulls: null };
  switch (vector.form) {
    case 'int32':
      return { ...base, form: 'int32', data: new Int32Array(batch) };
    case 'float64':
      return { ...base, form: 'float64', data: new Float64Array(batch) };
    case 'boolean':
      return { ...base, form: 'boolean', data: new Uint8Array(batch) };
    case 'dictionary':
      return { ...base, form: 'dictionary', data: new Int32Array(batch), words: vector.words };
    case 'plain':
      return { ...base, form: 'plain', data: [] };
  }
}
