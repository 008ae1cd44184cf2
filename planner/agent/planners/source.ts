/**
 * Where the text of a known argument comes from, for planners that know a task's calls but not which result an
 * argument was read from. The one thing to know: it is a rule for counting, not a proof; text that was computed
 * from hidden data, and is no verbatim part of it, passes as the planner's own.
 */
import type { Session } from '../session.js';
import type { Variable } from '../session-state.js';
import { textOf } from '../variables.js';

export type Source =
  /** The planner may write it: it saw it, the user said it, or it composed it. */
  | { readonly kind: 'literal' }
  /** The value of a hidden variable, whole. */
  | { readonly kind: 'variable'; readonly variable: Variable }
  /** A part of a hidden variable's value. */
  | { readonly kind: 'part'; readonly variable: Variable };

/**
 * Equal to a leaf that the planner sees, or a whole word of the prompt: literal. Contained in a hidden leaf: that
 * variable, of several the one with most readers. Otherwise composed by the planner: literal.
 */
export function sourceOf(session: Session, value: unknown): Source {
  const { state } = session;
  if (state.hidden.size === 0 || (typeof value !== 'string' && typeof value !== 'number'))
    return { kind: 'literal' };
  const text = textOf(value);
  if (text === '' || state.prompts.some((prompt) => holdsWord(prompt, text))) return { kind: 'literal' };
  if (state.cells.some((cell) => cell.shown !== undefined && equalsLeaf(cell.value, text)))
    return { kind: 'literal' };
  let best: Variable | undefined;
  for (const name of state.hidden) {
    const variable = session.variable(name);
    if (!textOf(variable.value).includes(text)) continue;
    if (best === undefined || readerCount(variable) > readerCount(best)) best = variable;
  }
  if (best === undefined) return { kind: 'literal' };
  return { kind: textOf(best.value) === text ? 'variable' : 'part', variable: best };
}

/** A leaf that is a list shows each of its items. */
function equalsLeaf(leaf: unknown, text: string): boolean {
  return Array.isArray(leaf) ? leaf.some((item) => textOf(item) === text) : textOf(leaf) === text;
}

function readerCount(variable: Variable): number {
  const { readers } = variable.cell.label;
  return readers === 'everyone' ? Number.POSITIVE_INFINITY : readers.size;
}

/** Whether `word` stands in `text` with no letter or digit next to it. */
export function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    const after = text.slice(at + word.length, at + word.length + 1);
    if (!isWordCharacter(before) && !isWordCharacter(after)) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
