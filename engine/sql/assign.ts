/** Values brought to the type of the column that they are assigned to, as INSERT and DEFAULT do. */

import { visibleText } from '../../semiring/message/visible-text.js';
import { canCast } from '../operators/cast.js';
import type { Expression } from '../plan/expression.js';
import type { Type } from '../value/value.js';
import { coerce } from './coerce.js';
import type { BindContext } from './context.js';

/** @throws {SqlError} `sql/type` where only a CAST that is written would do */
export function assigned(
  context: BindContext,
  expression: Expression,
  column: { readonly name: string; readonly type: Type },
): Expression {
  const { type } = column;
  if (!isAssignable(expression.type, type) && !context.untyped.has(expression)) {
    throw context.error(
      'type',
      `column ${visibleText(column.name)} is ${type}, the value is ${expression.type}`,
      expression.place ?? { offset: 0 },
      { hint: canCast(expression.type, type) ? `write CAST(… AS ${type})` : undefined },
    );
  }
  return coerce(context, expression, type);
}

/** What is converted by itself. */
function isAssignable(from: Type, to: Type): boolean {
  if (from === to || from === 'null' || to === 'text') return true;
  const pair = `${from} ${to}`;
  return ['integer float', 'float integer', 'date timestamp', 'timestamp date'].includes(pair);
}
