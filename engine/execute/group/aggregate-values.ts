/** The plain values of aggregates, group by group. */
import { accumulatorOf, type Summer } from '../../aggregates/accumulate.js';
import { compile } from '../../evaluate/compile.js';
import { type Frame, select } from '../../frame/frame.js';
import { keyOf } from '../../operators/compare.js';
import { freshColumn } from '../../plan/expression.js';
import type { AggregateCall } from '../../plan/plan.js';
import { ColumnBuffer } from '../../table/column-buffer.js';
import { batch, chunkValue, type Evaluator } from '../../value/chunk.js';
import type { Value } from '../../value/value.js';
import { type Vector, valueAt } from '../../value/vector.js';
import { type Context, checkAborted } from '../context.js';
import { passing } from '../filter.js';
import { computed } from '../project.js';
import { groupRows } from './grouping.js';

interface Rows {
  readonly index: Int32Array;
  readonly count: number;
}

/**
 * One vector for each call. Aggregates over the same rows are computed together, batch by batch, so that a
 * column that several of them read is fetched once.
 */
export function aggregateValues(
  calls: readonly AggregateCall[],
  group: Int32Array | null,
  groups: number,
  input: Frame,
  context: Context,
): Vector[] {
  const together = calls.filter((call) => !call.filter && !(call.distinct && call.arguments.length > 0));
  const results = new Map(
    accumulated(together, group, groups, rowsOf(null, input, context, true), input, context),
  );
  return calls.map((call) => results.get(call) ?? alone(call, group, groups, input, context));
}

function alone(
  call: AggregateCall,
  group: Int32Array | null,
  groups: number,
  input: Frame,
  context: Context,
): Vector {
  const rows = rowsOf(call, input, context, true);
  const isDistinct = call.distinct && call.arguments.length > 0;
  const chosen = isDistinct ? distinctRows(call, group, rows, input, context) : rows;
  const [fast] = accumulated([call], group, groups, chosen, input, context);
  return fast?.[1] ?? generalValues(call, group, groups, chosen, input, context);
}

/** The vectors of those calls that have a fast form, and whose fast form is exact here. */
function accumulated(
  calls: readonly AggregateCall[],
  group: Int32Array | null,
  groups: number,
  rows: Rows | null,
  input: Frame,
  { parameters, signal }: Context,
): (readonly [AggregateCall, Vector])[] {
  const index = rows?.index ?? null;
  const n = rows?.count ?? input.rows;
  const shared = new Map<number, Evaluator>();
  const sums = new Map<unknown, Summer>();
  const running = calls.flatMap((call) => {
    const types = call.arguments.map((argument) => argument.type);
    const [argument] = call.arguments;
    const sameAs = argument?.kind === 'column' ? argument.id : argument;
    const accumulator = accumulatorOf(call.function, types, groups, n, sums, sameAs);
    if (accumulator === undefined) return [];
    const evaluator = argument === undefined ? null : compile(argument, input, parameters, shared);
    return [{ call, accumulator, evaluator, taken: true }];
  });
  if (running.length === 0) return [];
  const scratch = new Int32Array(batch);
  const sizes = new Float64Array(groups);
  for (let start = 0; start < n; start += batch) {
    if (start % (64 * batch) === 0) checkAborted(signal);
    const size = Math.min(batch, n - start);
    const [numbers, offset] = groupsOf(group, index, start, size, scratch);
    countRows(sizes, numbers, offset, size);
    for (const one of running) {
      if (one.taken) {
        const argument = one.evaluator === null ? null : one.evaluator.run(index, start, size);
        one.taken = one.accumulator.add(argument, numbers, offset, size);
      }
    }
  }
  return running.flatMap(({ call, accumulator, taken }) => {
    const vector = taken ? accumulator.finish(() => sizes) : null;
    return vector === null ? [] : [[call, vector] as const];
  });
}

function countRows(sizes: Float64Array, group: Int32Array | null, offset: number, n: number): void {
  if (group === null) sizes[0] += n;
  else for (let i = 0; i < n; i++) sizes[group[offset + i]]++;
}

/** The groups of a batch: a window on `group` where the rows are consecutive, a copy otherwise. */
function groupsOf(
  group: Int32Array | null,
  index: Int32Array | null,
  start: number,
  n: number,
  scratch: Int32Array,
): readonly [Int32Array | null, number] {
  if (group === null || index === null) return [group, start];
  for (let i = 0; i < n; i++) scratch[i] = group[index[start + i]];
  return [scratch, 0];
}

function generalValues(
  call: AggregateCall,
  group: Int32Array | null,
  groups: number,
  rows: Rows | null,
  input: Frame,
  context: Context,
): Vector {
  const { function: fn, column } = call;
  const evaluators = call.arguments.map((argument) => compile(argument, input, context.parameters));
  const types = call.arguments.map((argument) => argument.type);
  const index = rows?.index ?? null;
  const n = rows?.count ?? input.rows;
  const states = Array.from({ length: groups }, () => fn.start(types));
  for (let start = 0; start < n; start += batch) {
    const size = Math.min(batch, n - start);
    const chunks = evaluators.map((evaluator) => evaluator.run(index, start, size));
    for (let i = 0; i < size; i++) {
      const values = chunks.map((chunk) => chunkValue(chunk, i));
      if (fn.takesNull !== true && values.includes(null)) continue;
      const row = index === null ? start + i : index[start + i];
      const g = group === null ? 0 : group[row];
      states[g] = fn.step(states[g], values);
    }
  }
  const buffer = new ColumnBuffer(column.type, groups);
  for (const state of states) buffer.push(fn.finish(state));
  return buffer.snapshot();
}

/** The rows that take part: those of the FILTER clause and (where asked) present ones; null: all. */
export function rowsOf(
  call: AggregateCall | null,
  input: Frame,
  context: Context,
  presentOnly: boolean,
): Rows | null {
  const { present } = input;
  const filtered = call?.filter ? passing(call.filter, input, context) : null;
  if (!presentOnly || present === null) return filtered;
  const index = context.arena.int32(input.rows);
  let count = 0;
  const n = filtered?.count ?? input.rows;
  for (let i = 0; i < n; i++) {
    const row = filtered === null ? i : filtered.index[i];
    index[count] = row;
    count += present[row];
  }
  return { index, count };
}

/** The first row of each different (group, arguments). */
function distinctRows(
  call: AggregateCall,
  group: Int32Array | null,
  rows: Rows | null,
  input: Frame,
  context: Context,
): Rows {
  const { arena } = context;
  const columns = call.arguments.map((argument) =>
    computed(freshColumn('', argument.type), argument, input, context),
  );
  const groupColumn =
    group === null
      ? []
      : [
          {
            column: freshColumn('', 'integer'),
            vector: {
              form: 'int32',
              type: 'integer',
              length: input.rows,
              nulls: null,
              data: group,
            } as Vector,
            selection: null,
            provenance: [],
            reach: [],
          },
        ];
  const frame: Frame = { ...input, columns: [...groupColumn, ...columns], annotation: [], present: null };
  const chosen = rows === null ? frame : select(frame, arena, rows.index, rows.count);
  const { first, count } = groupRows(chosen.columns, chosen.rows, arena);
  if (rows === null) return { index: first, count };
  const index = arena.int32(count);
  for (let i = 0; i < count; i++) index[i] = rows.index[first[i]];
  return { index, count };
}

/** The aggregate of the rows numbered in `chosen`, from materialised arguments. */
export function aggregateRows(call: AggregateCall, args: readonly Vector[], chosen: Int32Array): Value {
  const { function: fn } = call;
  let state = fn.start(call.arguments.map((argument) => argument.type));
  const seen = new Set<string>();
  for (const row of chosen) {
    const values = args.map((vector) => valueAt(vector, row));
    if (fn.takesNull !== true && values.includes(null)) continue;
    if (call.distinct) {
      const key = JSON.stringify(values.map((value) => [typeof value, String(keyOf(value))]));
      if (seen.has(key)) continue;
      seen.add(key);
    }
    state = fn.step(state, values);
  }
  return fn.finish(state);
}
