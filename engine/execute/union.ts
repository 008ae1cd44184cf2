/** Union all: concatenation of rows, annotations and cells. */

import { columnEvaluator } from '../evaluate/column.js';
import { materialise } from '../evaluate/materialise.js';
import { type Factor, type Frame, type FrameColumn, productNode } from '../frame/frame.js';
import { castValue } from '../operators/cast.js';
import type { Column } from '../plan/expression.js';
import { concat } from '../provenance/circuit.js';
import { ColumnBuffer } from '../table/column-buffer.js';
import type { Type, Value } from '../value/value.js';
import { type Vector, valueAt } from '../value/vector.js';
import type { Context } from './context.js';

/** Column i of every input feeds `columns[i]`. */
export function union(columns: readonly Column[], inputs: readonly Frame[], context: Context): Frame {
  const rows = inputs.reduce((sum, input) => sum + input.rows, 0);
  return {
    rows,
    columns: columns.map((column, c) =>
      concatColumn(
        column,
        inputs.map((input) => input.columns[c]),
        inputs,
        context,
      ),
    ),
    annotation: concatFactors(
      inputs.map((input) => input.annotation),
      inputs,
    ),
    membership: [...new Set(inputs.flatMap((input) => input.membership))],
    present: concatPresent(inputs, rows),
  };
}

function concatColumn(
  column: Column,
  parts: readonly FrameColumn[],
  inputs: readonly Frame[],
  context: Context,
): FrameColumn {
  const vectors = parts.map((part, i) => gathered(part, inputs[i].rows, context));
  return {
    column,
    vector: concatVectors(column.type, vectors, context),
    selection: null,
    provenance: concatFactors(
      parts.map((part) => part.provenance),
      inputs,
    ),
    reach: [...new Set(parts.flatMap((part) => part.reach))],
  };
}

function concatFactors(parts: readonly (readonly Factor[])[], inputs: readonly Frame[]): readonly Factor[] {
  if (parts.every((part) => part.length === 0)) return [];
  return [{ node: concat(parts.map((part, i) => productNode(part, inputs[i].rows))), selection: null }];
}

/** The column's values without a selection. */
export function gathered(column: FrameColumn, rows: number, { arena }: Context): Vector {
  return column.selection === null ? column.vector : materialise(columnEvaluator(column), null, rows, arena);
}

function concatVectors(type: Type, vectors: readonly Vector[], { arena }: Context): Vector {
  const [first] = vectors;
  const length = vectors.reduce((sum, vector) => sum + vector.length, 0);
  if (vectors.length === 1 && first.type === type) return first;
  const sameForm = vectors.every(
    (vector) =>
      vector.form === first.form &&
      vector.type === type &&
      (vector.form !== 'dictionary' || (first.form === 'dictionary' && vector.words === first.words)),
  );
  if (!sameForm || first.form === 'plain') return concatValues(type, vectors, length);
  const data =
    first.form === 'float64'
      ? arena.float64(length)
      : first.form === 'boolean'
        ? arena.uint8(length)
        : arena.int32(length);
  let at = 0;
  for (const vector of vectors) {
    if (vector.form !== 'plain') data.set(vector.data.subarray(0, vector.length), at);
    at += vector.length;
  }
  return { ...first, type, length, nulls: concatNulls(vectors, length), data, bounds: undefined } as Vector;
}

function concatNulls(vectors: readonly Vector[], length: number): Uint8Array | null {
  if (vectors.every((vector) => vector.nulls === null)) return null;
  const nulls = new Uint8Array(length);
  let at = 0;
  for (const vector of vectors) {
    if (vector.nulls !== null) nulls.set(vector.nulls.subarray(0, vector.length), at);
    at += vector.length;
  }
  return nulls;
}

function concatValues(type: Type, vectors: readonly Vector[], length: number): Vector {
  const buffer = new ColumnBuffer(type, length);
  for (const vector of vectors) {
    for (let i = 0; i < vector.length; i++) buffer.push(convert(valueAt(vector, i), vector.type, type));
  }
  return buffer.snapshot();
}

function convert(value: Value, from: Type, to: Type): Value {
  return from === to || from === 'null' ? value : castValue(value, from, to);
}

function concatPresent(inputs: readonly Frame[], rows: number): Uint8Array | null {
  if (inputs.every((input) => input.present === null)) return null;
  const flags = new Uint8Array(rows).fill(1);
  let at = 0;
  for (const input of inputs) {
    if (input.present !== null) flags.set(input.present.subarray(0, input.rows), at);
    at += input.rows;
  }
  return flags;
}
