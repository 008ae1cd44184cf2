import { contains, equal } from '../../../../engine/operators/index.js';
import type { Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../../engine/plan/plan.js';
import { conjunction, conjuncts } from '../../../../engine/plan/traverse-expression.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered, readsOnly } from './filter.js';

/**
 * L ⋈ contains(text, needle) R becomes the operator that builds a substring index, with what else was in the
 * condition as a filter above. Where there is an equality too, the hash join is kept.
 */
export const containsJoin: Rule = {
  name: 'contains join',
  description: 'a join on contains(text, needle) uses a substring index',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'join' || plan.type !== 'inner' || plan.lookup) return undefined;
    const all = conjuncts(plan.on);
    if (all.some((conjunct) => isEquality(conjunct, plan.left, plan.right))) return undefined;
    const test = all.find((conjunct) => sides(conjunct, plan.left, plan.right) !== undefined);
    const found = test && sides(test, plan.left, plan.right);
    if (!test || !found) return undefined;
    const rest = all.filter((conjunct) => conjunct !== test);
    const labelled = new Set([...labelledColumns(plan.left), ...labelledColumns(plan.right)]);
    if (!readDisjoint([test, conjunction(rest)], labelled)) return undefined;
    const joined: LogicalPlan = { kind: 'contains', ...found };
    if (found.left === plan.left) return filtered(joined, rest);
    const columns = columnsOf(plan);
    return {
      kind: 'project',
      input: filtered(joined, rest),
      columns,
      expressions: columns.map(
        (column): Expression => ({ kind: 'column', id: column.id, type: column.type }),
      ),
    };
  },
};

interface ContainsSides {
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  readonly text: Expression;
  readonly needle: Expression;
}

/** The side of the text is the left one. */
function sides(conjunct: Expression, a: LogicalPlan, b: LogicalPlan): ContainsSides | undefined {
  if (conjunct.kind !== 'call' || conjunct.function !== contains) return undefined;
  const [text, needle] = conjunct.arguments;
  if (readsOnly(text, a) && readsOnly(needle, b)) return { left: a, right: b, text, needle };
  if (readsOnly(text, b) && readsOnly(needle, a)) return { left: b, right: a, text, needle };
  return undefined;
}

function isEquality(conjunct: Expression, a: LogicalPlan, b: LogicalPlan): boolean {
  if (conjunct.kind !== 'call' || conjunct.function !== equal) return false;
  const [x, y] = conjunct.arguments;
  return (readsOnly(x, a) && readsOnly(y, b)) || (readsOnly(x, b) && readsOnly(y, a));
}
