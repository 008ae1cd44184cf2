import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type Join } from '../../../../engine/plan/plan.js';
import { conjuncts } from '../../../../engine/plan/traverse-expression.js';
import type { Rule } from '../rule.js';

/**
 * σp(L ⟕ R) = σp(L ⋈ R) where p cannot be true for a row of NULLs on R's side: the filter drops exactly the
 * rows that the outer join adds, and the matched rows have the inner join's annotation.
 */
export const outerToInner: Rule = {
  name: 'outer join to inner join',
  description: 'a filter that no NULL-extended row passes makes an outer join an inner one',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'join') return undefined;
    const join = plan.input;
    const type = narrower(join, plan.predicate);
    return type === join.type ? undefined : { ...plan, input: { ...join, type } };
  },
};

function narrower(join: Join, predicate: Expression): Join['type'] {
  if (join.type !== 'left' && join.type !== 'right' && join.type !== 'full') return join.type;
  const rejects = (side: Join['left']) => {
    const ids = new Set(columnsOf(side).map((column) => column.id));
    return conjuncts(predicate).some((conjunct) => neverTrue(conjunct, ids));
  };
  // Rows that lack the left side come from the right one, and the reverse.
  const keepsRightUnmatched = join.type !== 'left' && !rejects(join.left);
  const keepsLeftUnmatched = join.type !== 'right' && !rejects(join.right);
  if (keepsLeftUnmatched && keepsRightUnmatched) return 'full';
  if (keepsLeftUnmatched) return 'left';
  return keepsRightUnmatched ? 'right' : 'inner';
}

/** Surely not true (false or NULL) where the columns are NULL. */
function neverTrue(expression: Expression, nulls: ReadonlySet<ColumnId>): boolean {
  if (surelyNull(expression, nulls)) return true;
  switch (expression.kind) {
    case 'literal':
      return expression.value !== true;
    case 'and':
      return expression.arguments.some((operand) => neverTrue(operand, nulls));
    case 'or':
      return expression.arguments.every((operand) => neverTrue(operand, nulls));
    case 'call': {
      const [operand] = expression.arguments;
      const { rejects } = expression.function;
      if (operand === undefined || rejects === undefined) return false;
      return rejects === 'null' ? surelyNull(operand, nulls) : neverTrue(operand, nulls);
    }
    default:
      return false;
  }
}

/** Surely NULL where the columns are. */
function surelyNull(expression: Expression, nulls: ReadonlySet<ColumnId>): boolean {
  switch (expression.kind) {
    case 'column':
      return nulls.has(expression.id);
    case 'literal':
      return expression.value === null;
    case 'call':
      return (
        expression.function.strict !== false &&
        expression.arguments.some((operand) => surelyNull(operand, nulls))
      );
    case 'not':
    case 'cast':
      return surelyNull(expression.argument, nulls);
    default:
      return false;
  }
}
