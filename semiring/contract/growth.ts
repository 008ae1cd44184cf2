/**
 * How big a value is, for semirings whose values can grow without bound. A product is refused before it is
 * made, by the sizes of its factors, so that a reading of a billion derivations ends in an error and not in a
 * full memory.
 */
import { foldPlus, foldTimes } from './fold.js';
import { kernelOf } from './kernel-of.js';
import type { Growth, Semiring } from './semiring.js';

/** A value would have more parts than the limit. */
export class TooManyParts extends Error {}

/** The sizes of values, as a semiring: an upper bound, since parts that fall together are counted apart. */
export function sizesOf<K>({ name, reads }: Semiring<K>, growth: Growth<K>, one: number): Semiring<number> {
  const plus = (a: number, b: number): number => a + b;
  const times = (a: number, b: number): number => productOf(growth, a, b);
  // Where they are formal, both keep what they are made of.
  const monus = (a: number, b: number): number => Math.max(1, a) + b;
  const delta = (a: number): number => a;
  const same = (a: number): number => a;
  return {
    name: `sizes in ${name}`,
    zero: 0,
    one,
    plus,
    times,
    equals: (a, b) => a === b,
    monus,
    delta,
    ...(reads && { reads }),
    kernel: kernelOf<number>({
      array: Float64Array,
      zero: 0,
      one,
      encode: same,
      decode: same,
      plus,
      times,
      monus,
      delta,
    }),
  };
}

function productOf<K>(growth: Growth<K>, a: number, b: number): number {
  if (growth.product) return growth.product(a, b);
  // 0 · ∞ is 0: nothing is put together.
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Operations that throw {@link TooManyParts} rather than make a value of more than `limit` parts. */
export class Limited<K> {
  readonly #semiring: Semiring<K>;
  readonly #growth: Growth<K> | undefined;
  readonly #limit: number;
  readonly #ofAll: number;
  #kept = 0;
  readonly semiring: Semiring<K>;

  /**
   * @param limit of one value; all that {@link keep} is told of may have twice as many parts together, and a
   *   few more for each of the `rows` that were asked for
   */
  constructor(semiring: Semiring<K>, limit: number, rows: number) {
    const { growth } = semiring;
    this.#semiring = semiring;
    this.#growth = growth;
    this.#limit = limit;
    this.#ofAll = 2 * limit + partsOfRow * rows;
    this.semiring = growth === undefined ? semiring : this.#guarded(growth);
  }

  /** Refuses to begin on so many values that each of them, with one part, would be too much. */
  expect(values: number): void {
    if (this.#growth !== undefined && this.#kept + values > this.#ofAll) throw new TooManyParts();
  }

  /** Counts a value that stays in memory. */
  keep(value: K): K {
    if (this.#growth === undefined) return value;
    this.#kept += Math.max(1, this.#growth.size(value));
    if (this.#kept > this.#ofAll) throw new TooManyParts();
    return value;
  }

  sum(values: Iterable<K>): K {
    return this.keep(foldPlus(this.semiring, values));
  }

  product(values: Iterable<K>): K {
    return this.keep(foldTimes(this.semiring, values));
  }

  #guarded(growth: Growth<K>): Semiring<K> {
    const semiring = this.#semiring;
    const limit = this.#limit;
    const checked = (value: K): K => {
      if (growth.size(value) > limit) throw new TooManyParts();
      return value;
    };
    const { zero, one, name } = semiring;
    return {
      name,
      zero,
      one,
      plus: (a, b) => checked(semiring.plus(a, b)),
      times: (a, b) => {
        if (productOf(growth, growth.size(a), growth.size(b)) > limit) throw new TooManyParts();
        return semiring.times(a, b);
      },
      equals: (a, b) => semiring.equals(a, b),
      ...(semiring.laws && { laws: semiring.laws }),
    };
  }
}

/** What every row that is read may have besides: as many rows as are asked for must be readable. */
const partsOfRow = 8;
