/**
 * An aggregate in an order of its own: `string_agg(name, ', ' ORDER BY age DESC)`. The keys are arguments
 * like the others, so provenance and labels see them; the order is made when the value is asked for.
 */

import { compareValues } from '../operators/compare.js';
import type { AggregateFunction } from '../plan/expression.js';
import type { SortKey } from '../plan/plan.js';
import type { Type, Value } from '../value/value.js';

interface Collected {
  readonly types: readonly Type[];
  readonly rows: (readonly Value[])[];
}

/**
 * @param width how many arguments are the aggregate's own; the keys follow
 * @param keys how each of them sorts
 */
export function orderedAggregate(
  aggregate: AggregateFunction,
  width: number,
  keys: readonly Pick<SortKey, 'descending' | 'nullsFirst'>[],
): AggregateFunction {
  const compare = (a: readonly Value[], b: readonly Value[]): number => {
    for (const [i, { descending, nullsFirst }] of keys.entries()) {
      const [x, y] = [a[width + i], b[width + i]];
      if (x === null && y === null) continue;
      if (x === null || y === null) return (x === null) === nullsFirst ? -1 : 1;
      const order = compareValues(x, y);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
  const ordered: AggregateFunction<Collected> = {
    name: aggregate.name,
    takesNull: true,
    resolve: (types) => aggregate.resolve(types.slice(0, width)),
    start: (types) => ({ types: types.slice(0, width), rows: [] }),
    step: (state, values) => {
      const own = values.slice(0, width);
      // A row's array may be used again for the next one.
      if (aggregate.takesNull || !own.includes(null)) state.rows.push([...values]);
      return state;
    },
    finish: ({ types, rows }) => {
      let state = aggregate.start(types);
      for (const row of [...rows].sort(compare)) state = aggregate.step(state, row.slice(0, width));
      return aggregate.finish(state);
    },
  };
  return ordered as AggregateFunction<unknown> as AggregateFunction;
}
