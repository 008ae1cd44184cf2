/** Evaluators of columns and constants. */
import type { FrameColumn } from '../frame/frame.js';
import { batch, type Chunk, chunkLike, type Evaluator } from '../value/chunk.js';
import type { Type, Value } from '../value/value.js';
import type { Vector } from '../value/vector.js';

/** A window on the base vector where rows are consecutive, a gathered copy otherwise. */
export function columnEvaluator({ vector, selection, column }: FrameColumn): Evaluator {
  const index = selection?.resolve() ?? null;
  const nullable = selection?.nullable ?? false;
  const window = chunkLike(vector);
  const copy = chunkLike(vector);
  const nullScratch = new Uint8Array(batch);
  const rowScratch = new Int32Array(batch);
  // Expressions that share this evaluator ask for the same batch one after the other.
  let lastRows: Int32Array | null | undefined;
  let lastStart = -1;
  let lastCount = -1;
  return {
    type: column.type,
    run(rows, start, n) {
      if (index === null && rows === null) return openWindow(window, vector, start);
      if (rows === lastRows && start === lastStart && n === lastCount) return copy;
      lastRows = rows;
      lastStart = start;
      lastCount = n;
      let from = (rows ?? index) as Int32Array;
      let at = start;
      if (index !== null && rows !== null) {
        for (let i = 0; i < n; i++) rowScratch[i] = index[rows[start + i]];
        from = rowScratch;
        at = 0;
      }
      copy.nulls =
        nullable || vector.nulls !== null ? gatherNulls(nullScratch, vector.nulls, from, at, n) : null;
      if (nullable && copy.nulls !== null) {
        for (let i = 0; i < n; i++) rowScratch[i] = Math.max(0, from[at + i]);
        from = rowScratch;
        at = 0;
      }
      gather(copy, vector, from, at, n);
      return copy;
    },
  };
}

function openWindow(window: Chunk, vector: Vector, start: number): Chunk {
  window.offset = start;
  window.nulls = vector.nulls;
  window.data = vector.data as never;
  return window;
}

/** Indexes are not negative; where one stands for NULL the slot's value does not matter. */
function gather(into: Chunk, vector: Vector, index: Int32Array, start: number, n: number): void {
  switch (vector.form) {
    case 'int32':
    case 'dictionary':
      gatherInt32(into.data as Int32Array, vector.data, index, start, n);
      break;
    case 'float64':
      gatherFloat64(into.data as Float64Array, vector.data, index, start, n);
      break;
    case 'boolean': {
      const out = into.data as Uint8Array;
      for (let i = 0; i < n; i++) out[i] = vector.data[index[start + i]];
      break;
    }
    case 'plain': {
      const out = into.data as Value[];
      for (let i = 0; i < n; i++) out[i] = vector.data[index[start + i]] ?? null;
    }
  }
}

function gatherInt32(out: Int32Array, data: Int32Array, index: Int32Array, start: number, n: number): void {
  for (let i = 0; i < n; i++) out[i] = data[index[start + i]];
}

function gatherFloat64(
  out: Float64Array,
  data: Float64Array,
  index: Int32Array,
  start: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) out[i] = data[index[start + i]];
}

/** A negative index is NULL. Null where none of the batch is. */
function gatherNulls(
  out: Uint8Array,
  nulls: Uint8Array | null,
  index: Int32Array,
  start: number,
  n: number,
): Uint8Array | null {
  let any = 0;
  for (let i = 0; i < n; i++) {
    const row = index[start + i];
    out[i] = row < 0 ? 1 : nulls === null ? 0 : nulls[row];
    any |= out[i];
  }
  return any === 0 ? null : out;
}

export function constantEvaluator(value: Value, type: Type): Evaluator {
  const chunk = constantChunk(value, type);
  return { type, constant: value, run: () => chunk };
}

function constantChunk(value: Value, type: Type): Chunk {
  const nulls = value === null ? new Uint8Array(batch).fill(1) : null;
  const base = { offset: 0, nulls };
  if (type === 'boolean')
    return { ...base, form: 'boolean', data: new Uint8Array(batch).fill(value === true ? 1 : 0) };
  if (typeof value === 'number' && type !== 'json')
    return { ...base, form: 'float64', data: new Float64Array(batch).fill(value) };
  return { ...base, form: 'plain', data: new Array<Value>(batch).fill(value) };
}
