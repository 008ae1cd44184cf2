import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf } from '../../../../engine/plan/plan.js';
import { substitute } from '../../../../engine/plan/traverse-expression.js';
import { dear, expressionCost } from '../cost.js';
import type { Rule } from '../rule.js';

/** σp(A ∪ B) = σp(A) ∪ σp(B): every row keeps its annotation and its cells. */
export const pushFilterThroughUnion: Rule = {
  name: 'push filter through union',
  description: 'a filter is evaluated in every branch of a UNION ALL',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'union' || expressionCost(plan.predicate) >= dear)
      return undefined;
    const union = plan.input;
    const inputs = union.inputs.map((input) => {
      const columns = columnsOf(input);
      const by = new Map<ColumnId, Expression>(
        union.columns.map((column, i) => [
          column.id,
          { kind: 'column', id: columns[i].id, type: column.type },
        ]),
      );
      return { kind: 'filter' as const, input, predicate: substitute(plan.predicate, by) };
    });
    return { ...union, inputs };
  },
};
