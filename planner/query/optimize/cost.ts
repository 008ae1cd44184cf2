/** What evaluating an expression once costs, in comparisons of two numbers. */
import type { Expression } from '../../../engine/plan/expression.js';
import { operandsOf } from '../../../engine/plan/traverse-expression.js';

/** From here on (a call of a language model, for example) an evaluation is worth a join to avoid it. */
export const dear = 1000;

export function expressionCost(expression: Expression): number {
  const own =
    expression.kind === 'call' ? (expression.function.cost ?? 1) : expression.kind === 'cast' ? 1 : 0;
  return operandsOf(expression).reduce((sum, operand) => sum + expressionCost(operand), own);
}
