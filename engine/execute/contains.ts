/** The inner join on "text contains needle": annL · annR · P(text, needle). */
import { compile } from '../evaluate/compile.js';
import { materialise } from '../evaluate/materialise.js';
import type { Expression } from '../expression.js';
import type { Frame } from '../frame.js';
import { call } from '../operators/define.js';
import { contains } from '../operators/text.js';
import type { Contains } from '../plan.js';
import { SubstringIndex } from '../substring-index.js';
import { valueAt } from '../vector.js';
import { type Context, checkAborted } from './context.js';
import { paired } from './join.js';

export function containsJoin({ text, needle }: Contains, left: Frame, right: Frame, context: Context): Frame {
  const { arena, signal } = context;
  checkAborted(signal);
  const texts = textsOf(text, left, context);
  const index = new SubstringIndex(textsOf(needle, right, context), texts);
  const pairs = index.pairs(texts, arena);
  return paired(pairs, left, right, call(contains, text, needle), context);
}

/** The text of each row; null for NULL. */
function textsOf(expression: Expression, frame: Frame, { arena, parameters }: Context): (string | null)[] {
  const vector = materialise(compile(expression, frame, parameters), null, frame.rows, arena);
  return Array.from({ length: frame.rows }, (_, i) => {
    const value = valueAt(vector, i);
    return value === null ? null : String(value);
  });
}
