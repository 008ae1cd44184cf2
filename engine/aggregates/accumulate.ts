/**
 * Aggregation over batches: count, sum, avg, min and max of numbers in typed arrays. The one thing to know: a sum of
 * integers that leaves the exact range makes `finish` answer null, and the general path computes it again, exactly.
 */
import type { AggregateFunction } from '../expression.js';
import type { Chunk } from '../evaluate/chunk.js';
import type { Type } from '../value.js';
import type { Vector } from '../vector.js';
import { avg, count, max, min, sum } from './functions.js';

export interface Accumulator {
  /**
   * Adds a batch of n arguments.
   * @param group the group of each, from `offset` on; null: all in group 0
   * @returns false where the batch is of a form it does not take
   */
  add(argument: Chunk | null, group: Int32Array | null, offset: number, n: number): boolean;
  /** One value a group, or null where it would not be exact. */
  finish(): Vector | null;
}

const largest = Number.MAX_SAFE_INTEGER;

/** The fast form of an aggregate for these argument types, where there is one. */
export function accumulatorOf(fn: AggregateFunction, types: readonly Type[], groups: number): Accumulator | undefined {
  const [type] = types;
  if (fn === count) return new Counter(groups);
  if (types.length !== 1 || (type !== 'integer' && type !== 'float')) return undefined;
  if (fn === sum) return new Summer(groups, type, false);
  if (fn === avg) return new Summer(groups, type, true);
  if (fn === min) return new Extreme(groups, type, -1);
  if (fn === max) return new Extreme(groups, type, 1);
  return undefined;
}

class Counter implements Accumulator {
  readonly #counts: Float64Array;

  constructor(groups: number) {
    this.#counts = new Float64Array(groups);
  }

  add(argument: Chunk | null, group: Int32Array | null, offset: number, n: number): boolean {
    const nulls = argument?.nulls ?? null;
    if (nulls === null) {
      if (group === null) this.#counts[0] += n;
      else countGroups(this.#counts, group, offset, n);
      return true;
    }
    const from = argument === null ? 0 : argument.offset;
    for (let i = 0; i < n; i++) if (nulls[from + i] === 0) this.#counts[group === null ? 0 : group[offset + i]]++;
    return true;
  }

  finish(): Vector {
    return { form: 'float64', type: 'integer', length: this.#counts.length, nulls: null, data: this.#counts };
  }
}

function countGroups(counts: Float64Array, group: Int32Array, offset: number, n: number): void {
  for (let i = 0; i < n; i++) counts[group[offset + i]]++;
}

class Summer implements Accumulator {
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;
  readonly #type: Type;
  readonly #average: boolean;
  #exact = true;

  constructor(groups: number, type: Type, average: boolean) {
    this.#sums = new Float64Array(groups);
    this.#counts = new Float64Array(groups);
    this.#type = type;
    this.#average = average;
  }

  add(argument: Chunk | null, group: Int32Array | null, offset: number, n: number): boolean {
    if (argument === null || (argument.form !== 'float64' && argument.form !== 'int32')) return false;
    const { nulls } = argument;
    if (nulls !== null) this.#addSome(argument.data, argument.offset, nulls, group, offset, n);
    else if (group === null) this.#addAll(argument.data, argument.offset, n);
    else if (argument.form === 'float64') this.#addFloats(argument.data, argument.offset, group, offset, n);
    else this.#addInts(argument.data, argument.offset, group, offset, n);
    return true;
  }

  #addAll(data: Float64Array | Int32Array, from: number, n: number): void {
    let total = this.#sums[0];
    let largestSeen = 0;
    for (let i = 0; i < n; i++) {
      total += data[from + i];
      largestSeen = Math.max(largestSeen, Math.abs(total));
    }
    this.#sums[0] = total;
    this.#counts[0] += n;
    if (largestSeen > largest) this.#exact = false;
  }

  #addFloats(data: Float64Array, from: number, group: Int32Array, offset: number, n: number): void {
    const sums = this.#sums;
    let inside = true;
    for (let i = 0; i < n; i++) {
      const g = group[offset + i];
      const next = sums[g] + data[from + i];
      sums[g] = next;
      inside = inside && next <= largest && next >= -largest;
    }
    countGroups(this.#counts, group, offset, n);
    if (!inside) this.#exact = false;
  }

  #addInts(data: Int32Array, from: number, group: Int32Array, offset: number, n: number): void {
    const sums = this.#sums;
    let inside = true;
    for (let i = 0; i < n; i++) {
      const g = group[offset + i];
      const next = sums[g] + data[from + i];
      sums[g] = next;
      inside = inside && next <= largest && next >= -largest;
    }
    countGroups(this.#counts, group, offset, n);
    if (!inside) this.#exact = false;
  }

  #addSome(data: Float64Array | Int32Array, from: number, nulls: Uint8Array, group: Int32Array | null, offset: number, n: number): void {
    for (let i = 0; i < n; i++) {
      if (nulls[from + i] === 1) continue;
      const g = group === null ? 0 : group[offset + i];
      const next = this.#sums[g] + data[from + i];
      this.#sums[g] = next;
      this.#counts[g]++;
      if (!(next <= largest && next >= -largest)) this.#exact = false;
    }
  }

  finish(): Vector | null {
    if (!this.#exact && this.#type === 'integer') return null;
    const counts = this.#counts;
    const data = this.#sums;
    const length = data.length;
    let nulls: Uint8Array | null = null;
    for (let g = 0; g < length; g++) {
      if (counts[g] === 0) {
        nulls ??= new Uint8Array(length);
        nulls[g] = 1;
      } else if (this.#average) data[g] /= counts[g];
    }
    return { form: 'float64', type: this.#average ? 'float' : this.#type, length, nulls, data };
  }
}

/** NaN is greater than every number. */
class Extreme implements Accumulator {
  readonly #best: Float64Array;
  readonly #seen: Uint8Array;
  readonly #type: Type;
  readonly #sign: 1 | -1;

  constructor(groups: number, type: Type, sign: 1 | -1) {
    this.#best = new Float64Array(groups);
    this.#seen = new Uint8Array(groups);
    this.#type = type;
    this.#sign = sign;
  }

  add(argument: Chunk | null, group: Int32Array | null, offset: number, n: number): boolean {
    if (argument === null || (argument.form !== 'float64' && argument.form !== 'int32')) return false;
    const { data, offset: from, nulls } = argument;
    const best = this.#best;
    const seen = this.#seen;
    const isMax = this.#sign === 1;
    for (let i = 0; i < n; i++) {
      if (nulls !== null && nulls[from + i] === 1) continue;
      const g = group === null ? 0 : group[offset + i];
      const value = data[from + i];
      if (seen[g] === 0 || (isMax ? value > best[g] || value !== value : value < best[g] || best[g] !== best[g])) best[g] = value;
      seen[g] = 1;
    }
    return true;
  }

  finish(): Vector {
    const nulls = this.#seen.includes(0) ? this.#seen.map((seen) => 1 - seen) : null;
    return { form: 'float64', type: this.#type, length: this.#best.length, nulls, data: this.#best };
  }
}
