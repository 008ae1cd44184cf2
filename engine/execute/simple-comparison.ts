/**
 * The fast path of "column compared with a constant", over the base data and without any intermediate. The one
 * thing to know: it takes no null, no NaN and no mixed units; whatever it does not take goes the general way.
 */

import type { ComparisonKind } from '../evaluate/comparison.js';
import { comparisons } from '../evaluate/compile.js';
import { parameterValue } from '../evaluate/row.js';
import type { Expression } from '../expression.js';
import { type Frame, frameColumn } from '../frame.js';
import { equal, mirrored, notEqual } from '../operators/comparison.js';
import type { Value } from '../value.js';

/** Writes the passing ones of `rows` (of 0 … n-1 where null) to `out` and returns how many. */
export type RowFilter = (rows: Int32Array | null, n: number, out: Int32Array) => number;

export function simpleComparison(
  predicate: Expression,
  frame: Frame,
  parameters: readonly Value[],
): RowFilter | undefined {
  if (predicate.kind !== 'call' || predicate.arguments.length !== 2) return undefined;
  let [left, right] = predicate.arguments;
  let fn = predicate.function;
  if (right.kind === 'column') {
    const turned = mirrored.get(fn);
    if (turned === undefined) return undefined;
    [left, right, fn] = [right, left, turned];
  }
  const kind = comparisons.get(fn);
  if (
    kind === undefined ||
    left.kind !== 'column' ||
    (right.kind !== 'literal' && right.kind !== 'parameter')
  )
    return undefined;
  if (left.type !== right.type && !(isNumeric(left.type) && isNumeric(right.type))) return undefined;
  const column = frameColumn(frame, left.id);
  if (column === undefined || column.vector.nulls !== null || column.selection?.nullable) return undefined;
  const constant = right.kind === 'literal' ? right.value : parameterValue(right.index, parameters);
  const { vector, selection } = column;
  if (vector.form === 'dictionary' && (fn === equal || fn === notEqual) && typeof constant === 'string') {
    const code = vector.words.indexOf(constant);
    return (rows, n, out) => compareRows(kind, vector.data, selection?.resolve() ?? null, code, rows, n, out);
  }
  if (vector.form !== 'int32' || typeof constant !== 'number' || Number.isNaN(constant)) return undefined;
  return (rows, n, out) =>
    compareRows(kind, vector.data, selection?.resolve() ?? null, constant, rows, n, out);
}

function isNumeric(type: string): boolean {
  return type === 'integer' || type === 'float';
}

function compareRows(
  kind: ComparisonKind,
  data: Int32Array,
  index: Int32Array | null,
  constant: number,
  rows: Int32Array | null,
  n: number,
  out: Int32Array,
): number {
  // Written out for each comparison, so that the loop body is one compare and one add.
  let k = 0;
  if (index !== null) {
    const holds = tests[kind];
    for (let i = 0; i < n; i++) {
      const row = rows === null ? i : rows[i];
      out[k] = row;
      k += holds(data[index[row]], constant) ? 1 : 0;
    }
    return k;
  }
  return rows === null
    ? loopsAll[kind](data, constant, n, out)
    : loopsSome[kind](data, constant, rows, n, out);
}

const tests: Readonly<Record<ComparisonKind, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

type LoopAll = (data: Int32Array, constant: number, n: number, out: Int32Array) => number;

const loopsAll: Readonly<Record<ComparisonKind, LoopAll>> = {
  '=': (data, constant, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      out[k] = i;
      k += data[i] === constant ? 1 : 0;
    }
    return k;
  },
  '<>': (data, constant, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      out[k] = i;
      k += data[i] !== constant ? 1 : 0;
    }
    return k;
  },
  '<': (data, constant, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      out[k] = i;
      k += data[i] < constant ? 1 : 0;
    }
    return k;
  },
  '<=': (data, constant, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      out[k] = i;
      k += data[i] <= constant ? 1 : 0;
    }
    return k;
  },
  '>': (data, constant, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      out[k] = i;
      k += data[i] > constant ? 1 : 0;
    }
    return k;
  },
  '>=': (data, constant, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      out[k] = i;
      k += data[i] >= constant ? 1 : 0;
    }
    return k;
  },
};

type LoopSome = (data: Int32Array, constant: number, rows: Int32Array, n: number, out: Int32Array) => number;

const loopsSome: Readonly<Record<ComparisonKind, LoopSome>> = {
  '=': (data, constant, rows, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i];
      out[k] = row;
      k += data[row] === constant ? 1 : 0;
    }
    return k;
  },
  '<>': (data, constant, rows, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i];
      out[k] = row;
      k += data[row] !== constant ? 1 : 0;
    }
    return k;
  },
  '<': (data, constant, rows, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i];
      out[k] = row;
      k += data[row] < constant ? 1 : 0;
    }
    return k;
  },
  '<=': (data, constant, rows, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i];
      out[k] = row;
      k += data[row] <= constant ? 1 : 0;
    }
    return k;
  },
  '>': (data, constant, rows, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i];
      out[k] = row;
      k += data[row] > constant ? 1 : 0;
    }
    return k;
  },
  '>=': (data, constant, rows, n, out) => {
    let k = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i];
      out[k] = row;
      k += data[row] >= constant ? 1 : 0;
    }
    return k;
  },
};
