/** Aggregates that collect values as JSON. */
import { AssayError } from '../../semiring/message/error.js';
import { toText } from '../operators/cast.js';
import type { AggregateFunction } from '../plan/expression.js';
import { external } from '../value/external.js';
import type { Json, Type, Value } from '../value/value.js';
import { define } from './define.js';

function collector(name: string): AggregateFunction {
  return define<{ readonly type: Type; values: Json[] | null }>({
    name,
    takesNull: true,
    resolve: (types) => (types.length === 1 ? 'json' : undefined),
    start: ([type]) => ({ type, values: null }),
    step: (state, [value]) => {
      state.values ??= [];
      state.values.push(jsonOf(value, state.type));
      return state;
    },
    finish: ({ values }) => values,
  });
}

/** An object of a value for each key; the last of a key wins, as in jsonb. NULL over no rows. */
function objectCollector(name: string): AggregateFunction {
  return define<{ readonly types: readonly Type[]; values: Map<string, Json> | null }>({
    name,
    takesNull: true,
    resolve: (types) => (types.length === 2 && types[0] !== 'json' ? 'json' : undefined),
    start: (types) => ({ types, values: null }),
    step: (state, [key, value]) => {
      if (key === null) throw new AssayError('engine/null-key', `${name}: a key must not be NULL`);
      state.values ??= new Map();
      state.values.set(toText(key, state.types[0]), jsonOf(value, state.types[1]));
      return state;
    },
    // Object.fromEntries defines its keys, so that `__proto__` is one like any other.
    finish: ({ values }) => values && Object.fromEntries(values),
  });
}

function jsonOf(value: Value, type: Type): Json {
  const outside = external(value, type);
  return typeof outside === 'bigint' ? Number(outside) : (outside as Json);
}

/** The values in the order of the input, NULLs included, as a JSON array. NULL over no rows. */
export const arrayAgg = collector('array_agg');
export const jsonAgg = collector('json_agg');
export const jsonbAgg = collector('jsonb_agg');
export const jsonObjectAgg = objectCollector('json_object_agg');
export const jsonbObjectAgg = objectCollector('jsonb_object_agg');
