/** Exact distinct counts, for the planner's estimates. */
import type { Vector } from '../value/vector.js';

/** How many different values a vector holds, NULL aside. */
export function countDistinct(vector: Vector): number {
  const { length, nulls } = vector;
  switch (vector.form) {
    case 'boolean':
    case 'dictionary':
      return countBits(vector.data, length, nulls, 0, vector.form === 'boolean' ? 2 : vector.words.length);
    case 'int32': {
      const { min, max } = vector.bounds ?? { min: 0, max: Number.POSITIVE_INFINITY };
      if (max - min < 64 * length + 1024) return countBits(vector.data, length, nulls, min, max - min + 1);
      return countSet(vector.data, length, nulls);
    }
    default:
      return countSet(vector.data, length, nulls);
  }
}

function countBits(
  data: Int32Array | Uint8Array,
  length: number,
  nulls: Uint8Array | null,
  min: number,
  size: number,
): number {
  const seen = new Uint8Array(size);
  let count = 0;
  for (let i = 0; i < length; i++) {
    if (nulls !== null && nulls[i] === 1) continue;
    const slot = data[i] - min;
    if (seen[slot] === 0) {
      seen[slot] = 1;
      count++;
    }
  }
  return count;
}

function countSet(data: ArrayLike<unknown>, length: number, nulls: Uint8Array | null): number {
  const seen = new Set<unknown>();
  for (let i = 0; i < length; i++) if (nulls === null || nulls[i] === 0) seen.add(data[i]);
  return seen.size;
}
