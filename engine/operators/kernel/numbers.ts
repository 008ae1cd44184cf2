/** Chunks as doubles, for the numeric paths. */
import type { Chunk } from '../../value/chunk.js';

/**
 * The batch's numbers from index 0 or from `chunk.offset`, or null where some are bigints. An int32 batch is
 * converted into `scratch`.
 */
export function doublesOf(
  chunk: Chunk,
  n: number,
  scratch: Float64Array,
): { readonly data: Float64Array; readonly offset: number } | null {
  if (chunk.form === 'float64') return chunk;
  if (chunk.form !== 'int32') return null;
  const { data, offset } = chunk;
  for (let i = 0; i < n; i++) scratch[i] = data[offset + i];
  return { data: scratch, offset: 0 };
}

/** NULL where either is; null where none is. */
export function eitherNull(a: Chunk, b: Chunk, n: number, out: Uint8Array): Uint8Array | null {
  if (a.nulls === null && b.nulls === null) return null;
  for (let i = 0; i < n; i++) {
    const left = a.nulls === null ? 0 : a.nulls[a.offset + i];
    const right = b.nulls === null ? 0 : b.nulls[b.offset + i];
    out[i] = left | right;
  }
  return out;
}
