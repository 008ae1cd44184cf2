/**
 * + - * over numbers. Integers are computed in doubles and checked; a batch in which one result leaves the
 * exact range is computed again, exactly, by the function's own definition.
 */
import type { ScalarFunction } from '../../plan/expression.js';
import { batch, type Chunk, chunkValue, type Evaluator } from '../../value/chunk.js';
import type { Type, Value } from '../../value/value.js';
import { doublesOf, eitherNull } from './numbers.js';

export type ArithmeticKind = '+' | '-' | '*';

const largest = Number.MAX_SAFE_INTEGER;

export function arithmeticEvaluator(
  kind: ArithmeticKind,
  left: Evaluator,
  right: Evaluator,
  type: Type,
  fn: ScalarFunction,
): Evaluator {
  const data = new Float64Array(batch);
  const nullScratch = new Uint8Array(batch);
  const leftScratch = new Float64Array(batch);
  const rightScratch = new Float64Array(batch);
  const chunk: Chunk = { form: 'float64', data, offset: 0, nulls: null };
  const values: Value[] = [];
  const exactChunk: Chunk = { form: 'plain', data: values, offset: 0, nulls: null };
  const types = [left.type, right.type];
  const loop = loops[kind];
  /** Sums and differences of 32-bit integers are exact. */
  const small = kind !== '*';
  return {
    type,
    run(rows, start, n) {
      const a = left.run(rows, start, n);
      const b = right.run(rows, start, n);
      const nulls = eitherNull(a, b, n, nullScratch);
      const x = doublesOf(a, n, leftScratch);
      const y = doublesOf(b, n, rightScratch);
      if (x !== null && y !== null) {
        loop(data, x.data, x.offset, y.data, y.offset, n);
        if (type === 'float' || (small && fits32(a, left) && fits32(b, right)) || isExact(data, n)) {
          chunk.nulls = nulls;
          return chunk;
        }
      }
      for (let i = 0; i < n; i++) {
        const isNull = nulls !== null && nulls[i] === 1;
        values[i] = isNull ? null : fn.evaluate([chunkValue(a, i), chunkValue(b, i)], types);
      }
      exactChunk.nulls = nulls;
      return exactChunk;
    },
  };
}

function fits32(chunk: Chunk, { constant }: Evaluator): boolean {
  return chunk.form === 'int32' || (typeof constant === 'number' && Math.abs(constant) <= 2 ** 32);
}

/** Slots of NULLs count too: at worst a batch is computed again for nothing. */
function isExact(data: Float64Array, n: number): boolean {
  let inside = true;
  for (let i = 0; i < n; i++) inside = inside && data[i] <= largest && data[i] >= -largest;
  return inside;
}

type Loop = (out: Float64Array, a: Float64Array, ao: number, b: Float64Array, bo: number, n: number) => void;

const loops: Readonly<Record<ArithmeticKind, Loop>> = {
  '+': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] + b[bo + i];
  },
  '-': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] - b[bo + i];
  },
  '*': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] * b[bo + i];
  },
};
