/**
 * Aggregation over batches: count, sum, avg, min and max of numbers in typed arrays. A sum of integers that
 * leaves the exact range makes `finish` answer null, and the general path computes it again, exactly.
 */

import type { AggregateFunction } from '../plan/expression.js';
import type { Chunk } from '../value/chunk.js';
import type { Type } from '../value/value.js';
import type { Vector } from '../value/vector.js';
import { avg, count, max, min, sum } from './functions.js';

export interface Accumulator {
  /**
   * Adds a batch of n arguments.
   * @param group the group of each, from `offset` on; null: all in group 0
   * @returns false where the batch is of a form it does not take
   */
  add(argument: Chunk | null, group: Int32Array | null, offset: number, n: number): boolean;
  /**
   * One value a group, or null where it would not be exact.
   * @param sizes how many rows were added to each group, NULLs counted; the same for all aggregates over
   *   these rows
   */
  finish(sizes: () => Float64Array): Vector | null;
}

const largest = Number.MAX_SAFE_INTEGER;

/** So many 32-bit integers have a sum below 2^53, whatever they are. */
const safeCount = 2 ** 22;

/**
 * The fast form of an aggregate for these argument types, where there is one.
 * @param rows how many rows will be added
 * @param sums the sums made so far, by argument, so that a sum and an average of one column add it up once
 */
export function accumulatorOf(
  fn: AggregateFunction,
  types: readonly Type[],
  groups: number,
  rows: number,
  sums: Map<unknown, Summer>,
  argument: unknown,
): Accumulator | undefined {
  const [type] = types;
  if (fn === count) return new Counter(groups);
  if (types.length !== 1 || (type !== 'integer' && type !== 'float')) return undefined;
  if (fn === sum || fn === avg) {
    const known = sums.get(argument);
    if (known !== undefined) return new SharedSum(known, fn === avg);
    const summer = new Summer(groups, type, fn === avg, rows);
    sums.set(argument, summer);
    return summer;
  }
  if (fn === min) return new Extreme(groups, type, -1);
  if (fn === max) return new Extreme(groups, type, 1);
  return undefined;
}

/** NULLs of each group; nothing is spent where there are none. */
class NullCounts {
  readonly #groups: number;
  #counts: Float64Array | null = null;

  constructor(groups: number) {
    this.#groups = groups;
  }

  add(argument: Chunk, group: Int32Array | null, offset: number, n: number): void {
    const { nulls, offset: from } = argument;
    if (nulls === null) return;
    this.#counts ??= new Float64Array(this.#groups);
    for (let i = 0; i < n; i++) this.#counts[group === null ? 0 : group[offset + i]] += nulls[from + i];
  }

  /** Rows of each group that are not NULL, in an array of the caller's own. */
  present(sizes: Float64Array): Float64Array {
    const nulls = this.#counts;
    return nulls === null ? sizes.slice(0, this.#groups) : sizes.map((size, g) => size - nulls[g]);
  }
}

class Counter implements Accumulator {
  readonly #nulls: NullCounts;

  constructor(groups: number) {
    this.#nulls = new NullCounts(groups);
  }

  add(argument: Chunk | null, group: Int32Array | null, offset: number, n: number): boolean {
    if (argument !== null) this.#nulls.add(argument, group, offset, n);
    return true;
  }

  finish(sizes: () => Float64Array): Vector {
    const data = this.#nulls.present(sizes());
    return { form: 'float64', type: 'integer', length: data.length, nulls: null, data };
  }
}

export class Summer implements Accumulator {
  readonly #sums: Float64Array;
  readonly #nulls: NullCounts;
  readonly #type: Type;
  readonly #average: boolean;
  readonly #rows: number;
  #exact = true;
  #taken = true;

  constructor(groups: number, type: Type, average: boolean, rows: number) {
    this.#sums = new Float64Array(groups);
    this.#nulls = new NullCounts(groups);
    this.#type = type;
    this.#average = average;
    this.#rows = rows;
  }

  /** Whether every batch so far was of a form that it takes. */
  get taken(): boolean {
    return this.#taken;
  }

  add(argument: Chunk | null, group: Int32Array | null, offset: number, n: number): boolean {
    if (argument === null || (argument.form !== 'float64' && argument.form !== 'int32')) {
      this.#taken = false;
      return false;
    }
    const { nulls } = argument;
    const sums = this.#sums;
    let inside = true;
    if (nulls !== null) {
      this.#nulls.add(argument, group, offset, n);
      inside = addSome(sums, argument.data, argument.offset, nulls, group, offset, n);
    } else if (group === null) inside = addAll(sums, argument.data, argument.offset, n);
    else if (argument.form === 'float64')
      inside = addFloats(sums, argument.data, argument.offset, group, offset, n);
    else if (this.#rows > safeCount) inside = addInts(sums, argument.data, argument.offset, group, offset, n);
    else addFewInts(sums, argument.data, argument.offset, group, offset, n);
    if (!inside) this.#exact = false;
    return true;
  }

  finish(sizes: () => Float64Array): Vector | null {
    return this.finishAs(this.#average, sizes);
  }

  finishAs(average: boolean, sizes: () => Float64Array): Vector | null {
    if (!this.#exact && this.#type === 'integer') return null;
    const counts = this.#nulls.present(sizes());
    const data = average ? this.#sums.slice() : this.#sums;
    const { length } = data;
    let nulls: Uint8Array | null = null;
    for (let g = 0; g < length; g++) {
      if (counts[g] === 0) {
        nulls ??= new Uint8Array(length);
        nulls[g] = 1;
      } else if (average) data[g] /= counts[g];
    }
    return { form: 'float64', type: average ? 'float' : this.#type, length, nulls, data };
  }
}

/** Another aggregate over the sums that an earlier one of the same batch has made. */
class SharedSum implements Accumulator {
  readonly #summer: Summer;
  readonly #average: boolean;

  constructor(summer: Summer, average: boolean) {
    this.#summer = summer;
    this.#average = average;
  }

  add(): boolean {
    return this.#summer.taken;
  }

  finish(sizes: () => Float64Array): Vector | null {
    return this.#summer.finishAs(this.#average, sizes);
  }
}

/** No partial sum can leave the exact range. */
function addFewInts(
  sums: Float64Array,
  data: Int32Array,
  from: number,
  group: Int32Array,
  offset: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) sums[group[offset + i]] += data[from + i];
}

/** Each loop answers whether every partial sum stayed in the exact range of integers. */
function addAll(sums: Float64Array, data: Float64Array | Int32Array, from: number, n: number): boolean {
  let total = sums[0];
  let least = total;
  let most = total;
  for (let i = 0; i < n; i++) {
    total += data[from + i];
    if (total > most) most = total;
    else if (total < least) least = total;
  }
  sums[0] = total;
  return most <= largest && least >= -largest;
}

function addFloats(
  sums: Float64Array,
  data: Float64Array,
  from: number,
  group: Int32Array,
  offset: number,
  n: number,
): boolean {
  let inside = true;
  for (let i = 0; i < n; i++) {
    const g = group[offset + i];
    const next = sums[g] + data[from + i];
    sums[g] = next;
    if (!(next <= largest && next >= -largest)) inside = false;
  }
  return inside;
}

function addInts(
  sums: Float64Array,
  data: Int32Array,
  from: number,
  group: Int32Array,
  offset: number,
  n: number,
): boolean {
  let inside = true;
  for (let i = 0; i < n; i++) {
    const g = group[offset + i];
    const next = sums[g] + data[from + i];
    sums[g] = next;
    if (!(next <= largest && next >= -largest)) inside = false;
  }
  return inside;
}

function addSome(
  sums: Float64Array,
  data: Float64Array | Int32Array,
  from: number,
  nulls: Uint8Array,
  group: Int32Array | null,
  offset: number,
  n: number,
): boolean {
  let inside = true;
  for (let i = 0; i < n; i++) {
    if (nulls[from + i] === 1) continue;
    const g = group === null ? 0 : group[offset + i];
    const next = sums[g] + data[from + i];
    sums[g] = next;
    if (!(next <= largest && next >= -largest)) inside = false;
  }
  return inside;
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
      if (
        seen[g] === 0 ||
        (isMax ? value > best[g] || Number.isNaN(value) : value < best[g] || Number.isNaN(best[g]))
      )
        best[g] = value;
      seen[g] = 1;
    }
    return true;
  }

  finish(): Vector {
    const nulls = this.#seen.includes(0) ? this.#seen.map((seen) => 1 - seen) : null;
    return { form: 'float64', type: this.#type, length: this.#best.length, nulls, data: this.#best };
  }
}
