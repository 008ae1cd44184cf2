/**
 * Aggregates of pairs of numbers, dependent first: corr(y, x), regr_slope(y, x). Sums of squares are of
 * deviations from the mean so far (Youngs and Cramer, 1971), so large numbers with small differences stay
 * exact enough.
 */

import { isNumber } from '../operators/define.js';
import type { AggregateFunction } from '../plan/expression.js';
import { define } from './define.js';

interface Pairs {
  n: number;
  sumX: number;
  sumY: number;
  sxx: number;
  syy: number;
  sxy: number;
}

function ofPairs(
  name: string,
  finish: (pairs: Pairs) => number | null,
  type: 'float' | 'integer' = 'float',
): AggregateFunction {
  return define<Pairs>({
    name,
    resolve: (types) => (types.length === 2 && types.every(isNumber) ? type : undefined),
    start: () => ({ n: 0, sumX: 0, sumY: 0, sxx: 0, syy: 0, sxy: 0 }),
    step: (state, values) => {
      const [y, x] = values.map(Number);
      state.n += 1;
      state.sumX += x;
      state.sumY += y;
      if (state.n === 1) return state;
      const [dx, dy] = [x * state.n - state.sumX, y * state.n - state.sumY];
      const scale = 1 / (state.n * (state.n - 1));
      state.sxx += dx * dx * scale;
      state.syy += dy * dy * scale;
      state.sxy += dx * dy * scale;
      return state;
    },
    finish,
  });
}

/** NULL over no pairs. */
const some =
  (value: (pairs: Pairs) => number | null) =>
  (pairs: Pairs): number | null =>
    pairs.n === 0 ? null : value(pairs);

export const regrCount = ofPairs('regr_count', ({ n }) => n, 'integer');
export const regrSxx = ofPairs(
  'regr_sxx',
  some(({ sxx }) => sxx),
);
export const regrSyy = ofPairs(
  'regr_syy',
  some(({ syy }) => syy),
);
export const regrSxy = ofPairs(
  'regr_sxy',
  some(({ sxy }) => sxy),
);
export const regrAvgx = ofPairs(
  'regr_avgx',
  some(({ sumX, n }) => sumX / n),
);
export const regrAvgy = ofPairs(
  'regr_avgy',
  some(({ sumY, n }) => sumY / n),
);
export const covarPop = ofPairs(
  'covar_pop',
  some(({ sxy, n }) => sxy / n),
);
export const covarSamp = ofPairs('covar_samp', ({ sxy, n }) => (n < 2 ? null : sxy / (n - 1)));
export const corr = ofPairs(
  'corr',
  some(({ sxx, syy, sxy }) => (sxx === 0 || syy === 0 ? null : sxy / Math.sqrt(sxx * syy))),
);
export const regrSlope = ofPairs(
  'regr_slope',
  some(({ sxx, sxy }) => (sxx === 0 ? null : sxy / sxx)),
);
export const regrIntercept = ofPairs(
  'regr_intercept',
  some(({ n, sumX, sumY, sxx, sxy }) => (sxx === 0 ? null : (sumY - (sumX * sxy) / sxx) / n)),
);
export const regrR2 = ofPairs(
  'regr_r2',
  some(({ sxx, syy, sxy }) => (sxx === 0 ? null : syy === 0 ? 1 : (sxy * sxy) / (sxx * syy))),
);
