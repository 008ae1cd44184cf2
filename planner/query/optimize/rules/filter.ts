/** Parts that the filter rules share. */
import type { Expression } from '../../../../engine/plan/expression.js';
import type { LogicalPlan } from '../../../../engine/plan/plan.js';
import { columnsRead, conjunction } from '../../../../engine/plan/traverse-expression.js';
import { columnIdsOf } from '../../../../engine/plan/traverse-plan.js';

export function filtered(input: LogicalPlan, predicates: readonly Expression[]): LogicalPlan {
  const predicate = conjunction(predicates);
  return predicate ? { kind: 'filter', input, predicate } : input;
}

/** Whether the expression reads columns of this plan and of no other. */
export function readsOnly(expression: Expression, plan: LogicalPlan): boolean {
  const own = columnIdsOf(plan);
  const read = columnsRead(expression);
  if (read.size === 0) return false;
  for (const id of read) if (!own.has(id)) return false;
  return true;
}

/** Splits by a test, keeping the order. */
export function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}
