/**
 * The forecast of a plan: what each strategy costs in interventions, and the cheapest way. It predicts from
 * labels alone, so a call whose recipients or links are known only at run time may still be asked about.
 */
import { search } from './search.js';
import type { Forecast, Plan } from './types.js';

/**
 * Up to 12 steps exact, beyond that a bound (see `Outlook.exact`).
 * @throws AssayError `forecast/step-repeats`
 */
export function forecast(plan: Plan): Forecast {
  const nothing = { endorse: false, quarantine: false, reorder: false };
  const outlooks = {
    approve: search(plan, nothing),
    quarantine: search(plan, { ...nothing, quarantine: true }),
    reorder: search(plan, { ...nothing, reorder: true }),
    endorse: search(plan, { ...nothing, endorse: true }),
    best: search(plan, { endorse: true, quarantine: true, reorder: true }),
  };
  const order = ['approve', 'quarantine', 'reorder', 'endorse', 'best'] as const;
  const cheapest = order.reduce((least, name) =>
    outlooks[name].price < outlooks[least].price ? name : least,
  );
  return { ...outlooks, cheapest };
}
