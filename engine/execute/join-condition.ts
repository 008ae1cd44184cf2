/** What a join's condition is made of: equalities between the sides, and the rest. */
import type { ColumnId, Expression } from '../expression.js';
import { equal } from '../operators/comparison.js';
import { columnsRead, conjunction, conjuncts } from '../traverse.js';

export interface JoinCondition {
  /** Equal pairs: an expression over the left, one over the right. */
  readonly keys: readonly (readonly [Expression, Expression])[];
  readonly rest: Expression | undefined;
}

export function splitCondition(
  on: Expression | undefined,
  left: ReadonlySet<ColumnId>,
  right: ReadonlySet<ColumnId>,
): JoinCondition {
  const keys: (readonly [Expression, Expression])[] = [];
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
): readonly [Expression, Expression] | undefined {
  if (conjunct.kind !== 'call' || conjunct.function !== equal) return undefined;
  const [a, b] = conjunct.arguments;
  // A date and a timestamp are in different units; let the comparison itself decide.
  const comparable = a.type === b.type || (isNumeric(a) && isNumeric(b));
  if (!comparable) return undefined;
  if (readsOnly(a, left) && readsOnly(b, right)) return [a, b];
  if (readsOnly(a, right) && readsOnly(b, left)) return [b, a];
  return undefined;
}

function isNumeric({ type }: Expression): boolean {
  return type === 'integer' || type === 'float';
}

function readsOnly(expression: Expression, side: ReadonlySet<ColumnId>): boolean {
  const ids = columnsRead(expression);
  return ids.size > 0 && [...ids].every((id) => side.has(id));
}
