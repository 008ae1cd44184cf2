/** The inner join on "text contains needle": annL · annR · P(text, needle). */
import { compile } from '../evaluate/compile.js';
import { materialise } from '../evaluate/materialise.js';
import type { Frame } from '../frame/frame.js';
import { call } from '../operators/define.js';
import { contains } from '../operators/text.js';
import type { Expression } from '../plan/expression.js';
import type { Contains } from '../plan/plan.js';
import { valueAt } from '../value/vector.js';
import { type Context, checkAborted } from './context.js';
import { paired } from './join/paired.js';
import { SubstringIndex } from './substring-index.js';

export function containsJoin({ text, needle }: Contains, left: Frame, right: Frame, context: Context): Frame {
  const { arena, signal } = context;
  checkAborted(signal);
  const texts = textsOf(text, left, context);
  const index = new SubstringIndex(textsOf(needle, right, context), texts);
  const pairs = index.pairs(texts, arena);
  return paired({ left, right, on: call(contains, text, needle), pairs }, context);
}

/**
 * The text of each row; null for NULL. Words of a dictionary are looked up and plain text is taken as it is.
 */
function textsOf(
  expression: Expression,
  frame: Frame,
  { arena, parameters }: Context,
): readonly (string | null)[] {
  const vector = materialise(compile(expression, frame, parameters), null, frame.rows, arena);
  const texts: (string | null)[] = new Array(frame.rows);
  if (vector.form === 'dictionary' && vector.nulls === null) {
    const { data, words } = vector;
    for (let i = 0; i < texts.length; i++) texts[i] = words[data[i]];
  } else {
    for (let i = 0; i < texts.length; i++) {
      const value = valueAt(vector, i);
      texts[i] = value === null || typeof value === 'string' ? value : String(value);
    }
  }
  return texts;
}
