/**
 * A subquery that is a condition of its own in WHERE: a semi-join or an anti-join. Only rows where the whole
 * condition is true count, so an unknown may be read as false, except under NOT.
 */

import { call } from '../../../engine/operators/define.js';
import { equal, isTrue } from '../../../engine/operators/index.js';
import type { Expression } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { conjunction, substitute } from '../../../engine/plan/traverse-expression.js';
import { overBindings } from './over-bindings.js';
import { type PulledUp, pullUp } from './pull-up.js';

export type SubqueryExpression = Extract<Expression, { kind: 'subquery' }>;

/** The subquery of a conjunct that can become a join, and whether it stands under NOT. */
export function joinable(
  conjunct: Expression,
): { readonly subquery: SubqueryExpression; readonly negated: boolean } | undefined {
  const negated = conjunct.kind === 'not';
  const subquery = negated ? conjunct.argument : conjunct;
  return subquery.kind === 'subquery' && subquery.form !== 'scalar' ? { subquery, negated } : undefined;
}

/**
 * The rows of `input` for which the condition holds; undefined where it must be computed as a value instead.
 */
export function joinSubquery(
  input: LogicalPlan,
  subquery: SubqueryExpression,
  negated: boolean,
): LogicalPlan | undefined {
  const plan = subquery.form === 'exists' ? withoutLimit(subquery.plan) : subquery.plan;
  const pulled = pullUp(plan) ?? overBindings(input, plan);
  if (pulled.whenEmpty) return undefined;
  const column = subquery.form === 'exists' ? undefined : outputOf(pulled, subquery.plan);
  const { argument, comparison } = subquery;
  if (column === undefined || argument === undefined) {
    return join(input, pulled.plan, negated ? 'anti' : 'semi', pulled.conditions, false);
  }
  const test = call(comparison ?? equal, argument, column);
  switch (subquery.form) {
    case 'all': {
      // Every row compares true: none compares false, and under the plain form none compares unknown either.
      const fails: Expression = { kind: 'not', argument: test, type: 'boolean', place: subquery.place };
      return negated
        ? join(input, pulled.plan, 'semi', [...pulled.conditions, fails], false)
        : join(input, pulled.plan, 'anti', [...pulled.conditions.map(known), fails], true);
    }
    default:
      return negated
        ? join(input, pulled.plan, 'anti', [...pulled.conditions.map(known), test], true)
        : join(input, pulled.plan, 'semi', [...pulled.conditions, test], false);
  }
}

/** A condition on which rows the subquery has at all: unknown means "has not". */
function known(condition: Expression): Expression {
  return call(isTrue, condition);
}

/** The subquery's only column, over the columns of the pulled-up plan and of the enclosing query. */
export function outputOf(pulled: PulledUp, subquery: LogicalPlan): Expression {
  const [column] = columnsOf(subquery);
  return substitute({ kind: 'column', id: column.id, type: column.type }, pulled.computed);
}

function join(
  left: LogicalPlan,
  right: LogicalPlan,
  type: 'semi' | 'anti',
  conditions: readonly Expression[],
  nullAware: boolean,
): LogicalPlan {
  const on = conjunction(conditions);
  return { kind: 'join', type, left, right, ...(on ? { on } : {}), ...(nullAware ? { nullAware } : {}) };
}

/** EXISTS asks for one row, so ORDER BY and LIMIT of at least one are of no account. */
function withoutLimit(plan: LogicalPlan): LogicalPlan {
  if (plan.kind === 'sort') return withoutLimit(plan.input);
  if (plan.kind === 'project' && (plan.input.kind === 'sort' || plan.input.kind === 'limit')) {
    return { ...plan, input: withoutLimit(plan.input) };
  }
  if (plan.kind !== 'limit' || plan.offset !== null) return plan;
  const { limit } = plan;
  const positive = limit?.kind === 'literal' && Number(limit.value) >= 1;
  return positive ? withoutLimit(plan.input) : plan;
}
