import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../../engine/plan/plan.js';
import { columnsRead, conjuncts, substitute } from '../../../../engine/plan/traverse-expression.js';
import { dear, expressionCost } from '../cost.js';
import { labelledColumns, readsLabelled } from '../labelled.js';
import type { Rule } from '../rule.js';
import { filtered, partition } from './filter.js';
import { staysSmall } from './growth.js';

/**
 * Filters on what a grouping groups by choose among whole groups, so they may choose among the rows: through
 * GROUP BY (on keys), DISTINCT, and to the left side of EXCEPT and INTERSECT (not ALL). Above, the key's
 * cells are 1; below, a cell-labelled column would be multiplied once more, so such columns do not move.
 */
export const pushFilterThroughGrouping: Rule = {
  name: 'push filter through grouping',
  description: 'a filter on grouping keys is evaluated before the grouping',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter') return undefined;
    const target = groupingInput(plan.input);
    if (!target) return undefined;
    const labelled = labelledColumns(target.input);
    const [movable, rest] = partition(conjuncts(plan.predicate), (predicate) => {
      const read = [...columnsRead(predicate)];
      if (read.length === 0 || expressionCost(predicate) >= dear || !staysSmall(predicate, target.made))
        return false;
      return read.every((id) => {
        const expression = target.made.get(id);
        return (
          expression !== undefined &&
          !readsLabelled(expression, labelled) &&
          expressionCost(expression) < dear
        );
      });
    });
    if (movable.length === 0) return undefined;
    const below = filtered(
      target.input,
      movable.map((predicate) => substitute(predicate, target.made)),
    );
    return filtered(target.over(below), rest);
  },
};

interface GroupingInput {
  readonly input: LogicalPlan;
  /** What the output columns are over the input. */
  readonly made: ReadonlyMap<ColumnId, Expression>;
  over(input: LogicalPlan): LogicalPlan;
}

function groupingInput(plan: LogicalPlan): GroupingInput | undefined {
  switch (plan.kind) {
    case 'aggregate':
      return {
        input: plan.input,
        made: new Map(plan.keys.map((key) => [key.column.id, key.expression])),
        over: (input) => ({ ...plan, input }),
      };
    case 'distinct':
      return {
        input: plan.input,
        made: byPosition(plan, plan.input),
        over: (input) => ({ ...plan, input }),
      };
    case 'except':
    case 'intersect':
      if (plan.all) return undefined;
      return { input: plan.left, made: byPosition(plan, plan.left), over: (left) => ({ ...plan, left }) };
    default:
      return undefined;
  }
}

function byPosition(plan: LogicalPlan, input: LogicalPlan): ReadonlyMap<ColumnId, Expression> {
  const below = columnsOf(input);
  return new Map(
    columnsOf(plan).map((column, i): [ColumnId, Expression] => [
      column.id,
      { kind: 'column', id: below[i].id, type: below[i].type },
    ]),
  );
}
