import type { Expression } from '../../../../engine/plan/expression.js';
import { conjunction, conjuncts, mapOperands } from '../../../../engine/plan/traverse-expression.js';
import { mapNodeExpressions } from '../../../../engine/plan/traverse-plan.js';
import { dear, expressionCost } from '../cost.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered, partition } from './filter.js';

/**
 * Cheap predicates before dear ones: AND and OR are evaluated from left to right and stop when they are
 * decided, and P(r, p) is a product over a set, so the order is free. Dear conjuncts get a filter of their
 * own above the rest.
 */
export const orderPredicates: Rule = {
  name: 'cheap predicates first',
  description: 'the operands of AND and OR are ordered by cost, and dear ones are left to last',
  scope: 'node',
  apply(plan) {
    const ordered = mapNodeExpressions(plan, order);
    if (ordered.kind === 'filter') {
      const [late, early] = partition(
        conjuncts(ordered.predicate),
        (conjunct) => expressionCost(conjunct) >= dear,
      );
      const labelled = labelledColumns(ordered.input);
      if (
        late.length > 0 &&
        early.length > 0 &&
        readDisjoint([conjunction(early), conjunction(late)], labelled)
      ) {
        return filtered(filtered(ordered.input, early), late);
      }
    }
    return ordered === plan ? undefined : ordered;
  },
};

function order(expression: Expression): Expression {
  const mapped = mapOperands(expression, order);
  if (mapped.kind !== 'and' && mapped.kind !== 'or') return mapped;
  const costs = new Map(mapped.arguments.map((operand) => [operand, rank(expressionCost(operand))]));
  const cost = (operand: Expression) => costs.get(operand) ?? 0;
  if (mapped.arguments.every((operand, i) => i === 0 || cost(mapped.arguments[i - 1]) <= cost(operand)))
    return mapped;
  return { ...mapped, arguments: [...mapped.arguments].sort((a, b) => cost(a) - cost(b)) };
}

/**
 * What is dear costs what its dear calls cost: between two that ask as much, the order stays as it was
 * written.
 */
function rank(cost: number): number {
  return cost < dear ? cost : dear * Math.floor(cost / dear);
}
