/** DISTINCT ON: the first row of each set of rows that are equal in some expressions. */
import type { Node, SelectStmt } from 'libpg-query';
import type { Expression } from '../../plan/expression.js';
import type { LogicalPlan } from '../../plan/plan.js';
import { equalExpressions } from '../../plan/traverse-expression.js';
import type { BindContext } from '../context.js';

const one: Expression = { kind: 'literal', value: 1, type: 'integer' };

/** The first row of those that are equal in `by`. */
export function firstOfEach(input: LogicalPlan, by: readonly Expression[]): LogicalPlan {
  return { kind: 'limit', input, limit: one, offset: null, by };
}

/** The expressions of DISTINCT ON; none for DISTINCT. */
export function distinctOn(select: SelectStmt): readonly Node[] {
  return (select.distinctClause ?? []).filter((node) => Object.keys(node).length > 0);
}

/** DISTINCT ON keeps the first of rows that are equal in `by`, so the order must begin with these. */
export function checkOrderOn(
  by: readonly Expression[],
  keys: readonly Expression[],
  context: BindContext,
): void {
  const wanted = [...by];
  for (const key of keys) {
    if (wanted.length === 0) return;
    if (!by.some((expression) => equalExpressions(expression, key))) {
      throw context.error(
        'grouping',
        'ORDER BY must begin with the expressions of DISTINCT ON',
        key.place ?? { offset: 0 },
      );
    }
    const at = wanted.findIndex((expression) => equalExpressions(expression, key));
    if (at >= 0) wanted.splice(at, 1);
  }
}
