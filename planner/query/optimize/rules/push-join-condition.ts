import type { Expression } from '../../../../engine/plan/expression.js';
import type { Join } from '../../../../engine/plan/plan.js';
import { conjunction, conjuncts } from '../../../../engine/plan/traverse-expression.js';
import { dear, expressionCost } from '../cost.js';
import { labelledColumns, readDisjoint, readsLabelled } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered, partition, readsOnly } from './filter.js';

/** Sides that a condition of ON alone may filter: those whose unmatched rows the join does not put out. */
const filtersLeft: ReadonlySet<Join['type']> = new Set(['inner', 'right', 'semi']);
const filtersRight: ReadonlySet<Join['type']> = new Set(['inner', 'left', 'semi', 'anti']);

/**
 * L ⋈(p ∧ q) R = L ⋈p σq(R) where q reads R only and no labelled column is read by both p and q. A semi-join
 * has its condition under δ, where P(q) of a labelled column of L must stay.
 */
export const pushJoinCondition: Rule = {
  name: 'push join condition to a side',
  description: 'a condition of ON that reads one side filters that side first',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'join' || !plan.on || plan.nullAware || plan.lookup) return undefined;
    const cheap = (predicate: Expression) => expressionCost(predicate) < dear;
    const [toLeft, notLeft] = partition(
      conjuncts(plan.on),
      (predicate) =>
        filtersLeft.has(plan.type) &&
        cheap(predicate) &&
        readsOnly(predicate, plan.left) &&
        (plan.type !== 'semi' || !readsLabelled(predicate, labelledColumns(plan.left))),
    );
    const [toRight, rest] = partition(
      notLeft,
      (predicate) => filtersRight.has(plan.type) && cheap(predicate) && readsOnly(predicate, plan.right),
    );
    if (toLeft.length + toRight.length === 0) return undefined;
    const labelled = new Set([...labelledColumns(plan.left), ...labelledColumns(plan.right)]);
    if (!readDisjoint([toLeft, toRight, rest].map(conjunction), labelled)) return undefined;
    const { on: _, ...join } = plan;
    const on = conjunction(rest);
    return {
      ...join,
      left: filtered(plan.left, toLeft),
      right: filtered(plan.right, toRight),
      ...(on ? { on } : {}),
    };
  },
};
