/** AND, OR, NOT and IS [NOT] NULL over batches, in three-valued logic. */
import { AssayError } from '../../semiring/message/error.js';
import { batch, type Chunk, type Evaluator } from '../value/chunk.js';

/**
 * @param lazily the row path: where an operand raises an error, the rows are evaluated again one by one,
 *   because an earlier operand may have decided them
 */
export function logicEvaluator(
  kind: 'and' | 'or',
  operands: readonly Evaluator[],
  lazily: () => Evaluator,
): Evaluator {
  const data = new Uint8Array(batch);
  const nulls = new Uint8Array(batch);
  const chunk: Chunk = { form: 'boolean', data, offset: 0, nulls };
  const decisive = kind === 'or' ? 1 : 0;
  let rowPath: Evaluator | undefined;
  return {
    type: 'boolean',
    run(rows, start, n) {
      data.fill(1 - decisive, 0, n);
      nulls.fill(0, 0, n);
      for (const operand of operands) {
        let input: Chunk;
        try {
          input = operand.run(rows, start, n);
        } catch (error) {
          if (!(error instanceof AssayError)) throw error;
          rowPath ??= lazily();
          return rowPath.run(rows, start, n);
        }
        combine(data, nulls, truths(input), input.offset, input.nulls, n, decisive);
      }
      return chunk;
    },
  };
}

function truths(chunk: Chunk): ArrayLike<number> {
  if (chunk.form === 'boolean') return chunk.data;
  // An untyped NULL.
  return { length: 0 };
}

/** A slot with `nulls` 1 is unknown; a decided one has `nulls` 0 and `data` = decisive. */
function combine(
  data: Uint8Array,
  nulls: Uint8Array,
  input: ArrayLike<number>,
  offset: number,
  inputNulls: Uint8Array | null,
  n: number,
  decisive: number,
): void {
  for (let i = 0; i < n; i++) {
    if (nulls[i] === 0 && data[i] === decisive) continue;
    if (inputNulls !== null && inputNulls[offset + i] === 1) nulls[i] = 1;
    else if (input[offset + i] === decisive) {
      data[i] = decisive;
      nulls[i] = 0;
    }
  }
}

export function notEvaluator(operand: Evaluator): Evaluator {
  const data = new Uint8Array(batch);
  const nulls = new Uint8Array(batch);
  const chunk: Chunk = { form: 'boolean', data, offset: 0, nulls };
  return {
    type: 'boolean',
    run(rows, start, n) {
      const input = operand.run(rows, start, n);
      const truth = truths(input);
      for (let i = 0; i < n; i++) {
        nulls[i] = input.nulls === null ? 0 : input.nulls[input.offset + i];
        data[i] = truth[input.offset + i] === 1 ? 0 : 1;
      }
      return chunk;
    },
  };
}

export function nullTestEvaluator(operand: Evaluator, wanted: boolean): Evaluator {
  const data = new Uint8Array(batch);
  const chunk: Chunk = { form: 'boolean', data, offset: 0, nulls: null };
  return {
    type: 'boolean',
    run(rows, start, n) {
      const input = operand.run(rows, start, n);
      for (let i = 0; i < n; i++) {
        const isNull = input.nulls !== null && input.nulls[input.offset + i] === 1;
        data[i] = isNull === wanted ? 1 : 0;
      }
      return chunk;
    },
  };
}
