/**
 * Where the text of a known argument comes from, for planners that know a task's calls but not which result
 * an argument was read from. It is a rule for counting, not a proof; text that was computed from hidden data,
 * and is no verbatim part of it, passes as the planner's own.
 */
import { copies } from '../explain/copies.js';
import type { Session } from '../session/session.js';
import type { SessionRelations } from '../session/session-relations.js';
import type { Cell, Variable } from '../session/session-state.js';
import { textOf } from '../session/variables.js';

export type Source =
  /** The planner may write it: it saw it, the user said it, or it composed it. */
  | { readonly kind: 'literal' }
  /** The value of a hidden variable, whole. */
  | { readonly kind: 'variable'; readonly variable: Variable }
  /** A part of a hidden variable's value. */
  | { readonly kind: 'part'; readonly variable: Variable };

/**
 * The source of each text. Equal to a leaf that the planner sees, or a whole word of the prompt: literal.
 * Contained in a hidden leaf: that variable, of several the one with most readers. Otherwise composed by the
 * planner: literal.
 */
export function sourcesOf(
  session: Session,
  relations: SessionRelations,
  texts: readonly string[],
): ReadonlyMap<string, Source> {
  const { state } = session;
  const sources = new Map<string, Source>();
  const unsaid = texts.filter((text) => !state.prompts.some((prompt) => holdsWord(prompt, text)));
  if (state.hidden.size === 0 || unsaid.length === 0) return sources;
  const hidden = new Map(
    [...state.hidden].map((name) => [session.variable(name).cell, session.variable(name)]),
  );
  for (const [text, cells] of copies(state, relations, unsaid)) {
    if (cells.some((cell) => cell.shown !== undefined && equalsLeaf(cell, text))) continue;
    const variables = cells.flatMap((cell) => hidden.get(cell) ?? []);
    if (variables.length === 0) continue;
    const variable = variables.reduce((best, each) => (readerCount(each) > readerCount(best) ? each : best));
    sources.set(text, { kind: textOf(variable.value) === text ? 'variable' : 'part', variable });
  }
  return sources;
}

/** A leaf that is a list shows each of its items. */
function equalsLeaf({ value }: Cell, text: string): boolean {
  return Array.isArray(value) ? value.some((item) => textOf(item) === text) : textOf(value) === text;
}

function readerCount(variable: Variable): number {
  const { readers } = variable.cell.label;
  return readers === 'everyone' ? Number.POSITIVE_INFINITY : readers.size;
}

/** Whether `word` stands in `text` with no letter or digit next to it. */
export function holdsWord(text: string, word: string): boolean {
  if (word === '') return true;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = at === 0 ? '' : text[at - 1];
    const after = text[at + word.length] ?? '';
    if (!isWordCharacter(before) && !isWordCharacter(after)) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
