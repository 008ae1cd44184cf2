/**
 * The aggregate functions, defined value by value. Accumulate.ts has faster forms of the common ones, which
 * must give the same values.
 */

import { add, divide } from '../operators/arithmetic.js';
import { compareValues } from '../operators/compare.js';
import { isNumber } from '../operators/define.js';
import type { AggregateFunction } from '../plan/expression.js';
import { integer } from '../value/external.js';
import type { Type, Value } from '../value/value.js';
import { define } from './define.js';

/** count(*) without an argument, count(x) with one. */
export const count = define<number>({
  name: 'count',
  resolve: (types) => (types.length <= 1 ? 'integer' : undefined),
  start: () => 0,
  step: (n) => n + 1,
  finish: (n) => n,
});

/** Exact for integers, at every size. */
export const sum = define<{ readonly type: Type; total: Value }>({
  name: 'sum',
  resolve: ([type, more]) =>
    more === undefined && (isNumber(type) || type === 'interval')
      ? type === 'null'
        ? 'integer'
        : type
      : undefined,
  start: ([type]) => ({ type, total: null }),
  step: (state, [value]) => {
    state.total = state.total === null ? value : add.evaluate([state.total, value], [state.type, state.type]);
    return state;
  },
  finish: ({ total }) => total,
});

export const avg = define<{ total: number | bigint; n: number; readonly exact: boolean }>({
  name: 'avg',
  resolve: ([type, more]) => (more === undefined && isNumber(type) ? 'float' : undefined),
  start: ([type]) => ({ total: 0, n: 0, exact: type === 'integer' }),
  step: (state, [value]) => {
    if (state.exact) {
      const next = Number(state.total) + Number(value);
      state.total =
        typeof state.total === 'number' && typeof value === 'number' && Number.isSafeInteger(next)
          ? next
          : integer(BigInt(state.total) + BigInt(value as number | bigint));
    } else state.total = Number(state.total) + Number(value);
    state.n++;
    return state;
  },
  finish: ({ total, n }) => (n === 0 ? null : Number(total) / n),
});

/** The sum of intervals, divided as `/` divides them. */
export const avgInterval = define<{ total: Value; n: number }>({
  name: 'avg',
  resolve: ([type, more]) => (more === undefined && type === 'interval' ? 'interval' : undefined),
  start: () => ({ total: null, n: 0 }),
  step: (state, [value]) => {
    state.total = state.total === null ? value : add.evaluate([state.total, value], ['interval', 'interval']);
    state.n++;
    return state;
  },
  finish: ({ total, n }) => (n === 0 ? null : divide.evaluate([total, n], ['interval', 'integer'])),
});

function extreme(name: string, sign: 1 | -1): AggregateFunction {
  return define<{ best: Value }>({
    name,
    resolve: ([type, more]) =>
      more === undefined && type !== undefined && type !== 'json' ? type : undefined,
    start: () => ({ best: null }),
    step: (state, [value]) => {
      if (state.best === null || sign * compareValues(value, state.best) > 0) state.best = value;
      return state;
    },
    finish: ({ best }) => best,
  });
}

export const min = extreme('min', -1);
export const max = extreme('max', 1);

function quantifier(name: string, decisive: boolean): AggregateFunction {
  return define<{ value: boolean | null }>({
    name,
    resolve: ([type, more]) =>
      more === undefined && (type === 'boolean' || type === 'null') ? 'boolean' : undefined,
    start: () => ({ value: null }),
    step: (state, [value]) => {
      if (state.value !== decisive) state.value = value === true;
      return state;
    },
    finish: ({ value }) => value,
  });
}

export const boolAnd = quantifier('bool_and', false);
/** The standard's name for it. */
export const every = quantifier('every', false);
export const boolOr = quantifier('bool_or', true);

/** In the order of the input; a NULL separator is the empty text. */
export const stringAgg = define<{ text: string | null }>({
  name: 'string_agg',
  takesNull: true,
  resolve: (types) =>
    types.length === 2 && types.every((type) => type === 'text' || type === 'null') ? 'text' : undefined,
  start: () => ({ text: null }),
  step: (state, [value, separator]) => {
    if (value === null) return state;
    state.text =
      state.text === null
        ? String(value)
        : `${state.text}${separator === null ? '' : String(separator)}${String(value)}`;
    return state;
  },
  finish: ({ text }) => text,
});

/** One of the values that are not NULL: the first. */
export const anyValue = define<{ value: Value }>({
  name: 'any_value',
  resolve: ([type, more]) => (more === undefined ? type : undefined),
  start: () => ({ value: null }),
  step: (state, [value]) => (state.value === null ? { value } : state),
  finish: ({ value }) => value,
});

interface Moments {
  n: number;
  mean: number;
  /** Sum of squared differences from the mean (Welford, 1962). */
  squares: number;
}

function spread(name: string, finish: (moments: Moments) => number | null): AggregateFunction {
  return define<Moments>({
    name,
    resolve: ([type, more]) => (more === undefined && isNumber(type) ? 'float' : undefined),
    start: () => ({ n: 0, mean: 0, squares: 0 }),
    step: (state, [value]) => {
      const x = Number(value);
      state.n++;
      const difference = x - state.mean;
      state.mean += difference / state.n;
      state.squares += difference * (x - state.mean);
      return state;
    },
    finish,
  });
}

const sample = ({ n, squares }: Moments): number | null => (n < 2 ? null : squares / (n - 1));
const population = ({ n, squares }: Moments): number | null => (n < 1 ? null : squares / n);
const root = (x: number | null): number | null => (x === null ? null : Math.sqrt(x));

export const varSamp = spread('var_samp', sample);
export const varPop = spread('var_pop', population);
export const variance = spread('variance', sample);
export const stddevSamp = spread('stddev_samp', (m) => root(sample(m)));
export const stddev = spread('stddev', (m) => root(sample(m)));
export const stddevPop = spread('stddev_pop', (m) => root(population(m)));
