/**
 * Expressions over one dictionary-coded column. A word is evaluated when a row first shows it, never before,
 * so a word that no row of the input has cannot raise an error.
 */

import { batch, type Chunk, type Evaluator } from '../value/chunk.js';
import type { Type, Value } from '../value/value.js';
import type { RowFunction } from './row.js';
import { filler } from './row-evaluator.js';

/** @param evaluate the value for a code; -1 stands for NULL */
export function dictionaryEvaluator(
  type: Type,
  column: Evaluator,
  words: number,
  evaluate: RowFunction,
): Evaluator {
  return type === 'boolean' ? truthTable(column, words, evaluate) : valueTable(type, column, words, evaluate);
}

const unseen = 3;
const unknown = 2;

function truthTable(column: Evaluator, words: number, evaluate: RowFunction): Evaluator {
  const table = new Uint8Array(words + 1).fill(unseen);
  const data = new Uint8Array(batch);
  const nulls = new Uint8Array(batch);
  const chunk: Chunk = { form: 'boolean', data, offset: 0, nulls };
  const look = (code: number): number => {
    const value = evaluate(code);
    const truth = value === null ? unknown : value === true ? 1 : 0;
    table[code + 1] = truth;
    return truth;
  };
  return {
    type: 'boolean',
    run(rows, start, n) {
      const input = column.run(rows, start, n);
      const codes = input.data as Int32Array;
      let anyNull = 0;
      for (let i = 0; i < n; i++) {
        const code =
          input.nulls !== null && input.nulls[input.offset + i] === 1 ? -1 : codes[input.offset + i];
        let truth = table[code + 1];
        if (truth === unseen) truth = look(code);
        data[i] = truth & 1;
        nulls[i] = truth >> 1;
        anyNull |= nulls[i];
      }
      chunk.nulls = anyNull === 0 ? null : nulls;
      return chunk;
    },
  };
}

function valueTable(type: Type, column: Evaluator, words: number, evaluate: RowFunction): Evaluator {
  const table = new Array<Value | undefined>(words + 1).fill(undefined);
  const fill = filler(type);
  return {
    type,
    run(rows, start, n) {
      const input = column.run(rows, start, n);
      const codes = input.data as Int32Array;
      return fill(n, (i) => {
        const code =
          input.nulls !== null && input.nulls[input.offset + i] === 1 ? -1 : codes[input.offset + i];
        const known = table[code + 1];
        if (known !== undefined) return known;
        const value = evaluate(code);
        table[code + 1] = value;
        return value;
      });
    },
  };
}
