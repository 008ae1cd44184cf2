import type { LogicalPlan } from '../../../../engine/plan/plan.js';
import { conjuncts } from '../../../../engine/plan/traverse-expression.js';
import { labelledColumns, readsLabelled } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered, partition } from './filter.js';

/**
 * σp(sort(R)) = sort(σp(R)): the rows that are left keep their order. A sort's rows depend on all rows of its
 * input, and below it on the cells that p looks at as well; so p may read no labelled column.
 */
export const pushFilterBelowSort: Rule = {
  name: 'push filter below sort',
  description: 'a filter on columns that are not labelled by cell is evaluated before a sort',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'sort') return undefined;
    const sort = plan.input;
    const labelled = labelledColumns(sort.input);
    const [movable, rest] = partition(
      conjuncts(plan.predicate),
      (predicate) => !readsLabelled(predicate, labelled),
    );
    if (movable.length === 0) return undefined;
    const below: LogicalPlan = { ...sort, input: filtered(sort.input, movable) };
    return filtered(below, rest);
  },
};
