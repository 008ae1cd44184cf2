/**
 * Machine representation of a semiring: a value is one number in a typed array, an operation is a loop over
 * whole arrays. A kernel may be partial. `encode` answers NaN for a value it cannot hold and `exact` says
 * whether a pass stayed inside the exact range; where either fails, the reader falls back to the generic
 * operations, so a kernel makes a reading fast, never wrong.
 */

/** A vector of encoded values. */
export type Lanes = Float64Array | Int32Array | Uint32Array | Uint8Array;

/**
 * Bulk operations. `out` never aliases an input; all arrays passed come from `allocate`; lengths are those of
 * the index arrays, or of `out` where there is none.
 */
export interface Kernel<K> {
  /** A zero-filled (not necessarily 0-of-the-semiring-filled) array. */
  allocate(length: number): Lanes;
  /** Encoded 0 and 1. */
  readonly zero: number;
  readonly one: number;
  /** The number that stands for `value`, or NaN where it has none. */
  encode(value: K): number;
  /**
   * Whether `encode` answers NaN for all that the semiring's `contains` refuses, whatever its type. Absent:
   * not known, and `contains` is asked before every call of `encode`.
   */
  readonly checksCarrier?: boolean;
  decode(code: number): K;
  /** out[i] = a[i] · b[i] for i < n */
  times(out: Lanes, a: Lanes, b: Lanes, n: number): void;
  /** out[i] = a[ia[i]] · b[ib[i]] for i < n; a negative index reads 1. */
  timesGather(out: Lanes, a: Lanes, ia: Int32Array, b: Lanes, ib: Int32Array, n: number): void;
  /** out[group[i]] = out[group[i]] + a[i] for i < n; the caller has filled `out` with zero. */
  sumBy(out: Lanes, group: Int32Array, a: Lanes, n: number): void;
  /** out[group[i]] = out[group[i]] · a[i] for i < n; the caller has filled `out` with one. */
  productBy(out: Lanes, group: Int32Array, a: Lanes, n: number): void;
  /** out[i] = a[i] ∸ b[i] for i < n */
  monus?(out: Lanes, a: Lanes, b: Lanes, n: number): void;
  /** out[i] = δ(a[i]) for i < n */
  delta?(out: Lanes, a: Lanes, n: number): void;
  /** Whether the first n results are exact; absent: always. */
  exact?(a: Lanes, n: number): boolean;
}
