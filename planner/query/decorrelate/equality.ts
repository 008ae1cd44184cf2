/** Conditions of the form "inner expression = outer expression": the only ones that pass a grouping. */

import { equal, isNotDistinctFrom } from '../../../engine/operators/comparison.js';
import type { ColumnId, Expression } from '../../../engine/plan/expression.js';
import { columnsRead } from '../../../engine/plan/traverse-expression.js';

export interface CorrelatedEquality {
  readonly inner: Expression;
  /** The same condition with another inner side. */
  remake(inner: Expression): Expression;
}

export function reads(expression: Expression, columns: ReadonlySet<ColumnId>): boolean {
  for (const id of columnsRead(expression)) if (columns.has(id)) return true;
  return false;
}

function readsOnly(expression: Expression, columns: ReadonlySet<ColumnId>): boolean {
  for (const id of columnsRead(expression)) if (!columns.has(id)) return false;
  return true;
}

/** @param outer the columns of the enclosing query */
export function correlatedEquality(
  condition: Expression,
  outer: ReadonlySet<ColumnId>,
): CorrelatedEquality | undefined {
  if (
    condition.kind === 'call' &&
    (condition.function === equal || condition.function === isNotDistinctFrom)
  ) {
    const [a, b] = condition.arguments;
    if (readsOnly(b, outer) && !reads(a, outer)) {
      return { inner: a, remake: (inner) => ({ ...condition, arguments: [inner, b] }) };
    }
    if (readsOnly(a, outer) && !reads(b, outer)) {
      return { inner: b, remake: (inner) => ({ ...condition, arguments: [a, inner] }) };
    }
  }
  return undefined;
}
