/** What a join's condition is made of: equalities between the sides, and the rest. */

import { equal, isNotDistinctFrom } from '../../operators/comparison.js';
import { isTrue } from '../../operators/null.js';
import type { ColumnId, Expression } from '../../plan/expression.js';
import { columnsRead, conjunction, conjuncts } from '../../plan/traverse-expression.js';

/** An equal pair: an expression over the left, one over the right. */
export interface JoinKey {
  readonly left: Expression;
  readonly right: Expression;
  /** IS NOT DISTINCT FROM. */
  readonly nullsEqual: boolean;
}

export interface JoinCondition {
  readonly keys: readonly JoinKey[];
  readonly rest: Expression | undefined;
}

export function splitCondition(
  on: Expression | undefined,
  left: ReadonlySet<ColumnId>,
  right: ReadonlySet<ColumnId>,
): JoinCondition {
  const keys: JoinKey[] = [];
  const rest: Expression[] = [];
  for (const conjunct of conjuncts(on)) {
    const key = keyPair(conjunct, left, right);
    if (key === undefined) rest.push(conjunct);
    else keys.push(key);
  }
  return { keys, rest: conjunction(rest) };
}

function keyPair(
  conjunct: Expression,
  left: ReadonlySet<ColumnId>,
  right: ReadonlySet<ColumnId>,
): JoinKey | undefined {
  if (conjunct.kind !== 'call') return undefined;
  // As a condition of its own "(a = b) IS TRUE" keeps what "a = b" keeps.
  if (conjunct.function === isTrue) return keyPair(conjunct.arguments[0], left, right);
  const nullsEqual = conjunct.function === isNotDistinctFrom;
  if (conjunct.function !== equal && !nullsEqual) return undefined;
  const [a, b] = conjunct.arguments;
  // A date and a timestamp are in different units; let the comparison itself decide.
  const comparable = a.type === b.type || (isNumeric(a) && isNumeric(b));
  if (!comparable) return undefined;
  if (readsOnly(a, left) && readsOnly(b, right)) return { left: a, right: b, nullsEqual };
  if (readsOnly(a, right) && readsOnly(b, left)) return { left: b, right: a, nullsEqual };
  return undefined;
}

function isNumeric({ type }: Expression): boolean {
  return type === 'integer' || type === 'float';
}

function readsOnly(expression: Expression, side: ReadonlySet<ColumnId>): boolean {
  const ids = columnsRead(expression);
  return ids.size > 0 && [...ids].every((id) => side.has(id));
}
