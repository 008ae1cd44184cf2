/**
 * SQL's evaluation of one row, written out: what it comes to, and which questions it asks on the way. CASE
 * and COALESCE go from left to right, AND and OR from what asks least to what asks most, each no further than
 * it must.
 */

import { castValue } from '../../../engine/operators/cast.js';
import { coalesce } from '../../../engine/operators/null.js';
import type { Expression } from '../../../engine/plan/expression.js';
import { operandsOf } from '../../../engine/plan/traverse-expression.js';
import type { Value } from '../../../engine/value/value.js';
import { type AskCall, isAskCall } from '../../../udf/ask/ask-function.js';

export interface RowByRow {
  value(column: Expression): Value;
  /** Told of every question; @param data the question and the cells */
  ask(call: AskCall, data: readonly Value[]): Value;
  /** Whether a strict function asks nothing once one of its operands that ask nothing is NULL. */
  readonly nullStops: boolean;
}

export function asksIn(expression: Expression): number {
  return (
    (isAskCall(expression) ? 1 : 0) + operandsOf(expression).reduce((sum, inner) => sum + asksIn(inner), 0)
  );
}

export function evaluateRow(expression: Expression, row: RowByRow): Value {
  const of = (inner: Expression): Value => evaluateRow(inner, row);
  const as = (inner: Expression): Value => {
    const value = of(inner);
    return inner.type === expression.type || value === null
      ? value
      : castValue(value, inner.type, expression.type);
  };
  switch (expression.kind) {
    case 'column':
      return row.value(expression);
    case 'literal':
      return expression.value;
    case 'not': {
      const value = of(expression.argument);
      return value === null ? null : !value;
    }
    case 'cast': {
      const value = of(expression.argument);
      return value === null ? null : castValue(value, expression.argument.type, expression.type);
    }
    case 'case':
      for (const { when, then } of expression.branches) if (of(when) === true) return as(then);
      return as(expression.otherwise);
    case 'and':
    case 'or': {
      let unknown = false;
      for (const operand of [...expression.arguments].sort((a, b) => asksIn(a) - asksIn(b))) {
        const value = of(operand);
        if (value === (expression.kind === 'or')) return value;
        unknown ||= value === null;
      }
      return unknown ? null : expression.kind === 'and';
    }
    case 'call': {
      const { function: fn, arguments: operands } = expression;
      if (isAskCall(expression)) return row.ask(expression, operands.slice(0, -1).map(of));
      if (fn === coalesce) {
        for (const operand of operands) {
          const value = as(operand);
          if (value !== null) return value;
        }
        return null;
      }
      const strict = fn.strict !== false;
      const cheap = operands.map((operand) => (asksIn(operand) === 0 ? of(operand) : undefined));
      if (strict && row.nullStops && cheap.includes(null)) return null;
      const values = operands.map((operand, i) => (cheap[i] === undefined ? of(operand) : cheap[i]));
      if (strict && values.includes(null)) return null;
      return fn.evaluate(
        values,
        operands.map((operand) => operand.type),
      );
    }
    default:
      throw new Error(`no ${expression.kind} here`);
  }
}
