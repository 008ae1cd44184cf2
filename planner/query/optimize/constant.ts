/** Evaluating expressions that read nothing, while planning. */
import { compileRow } from '../../../engine/evaluate/row.js';
import type { Expression } from '../../../engine/plan/expression.js';
import { operandsOf } from '../../../engine/plan/traverse-expression.js';
import type { Type, Value } from '../../../engine/value/value.js';

/** Whether an expression has one value for the whole query, known before any row is read. */
export function isConstant(expression: Expression): boolean {
  if (expression.kind === 'column' || expression.kind === 'parameter' || expression.kind === 'subquery')
    return false;
  return operandsOf(expression).every(isConstant);
}

/**
 * The literal that a constant expression comes to. An expression that reads something, or whose evaluation
 * fails (that error belongs to the run, if it is ever reached), has none.
 */
export function foldConstant(expression: Expression): Expression | undefined {
  if (expression.kind === 'literal') return expression;
  if (!isConstant(expression)) return undefined;
  try {
    const value = compileRow(expression, { column: () => () => null, parameters: [] })(0);
    return literal(value, expression.type, expression.place);
  } catch {
    return undefined;
  }
}

export function literal(value: Value, type: Type, place?: Expression['place']): Expression {
  return { kind: 'literal', value, type, ...(place ? { place } : {}) };
}

export function isLiteral(expression: Expression, value: Value): boolean {
  return expression.kind === 'literal' && expression.value === value;
}
