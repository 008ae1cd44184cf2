/**
 * Words of a text of SQL and their places, for what the syntax tree has no location of. Strings, quoted names
 * and comments are passed over whole, so a word in them is none.
 */
import type { SqlSource } from './source.js';

interface Word {
  /** Lower case; a single character where it is no name. */
  readonly text: string;
  readonly offset: number;
}

const dollarQuote = /\$(?:[A-Za-z_][A-Za-z_0-9]*)?\$/y;
const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;

export function* wordsOf(text: string, from: number): Generator<Word> {
  let at = from;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const end = endOfPassed(text, at);
    if (end > at) {
      at = end;
      continue;
    }
    const quote = match(dollarQuote);
    if (quote !== undefined) {
      at = after(text, quote, at + quote.length);
      continue;
    }
    const found = match(word) ?? text[at];
    yield { text: found.toLowerCase(), offset: at };
    at += found.length;
  }
}

/** The end of the blank, comment, string or quoted name that begins at `at`; `at` where none does. */
function endOfPassed(text: string, at: number): number {
  const character = text[at];
  if (character <= ' ') return at + 1;
  if (text.startsWith('--', at)) return after(text, '\n', at);
  if (text.startsWith('/*', at)) return endOfComment(text, at);
  // A doubled quote ends one string and begins the next, which comes to the same.
  if (character === "'" || character === '"') return after(text, character, at + 1);
  if ((character === 'e' || character === 'E') && text[at + 1] === "'") return endOfEscaped(text, at + 2);
  return at;
}

function endOfEscaped(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === "'") return at + 1;
  }
  return text.length;
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}

/** Comments nest. */
function endOfComment(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const two = text.slice(at, at + 2);
    if (two === '/*') depth++;
    else if (two === '*/' && --depth === 0) return at + 2;
    if (two === '/*' || two === '*/') at++;
  }
  return text.length;
}

/** The places of every word of a text, in order: a long text is asked once for each of its set operations. */
const placesOf = new WeakMap<SqlSource, ReadonlyMap<string, readonly number[]>>();

function places(source: SqlSource): ReadonlyMap<string, readonly number[]> {
  const known = placesOf.get(source);
  if (known) return known;
  const found = new Map<string, number[]>();
  for (const { text, offset } of wordsOf(source.text, 0)) {
    const offsets = found.get(text);
    if (offsets) offsets.push(offset);
    else found.set(text, [offset]);
  }
  placesOf.set(source, found);
  return found;
}

/** Where the last such keyword before an offset stands; undefined where there is none. */
export function keywordBefore(source: SqlSource, keyword: string, before: number): number | undefined {
  const offsets = places(source).get(keyword) ?? [];
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle] < before) low = middle + 1;
    else high = middle;
  }
  return offsets[low - 1];
}

/** The first text in parentheses from an offset on, parentheses included; undefined where there is none. */
export function inParentheses(text: string, from: number): string | undefined {
  let depth = 0;
  let start = from;
  for (const { text: found, offset } of wordsOf(text, from)) {
    if (found === '(' && depth++ === 0) start = offset;
    if (found === ')' && --depth <= 0) return depth < 0 ? undefined : text.slice(start, offset + 1);
  }
  return undefined;
}
