/** Batches from a function of one row. */

import { batch, type Chunk, type Evaluator } from '../value/chunk.js';
import type { Type, Value } from '../value/value.js';
import type { RowFunction } from './row.js';

export function rowEvaluator(type: Type, evaluate: RowFunction): Evaluator {
  const fill = filler(type);
  return {
    type,
    run: (rows, start, n) =>
      fill(n, rows === null ? (i) => evaluate(start + i) : (i) => evaluate(rows[start + i])),
  };
}

/** Fills a reused chunk, of the form that suits the type, from n values. */
export function filler(type: Type): (n: number, value: (i: number) => Value) => Chunk {
  const nulls = new Uint8Array(batch);
  if (type === 'boolean') {
    const data = new Uint8Array(batch);
    const chunk: Chunk = { form: 'boolean', data, offset: 0, nulls };
    return (n, value) => {
      for (let i = 0; i < n; i++) {
        const v = value(i);
        nulls[i] = v === null ? 1 : 0;
        data[i] = v === true ? 1 : 0;
      }
      return chunk;
    };
  }
  const values: Value[] = [];
  const plain: Chunk = { form: 'plain', data: values, offset: 0, nulls };
  if (type !== 'integer' && type !== 'float' && type !== 'timestamp' && type !== 'date') {
    return (n, value) => {
      for (let i = 0; i < n; i++) {
        values[i] = value(i);
        nulls[i] = values[i] === null ? 1 : 0;
      }
      return plain;
    };
  }
  const data = new Float64Array(batch);
  const numbers: Chunk = { form: 'float64', data, offset: 0, nulls };
  return (n, value) => {
    let big = false;
    for (let i = 0; i < n; i++) {
      const v = value(i);
      values[i] = v;
      nulls[i] = v === null ? 1 : 0;
      if (typeof v === 'number') data[i] = v;
      else if (v !== null) big = true;
    }
    return big ? plain : numbers;
  };
}
