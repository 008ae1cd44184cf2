/**
 * `value IN (constants)` by a hash set. A key is equal to another exactly where `=` says so, which holds for
 * values of one type and among numbers; other lists (dates among timestamps) go the general way.
 */

import type { Expression } from '../../plan/expression.js';
import { batch, type Chunk, chunkValue, type Evaluator } from '../../value/chunk.js';
import type { Type, Value } from '../../value/value.js';
import { keyOf } from '../compare.js';
import { inList, notInList } from '../in-list.js';

/** The constants of an IN or NOT IN. */
export interface ConstantList {
  readonly keys: ReadonlySet<ReturnType<typeof keyOf>>;
  /** There is a NULL among them: what is not found is unknown. */
  readonly hasNull: boolean;
  /** What it is to be found: false for NOT IN. */
  readonly found: boolean;
}

type Call = Extract<Expression, { kind: 'call' }>;

/** The list of a call of IN or NOT IN, where it is constant and its values compare by key. */
export function constantList(
  { function: fn, arguments: [subject, ...list] }: Call,
  parameter: (index: number) => Value,
): ConstantList | undefined {
  if ((fn !== inList && fn !== notInList) || list.length === 0) return undefined;
  const keys = new Set<ReturnType<typeof keyOf>>();
  let hasNull = false;
  for (const item of list) {
    if (item.kind !== 'literal' && item.kind !== 'parameter') return undefined;
    if (!compareByKey(subject.type, item.type)) return undefined;
    const value = item.kind === 'literal' ? item.value : parameter(item.index);
    if (value === null) hasNull = true;
    else keys.add(keyOf(value));
  }
  return { keys, hasNull, found: fn === inList };
}

function compareByKey(a: Type, b: Type): boolean {
  const isNumber = (type: Type) => type === 'integer' || type === 'float';
  return a === b || b === 'null' || (isNumber(a) && isNumber(b));
}

/** Three-valued. */
export function isMember(value: Value, { keys, hasNull, found }: ConstantList): boolean | null {
  if (value === null) return null;
  if (keys.has(keyOf(value))) return found;
  return hasNull ? null : !found;
}

/** Whole numbers this close together are looked up in a table. */
const widestTable = 1 << 16;

export function membershipEvaluator(subject: Evaluator, list: ConstantList): Evaluator {
  const data = new Uint8Array(batch);
  const nulls = new Uint8Array(batch);
  const chunk: Chunk = { form: 'boolean', data, offset: 0, nulls };
  const table = tableOf(list);
  const found = list.found ? 1 : 0;
  const unknownIfMissing = list.hasNull ? 1 : 0;
  return {
    type: 'boolean',
    run(rows, start, n) {
      const input = subject.run(rows, start, n);
      if (table !== undefined && (input.form === 'int32' || input.form === 'float64')) {
        const { first, has } = table;
        const { offset } = input;
        for (let i = 0; i < n; i++) {
          // Past the ends, between two whole numbers and for NaN there is no entry.
          const hit = has[input.data[offset + i] - first] === 1 ? 1 : 0;
          data[i] = hit === 1 ? found : 1 - found;
          nulls[i] = hit === 1 ? 0 : unknownIfMissing;
          if (input.nulls !== null && input.nulls[offset + i] === 1) nulls[i] = 1;
        }
        return chunk;
      }
      for (let i = 0; i < n; i++) {
        const truth = isMember(chunkValue(input, i), list);
        data[i] = truth === true ? 1 : 0;
        nulls[i] = truth === null ? 1 : 0;
      }
      return chunk;
    },
  };
}

/**
 * The list as a table from its least number on; undefined where it is not of whole numbers close together.
 */
function tableOf({ keys }: ConstantList): { readonly first: number; readonly has: Uint8Array } | undefined {
  if (keys.size === 0) return undefined;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const key of keys) {
    if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
    first = Math.min(first, key);
    last = Math.max(last, key);
  }
  if (!(last - first < widestTable)) return undefined;
  const has = new Uint8Array(last - first + 1);
  for (const key of keys) if (typeof key === 'number') has[key - first] = 1;
  return { first, has };
}
