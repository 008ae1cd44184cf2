import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsRead, conjuncts, substitute } from '../../../../engine/plan/traverse-expression.js';
import { dear, expressionCost } from '../cost.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered, partition } from './filter.js';
import { staysSmall } from './growth.js';

/**
 * σp(π(R)) = π(σ(p over the projected expressions)(R)). A labelled column that two of the expressions read
 * would count once instead of twice, so p must read it through one of them. Dear expressions are not computed
 * twice.
 */
export const pushFilterThroughProject: Rule = {
  name: 'push filter through projection',
  description: 'a filter is evaluated before a projection',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'project') return undefined;
    const project = plan.input;
    const labelled = labelledColumns(project.input);
    const made = new Map<ColumnId, Expression>(
      project.columns.map((column, i) => [column.id, project.expressions[i]]),
    );
    const read = (predicate: Expression) => [...columnsRead(predicate)].map((id) => made.get(id));
    const all = conjuncts(plan.predicate);
    // The whole predicate counts as one reading, so it moves as a whole where it reads labelled columns.
    if (!readDisjoint([...new Set(all.flatMap(read))], labelled)) return undefined;
    const [movable, rest] = partition(
      all,
      (predicate) =>
        read(predicate).every(
          (expression) => expression !== undefined && expressionCost(expression) < dear,
        ) && staysSmall(predicate, made),
    );
    if (movable.length === 0) return undefined;
    if (rest.length > 0 && !readDisjoint([...movable, ...rest], labelledColumns(project))) return undefined;
    const below = filtered(
      project.input,
      movable.map((predicate) => substitute(predicate, made)),
    );
    return filtered({ ...project, input: below }, rest);
  },
};
