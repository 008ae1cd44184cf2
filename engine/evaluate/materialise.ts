/** An expression's values over a whole frame, as a vector; and a column's, gathered. */
import type { Arena } from '../memory/pool.js';
import { batch, type Chunk, chunkValue, type Evaluator } from '../value/chunk.js';
import type { Type, Value } from '../value/value.js';
import type { Vector } from '../value/vector.js';

/** The values of rows `rows[0 … n-1]` (all of 0 … n-1 where null). Buffers are the arena's. */
export function materialise(evaluator: Evaluator, rows: Int32Array | null, n: number, arena: Arena): Vector {
  const { type } = evaluator;
  return n === 0 ? empty(type) : typed(evaluator, rows, n, arena);
}

function empty(type: Type): Vector {
  return { form: 'plain', type, length: 0, nulls: null, data: [] };
}

/** All batches of one machine form; starts again as plain values where a batch has another form. */
function typed(evaluator: Evaluator, rows: Int32Array | null, n: number, arena: Arena): Vector {
  const { type } = evaluator;
  let nulls: Uint8Array | null = null;
  let out: Int32Array | Float64Array | Uint8Array | undefined;
  let last: Vector | undefined;
  for (let start = 0; start < n; start += batch) {
    const size = Math.min(batch, n - start);
    const chunk = evaluator.run(rows, start, size);
    if (chunk.form === 'plain' || (last !== undefined && last.form !== chunk.form)) {
      if (out !== undefined) arena.free(out);
      return plain(evaluator, rows, n, start === 0 ? chunk : undefined);
    }
    if (chunk.form === 'float64') {
      out ??= arena.float64(n);
      last ??= { form: 'float64', type, length: n, nulls: null, data: out as Float64Array };
    } else if (chunk.form === 'boolean') {
      out ??= arena.uint8(n);
      last ??= { form: 'boolean', type, length: n, nulls: null, data: out as Uint8Array };
    } else {
      out ??= arena.int32(n);
      const data = out as Int32Array;
      last ??=
        chunk.form === 'int32'
          ? { form: 'int32', type, length: n, nulls: null, data }
          : { form: 'dictionary', type, length: n, nulls: null, data, words: chunk.words };
    }
    out.set(chunk.data.subarray(chunk.offset, chunk.offset + size), start);
    if (chunk.nulls !== null) {
      nulls ??= new Uint8Array(n);
      nulls.set(chunk.nulls.subarray(chunk.offset, chunk.offset + size), start);
    }
  }
  return { ...(last as Vector), nulls };
}

/** @param first the first batch where it is evaluated already: a function may be dear */
function plain(evaluator: Evaluator, rows: Int32Array | null, n: number, first?: Chunk): Vector {
  const data: Value[] = [];
  let nulls: Uint8Array | null = null;
  for (let start = 0; start < n; start += batch) {
    const size = Math.min(batch, n - start);
    const chunk = start === 0 && first !== undefined ? first : evaluator.run(rows, start, size);
    for (let i = 0; i < size; i++) {
      const value = chunkValue(chunk, i);
      data.push(value);
      if (value === null) {
        nulls ??= new Uint8Array(n);
        nulls[start + i] = 1;
      }
    }
  }
  return { form: 'plain', type: evaluator.type, length: n, nulls, data };
}
