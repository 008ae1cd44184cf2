/**
 * Compiles an expression to an evaluator of batches. A form has a vectorised path or falls back to the row
 * path (row.ts) as a whole, and both must give the same values.
 */

import { AssayError } from '../../semiring/message/error.js';
import { type Frame, frameColumn } from '../frame/frame.js';
import { add, multiply, subtract } from '../operators/arithmetic.js';
import {
  equal,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  mirrored,
  notEqual,
} from '../operators/comparison.js';
import { type ArithmeticKind, arithmeticEvaluator } from '../operators/kernel/arithmetic.js';
import { type ComparisonKind, comparisonEvaluator } from '../operators/kernel/comparison.js';
import { constantList, membershipEvaluator } from '../operators/kernel/membership.js';
import { isNotNull, isNull } from '../operators/null.js';
import type { ColumnId, Expression, ScalarFunction } from '../plan/expression.js';
import type { Evaluator } from '../value/chunk.js';
import type { Value } from '../value/value.js';
import { type Vector, valueAt } from '../value/vector.js';
import { columnEvaluator, constantEvaluator } from './column.js';
import { dictionaryEvaluator } from './dictionary.js';
import { logicEvaluator, notEvaluator, nullTestEvaluator } from './logic.js';
import { compileRow, parameterValue, type RowContext, type RowFunction } from './row.js';
import { rowEvaluator } from './row-evaluator.js';

const arithmetic: ReadonlyMap<ScalarFunction, ArithmeticKind> = new Map([
  [add, '+'],
  [subtract, '-'],
  [multiply, '*'],
]);

export const comparisons: ReadonlyMap<ScalarFunction, ComparisonKind> = new Map([
  [equal, '='],
  [notEqual, '<>'],
  [less, '<'],
  [lessOrEqual, '<='],
  [greater, '>'],
  [greaterOrEqual, '>='],
]);

/**
 * @param shared evaluators of columns, by id, for expressions that are run batch by batch together
 */
export function compile(
  expression: Expression,
  frame: Frame,
  parameters: readonly Value[],
  shared?: Map<ColumnId, Evaluator>,
): Evaluator {
  const { type } = expression;
  const sub = (operand: Expression): Evaluator => compile(operand, frame, parameters, shared);
  switch (expression.kind) {
    case 'column':
      return sharedColumn(expression.id, frame, shared);
    case 'literal':
      return constantEvaluator(expression.value, type);
    case 'parameter':
      return constantEvaluator(parameterValue(expression.index, parameters), type);
    case 'and':
    case 'or':
      return logicEvaluator(expression.kind, expression.arguments.map(sub), () =>
        rowPath(expression, frame, parameters),
      );
    case 'not':
      return notEvaluator(sub(expression.argument));
    case 'call': {
      const { function: fn, arguments: operands } = expression;
      if (fn === isNull || fn === isNotNull) return nullTestEvaluator(sub(operands[0]), fn === isNull);
      const sum = arithmetic.get(fn);
      if (sum !== undefined && operands.length === 2 && operands.every(isPlainNumber)) {
        return arithmeticEvaluator(sum, sub(operands[0]), sub(operands[1]), type, fn);
      }
      const word = dictionaryPath(expression, frame, parameters);
      if (word !== undefined) return word;
      const kind = comparisons.get(fn);
      if (kind !== undefined) return comparison(kind, fn, operands, sub);
      const list = constantList(expression, (index) => parameterValue(index, parameters));
      if (list !== undefined) return membershipEvaluator(sub(operands[0]), list);
      break;
    }
    default:
  }
  return dictionaryPath(expression, frame, parameters) ?? rowPath(expression, frame, parameters);
}

function sharedColumn(id: ColumnId, frame: Frame, shared: Map<ColumnId, Evaluator> | undefined): Evaluator {
  const known = shared?.get(id);
  if (known !== undefined) return known;
  const evaluator = columnEvaluator(columnIn(frame, id));
  shared?.set(id, evaluator);
  return evaluator;
}

function isPlainNumber(operand: Expression): boolean {
  return operand.type === 'integer' || operand.type === 'float';
}

function comparison(
  kind: ComparisonKind,
  fn: ScalarFunction,
  operands: readonly Expression[],
  sub: (operand: Expression) => Evaluator,
): Evaluator {
  const [left, right] = operands.map(sub);
  const types = operands.map((operand) => operand.type);
  if (left.constant !== undefined && right.constant === undefined) {
    const turned = mirrored.get(fn) ?? fn;
    return comparisonEvaluator(comparisons.get(turned) ?? kind, right, left, [types[1], types[0]], turned);
  }
  return comparisonEvaluator(kind, left, right, types, fn);
}

/** An expression over a single dictionary-coded column is evaluated once a word, not once a row. */
function dictionaryPath(
  expression: Expression,
  frame: Frame,
  parameters: readonly Value[],
): Evaluator | undefined {
  const id = onlyColumn(expression);
  if (id === undefined) return undefined;
  const column = columnIn(frame, id);
  if (column.vector.form !== 'dictionary' || column.vector.words.length > frame.rows) return undefined;
  const { words } = column.vector;
  const evaluate = compileRow(expression, {
    parameters,
    column: () => (code) => (code < 0 ? null : words[code]),
  });
  return dictionaryEvaluator(expression.type, columnEvaluator(column), words.length, evaluate);
}

/** The one column that an expression reads; undefined where there is none or more than one. */
function onlyColumn(expression: Expression): number | undefined {
  let only: number | undefined;
  const visit = (node: Expression): boolean => {
    switch (node.kind) {
      case 'column':
        if (only !== undefined && only !== node.id) return false;
        only = node.id;
        return true;
      case 'call':
      case 'and':
      case 'or':
        return node.arguments.every(visit);
      case 'not':
      case 'cast':
        return visit(node.argument);
      case 'case':
        return node.branches.every(({ when, then }) => visit(when) && visit(then)) && visit(node.otherwise);
      case 'subquery':
        return false;
      default:
        return true;
    }
  };
  return visit(expression) ? only : undefined;
}

function rowPath(expression: Expression, frame: Frame, parameters: readonly Value[]): Evaluator {
  return rowEvaluator(expression.type, compileOverFrame(expression, frame, parameters));
}

/** The expression as a function of the frame's row number. */
export function compileOverFrame(
  expression: Expression,
  frame: Frame,
  parameters: readonly Value[],
): RowFunction {
  const context: RowContext = {
    parameters,
    column(id) {
      const { vector, selection } = columnIn(frame, id);
      return readRow(vector, selection?.resolve() ?? null);
    },
  };
  return compileRow(expression, context);
}

function readRow(vector: Vector, index: Int32Array | null): RowFunction {
  return index === null ? (row) => valueAt(vector, row) : (row) => valueAt(vector, index[row]);
}

function columnIn(frame: Frame, id: number) {
  const column = frameColumn(frame, id);
  if (column !== undefined) return column;
  throw new AssayError(
    'engine/unbound-column',
    `column ${id} is not available here: the plan is not well formed`,
  );
}
