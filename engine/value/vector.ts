/**
 * Vectors: the machine form of a column. `data` may be longer than `length` (buffers are pooled and grow), so
 * loops run to `length`; a null's slot in `data` holds an arbitrary value.
 */
import type { Type, Value } from './value.js';

/** `nulls[i]` is 1 where row i is NULL; null where there is none. */
export type Nulls = Uint8Array | null;

interface VectorBase {
  readonly type: Type;
  readonly length: number;
  readonly nulls: Nulls;
}

/** Integers that fit 32 bits, and dates. `bounds`, where known, holds for every value (not tight). */
export interface Int32Vector extends VectorBase {
  readonly form: 'int32';
  readonly data: Int32Array;
  readonly bounds?: Bounds;
}

/** Floats, timestamps, and integers up to 2^53. */
export interface Float64Vector extends VectorBase {
  readonly form: 'float64';
  readonly data: Float64Array;
}

/** Booleans: 0 or 1. */
export interface BooleanVector extends VectorBase {
  readonly form: 'boolean';
  readonly data: Uint8Array;
}

/** Text by code: row i is `words[data[i]]`. Words are distinct. */
export interface DictionaryVector extends VectorBase {
  readonly form: 'dictionary';
  readonly data: Int32Array;
  readonly words: readonly string[];
}

/**
 * Anything else: text of high cardinality, integers past 2^53, JSON, intervals. A null is `null` here too.
 */
export interface PlainVector extends VectorBase {
  readonly form: 'plain';
  readonly data: readonly Value[];
}

export type Vector = Int32Vector | Float64Vector | BooleanVector | DictionaryVector | PlainVector;

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The value of row `i`; a negative `i` is NULL (the missing side of an outer join). */
export function valueAt(vector: Vector, i: number): Value {
  if (i < 0 || (vector.nulls !== null && vector.nulls[i] === 1)) return null;
  switch (vector.form) {
    case 'boolean':
      return vector.data[i] === 1;
    case 'dictionary':
      return vector.words[vector.data[i]];
    default:
      return vector.data[i];
  }
}
