/**
 * Ordered-set aggregates: `percentile_cont(0.5) WITHIN GROUP (ORDER BY x)`. The arguments are the key and
 * then what stands in the parentheses, and the rows come in the order of the key (see ordered.ts).
 */
import { AssayError } from '../../semiring/message/error.js';
import { add, multiply, subtract } from '../operators/arithmetic.js';
import { compareValues } from '../operators/compare.js';
import { isNumber } from '../operators/define.js';
import type { AggregateFunction } from '../plan/expression.js';
import type { Type, Value } from '../value/value.js';
import { define } from './define.js';

interface Sorted {
  readonly type: Type;
  readonly values: Value[];
  fraction: Value | undefined;
}

/**
 * @param pick the value at a fraction (0 to 1) of the way through the values, of which there is one at least
 */
function percentile(
  name: string,
  resolve: (key: Type) => Type | undefined,
  pick: (values: readonly Value[], fraction: number, type: Type) => Value,
): AggregateFunction {
  return define<Sorted>({
    name,
    orderedSet: true,
    takesNull: true,
    resolve: ([key, fraction, more]) =>
      key !== undefined && fraction !== undefined && isNumber(fraction) && more === undefined
        ? resolve(key)
        : undefined,
    start: ([type]) => ({ type, values: [], fraction: undefined }),
    step: (state, [value, fraction]) => {
      state.fraction = fraction;
      if (value !== null) state.values.push(value);
      return state;
    },
    finish: ({ type, values, fraction }) => {
      if (fraction === undefined || fraction === null) return null;
      const at = Number(fraction);
      if (!(at >= 0 && at <= 1))
        throw new AssayError('engine/out-of-range', `${name}: ${at} is not between 0 and 1`);
      return values.length === 0 ? null : pick(values, at, type);
    },
  });
}

/** The value between the two that are nearest to the place, in proportion. */
export const percentileCont = percentile(
  'percentile_cont',
  (key) => (isNumber(key) ? 'float' : key === 'interval' ? 'interval' : undefined),
  (values, fraction, type) => {
    const place = fraction * (values.length - 1);
    const [low, high] = [values[Math.floor(place)], values[Math.ceil(place)]];
    const part = place - Math.floor(place);
    if (type !== 'interval')
      return part === 0 ? Number(low) : Number(low) + part * (Number(high) - Number(low));
    const distance = subtract.evaluate([high, low], [type, type]);
    const step = multiply.evaluate([distance, part], [type, 'float']);
    return part === 0 ? low : add.evaluate([low, step], [type, type]);
  },
);

/** The first value that is at the fraction or past it. */
export const percentileDisc = percentile(
  'percentile_disc',
  (key) => (key === 'json' ? undefined : key),
  (values, fraction) => values[Math.max(0, Math.ceil(fraction * values.length) - 1)],
);

/** The most frequent value, the first of them in the order. */
export const mode = define<{ best: Value; most: number; current: Value; count: number }>({
  name: 'mode',
  orderedSet: true,
  resolve: ([key, more]) => (more === undefined && key !== 'json' ? key : undefined),
  start: () => ({ best: null, most: 0, current: null, count: 0 }),
  step: (state, [value]) => {
    const again = state.current !== null && compareValues(value, state.current) === 0;
    state.count = again ? state.count + 1 : 1;
    if (!again) state.current = value;
    if (state.count > state.most) {
      state.most = state.count;
      state.best = state.current;
    }
    return state;
  },
  finish: ({ best }) => best,
});
