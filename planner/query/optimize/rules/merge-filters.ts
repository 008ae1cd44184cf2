import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import type { LogicalPlan } from '../../../../engine/plan/plan.js';
import { columnsRead, conjuncts } from '../../../../engine/plan/traverse-expression.js';
import { labelledColumns } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered } from './filter.js';

/**
 * σp(σq(R)) = σ(q ∧ p)(R), where no cell-labelled column is read by both: the product would hold it once, not
 * twice.
 */
export const mergeFilters: Rule = {
  name: 'merge filters',
  description: 'filters in a row become one',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'filter') return undefined;
    const labelled = labelledColumns(plan.input);
    const read = new Set<ColumnId>();
    const isApart = (predicate: Expression): boolean => {
      if (labelled.size === 0) return true;
      const own = [...columnsRead(predicate)].filter((id) => labelled.has(id));
      if (own.some((id) => read.has(id))) return false;
      for (const id of own) read.add(id);
      return true;
    };
    // The whole chain at once: filter by filter, a long one would be copied again and again.
    const predicates: Expression[] = [];
    let node: LogicalPlan = plan;
    while (node.kind === 'filter' && isApart(node.predicate)) {
      predicates.push(node.predicate);
      node = node.input;
    }
    if (predicates.length < 2) return undefined;
    return filtered(node, predicates.reverse().flatMap(conjuncts));
  },
};
