/**
 * Evaluation value by value: the general path, and the definition of what every fast path must answer. CASE,
 * COALESCE, AND and OR evaluate no further than they must, so `CASE WHEN b <> 0 THEN a / b END` never divides
 * by zero.
 */
import { AssayError } from '../../semiring/message/error.js';
import { castValue } from '../operators/cast.js';
import { constantList, isMember } from '../operators/kernel/membership.js';
import { coalesce } from '../operators/null.js';
import type { ColumnId, Expression } from '../plan/expression.js';
import type { Type, Value } from '../value/value.js';

/** The value for one row. */
export type RowFunction = (row: number) => Value;

/** What a column is: a function of the row of the frame. */
export interface RowContext {
  column(id: ColumnId): RowFunction;
  readonly parameters: readonly Value[];
}

export function compileRow(expression: Expression, context: RowContext): RowFunction {
  switch (expression.kind) {
    case 'column':
      return context.column(expression.id);
    case 'literal': {
      const { value } = expression;
      return () => value;
    }
    case 'parameter': {
      const value = parameterValue(expression.index, context.parameters);
      return () => value;
    }
    case 'call':
      return expression.function === coalesce
        ? compileCoalesce(expression.arguments, expression.type, context)
        : (compileMembership(expression, context) ?? compileCall(expression, context));
    case 'and':
    case 'or': {
      const operands = expression.arguments.map((operand) => compileRow(operand, context));
      const decisive = expression.kind === 'or';
      return (row) => {
        let unknown = false;
        for (const operand of operands) {
          const value = operand(row);
          if (value === decisive) return decisive;
          if (value === null) unknown = true;
        }
        return unknown ? null : !decisive;
      };
    }
    case 'not': {
      const operand = compileRow(expression.argument, context);
      return (row) => {
        const value = operand(row);
        return value === null ? null : value !== true;
      };
    }
    case 'case': {
      const branches = expression.branches.map(({ when, then }) => ({
        when: compileRow(when, context),
        result: converted(then, expression.type, context),
      }));
      const otherwise = converted(expression.otherwise, expression.type, context);
      return (row) => {
        for (const { when, result } of branches) if (when(row) === true) return result(row);
        return otherwise(row);
      };
    }
    case 'cast': {
      const { argument, type } = expression;
      const operand = compileRow(argument, context);
      return (row) => castValue(operand(row), argument.type, type);
    }
    case 'subquery':
      throw new AssayError(
        'engine/subquery',
        'a subquery inside an expression must be decorrelated before it is executed',
      );
  }
}

export function parameterValue(index: number, parameters: readonly Value[]): Value {
  if (index < parameters.length) return parameters[index];
  throw new AssayError(
    'engine/missing-parameter',
    `no value for parameter $${index + 1}: ${parameters.length} given`,
  );
}

function compileCall(expression: Extract<Expression, { kind: 'call' }>, context: RowContext): RowFunction {
  const fn = expression.function;
  const types = expression.arguments.map((operand) => operand.type);
  const operands = expression.arguments.map((operand) => compileRow(operand, context));
  const strict = fn.strict !== false;
  return (row) => {
    const values: Value[] = [];
    for (const operand of operands) {
      const value = operand(row);
      if (strict && value === null) return null;
      values.push(value);
    }
    return fn.evaluate(values, types);
  };
}

/** IN of a list of constants, which are not evaluated again for every row. */
function compileMembership(
  expression: Extract<Expression, { kind: 'call' }>,
  context: RowContext,
): RowFunction | undefined {
  const list = constantList(expression, (index) => parameterValue(index, context.parameters));
  if (list === undefined) return undefined;
  const subject = compileRow(expression.arguments[0], context);
  return (row) => isMember(subject(row), list);
}

function compileCoalesce(operands: readonly Expression[], type: Type, context: RowContext): RowFunction {
  const functions = operands.map((operand) => converted(operand, type, context));
  return (row) => {
    for (const operand of functions) {
      const value = operand(row);
      if (value !== null) return value;
    }
    return null;
  };
}

/** The expression's value as one of the wider type `to`. */
function converted(expression: Expression, to: Type, context: RowContext): RowFunction {
  const operand = compileRow(expression, context);
  const from = expression.type;
  if (from === to || from === 'null' || to === 'null') return operand;
  return (row) => castValue(operand(row), from, to);
}
