/** Sort: stable; an index vector. For labels a row's place depends on every row's keys. */

import { type Frame, guard, select } from '../frame/frame.js';
import { compareValues } from '../operators/compare.js';
import { type Expression, freshColumn } from '../plan/expression.js';
import type { Sort, SortKey } from '../plan/plan.js';
import { type Vector, valueAt } from '../value/vector.js';
import type { Context } from './context.js';
import { membershipWith } from './membership.js';
import { computed } from './project.js';
import { gathered } from './union.js';

export function sort({ keys }: Sort, input: Frame, context: Context): Frame {
  const { arena, capture } = context;
  const index = sortedRows(keys, input, context);
  const frame = capture
    ? dependsOnAll(
        input,
        keys.map((key) => key.expression),
      )
    : input;
  return select(frame, arena, index, input.rows);
}

/** The frame with every row depending, for labels, on the whole and on the cells that `expressions` read. */
export function dependsOnAll(frame: Frame, expressions: readonly Expression[]): Frame {
  const membership = membershipWith(frame, expressions);
  return { ...frame, annotation: [...frame.annotation, ...guard(membership)], membership };
}

type Comparator = (a: number, b: number) => number;

function sortedRows(keys: readonly SortKey[], input: Frame, context: Context): Int32Array {
  const comparators = keys.map((key) =>
    comparator(
      key,
      gathered(
        computed(freshColumn('', key.expression.type), key.expression, input, context),
        input.rows,
        context,
      ),
    ),
  );
  const order = context.arena.int32(input.rows);
  for (let i = 0; i < input.rows; i++) order[i] = i;
  order.subarray(0, input.rows).sort((a, b) => {
    for (const compare of comparators) {
      const difference = compare(a, b);
      if (difference !== 0) return difference;
    }
    return a - b;
  });
  return order;
}

function comparator({ descending, nullsFirst }: SortKey, vector: Vector): Comparator {
  const sign = descending ? -1 : 1;
  const { nulls } = vector;
  const values = valueComparator(vector);
  if (nulls === null) return (a, b) => sign * values(a, b);
  return (a, b) => {
    if (nulls[a] === 1 || nulls[b] === 1) return (nulls[b] - nulls[a]) * (nullsFirst ? 1 : -1);
    return sign * values(a, b);
  };
}

function valueComparator(vector: Vector): Comparator {
  if (vector.form === 'int32') {
    const { data } = vector;
    return (a, b) => data[a] - data[b];
  }
  if (vector.form === 'dictionary') {
    const { data } = vector;
    const ranks = wordRanks(vector.words);
    return (a, b) => ranks[data[a]] - ranks[data[b]];
  }
  return (a, b) => compareValues(valueAt(vector, a), valueAt(vector, b));
}

function wordRanks(words: readonly string[]): Int32Array {
  const order = Array.from(words.keys()).sort((a, b) => compareValues(words[a], words[b]));
  const ranks = new Int32Array(words.length);
  for (const [rank, code] of order.entries()) ranks[code] = rank;
  return ranks;
}
