import { conjuncts } from '../../../engine/traverse.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered } from './filter.js';

/** σp(σq(R)) = σ(q ∧ p)(R), where no cell-labelled column is read by both: the product would hold it once, not twice. */
export const mergeFilters: Rule = {
  name: 'merge filters',
  description: 'two filters in a row become one',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'filter') return undefined;
    const { predicate: inner, input } = plan.input;
    if (!readDisjoint([inner, plan.predicate], labelledColumns(input))) return undefined;
    return filtered(input, [...conjuncts(inner), ...conjuncts(plan.predicate)]);
  },
};
