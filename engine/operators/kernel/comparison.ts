/** = <> < <= > >=: over doubles and 32-bit integers in one loop, over anything else value by value. */
import type { ScalarFunction } from '../../plan/expression.js';
import { batch, type Chunk, chunkValue, type Evaluator } from '../../value/chunk.js';
import type { Type } from '../../value/value.js';
import { doublesOf, eitherNull } from './numbers.js';

export type ComparisonKind = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** @param fn the definition, for values without a fast path */
export function comparisonEvaluator(
  kind: ComparisonKind,
  left: Evaluator,
  right: Evaluator,
  types: readonly Type[],
  fn: ScalarFunction,
): Evaluator {
  const data = new Uint8Array(batch);
  const nullScratch = new Uint8Array(batch);
  const leftScratch = new Float64Array(batch);
  const rightScratch = new Float64Array(batch);
  const chunk: Chunk = { form: 'boolean', data, offset: 0, nulls: null };
  // A date and a timestamp are in different units.
  const comparable = types[0] === types[1] || types.every((type) => type === 'integer' || type === 'float');
  const loop = comparable ? loops[kind] : undefined;
  return {
    type: 'boolean',
    run(rows, start, n) {
      const a = left.run(rows, start, n);
      const b = right.run(rows, start, n);
      chunk.nulls = eitherNull(a, b, n, nullScratch);
      const x = loop && doublesOf(a, n, leftScratch);
      const y = loop && doublesOf(b, n, rightScratch);
      // NaN equals itself and is greatest, unlike in machine comparison.
      if (loop && x && y && !hasNaN(x.data, x.offset, n, a) && !hasNaN(y.data, y.offset, n, b)) {
        loop(data, x.data, x.offset, y.data, y.offset, n);
        return chunk;
      }
      for (let i = 0; i < n; i++) {
        if (chunk.nulls !== null && chunk.nulls[i] === 1) continue;
        data[i] = fn.evaluate([chunkValue(a, i), chunkValue(b, i)], types) === true ? 1 : 0;
      }
      return chunk;
    },
  };
}

function hasNaN(data: Float64Array, offset: number, n: number, chunk: Chunk): boolean {
  if (chunk.form === 'int32') return false;
  let any = false;
  for (let i = 0; i < n; i++) any = any || Number.isNaN(data[offset + i]);
  return any;
}

type Loop = (out: Uint8Array, a: Float64Array, ao: number, b: Float64Array, bo: number, n: number) => void;

const loops: Readonly<Record<ComparisonKind, Loop>> = {
  '=': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] === b[bo + i] ? 1 : 0;
  },
  '<>': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] !== b[bo + i] ? 1 : 0;
  },
  '<': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] < b[bo + i] ? 1 : 0;
  },
  '<=': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] <= b[bo + i] ? 1 : 0;
  },
  '>': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] > b[bo + i] ? 1 : 0;
  },
  '>=': (out, a, ao, b, bo, n) => {
    for (let i = 0; i < n; i++) out[i] = a[ao + i] >= b[bo + i] ? 1 : 0;
  },
};
