/**
 * The words of a command line: parted by blanks, held together by single or double quotes (doubled inside to
 * stand for themselves). There is no escape character, so that paths of any system pass as they are.
 */
import { ShellError } from '../shell-error.js';

export interface Word {
  readonly text: string;
  readonly quoted: boolean;
  /** Offsets into the line. */
  readonly start: number;
  readonly end: number;
}

/** @throws ShellError `shell/unfinished-quote` with the place of the quote */
export function wordsOf(line: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at])) {
      at += 1;
      continue;
    }
    const start = at;
    const parts: string[] = [];
    let quoted = false;
    while (at < line.length && !/\s/.test(line[at])) {
      const quote = line[at];
      // A quote in the middle of a word is part of it: `{"tool":"f"}` and `o'clock` are words as they stand.
      if (at > start || (quote !== "'" && quote !== '"')) {
        parts.push(quote);
        at += 1;
        continue;
      }
      quoted = true;
      at = readQuoted(line, at, quote, parts);
    }
    words.push({ text: parts.join(''), quoted, start, end: at });
  }
  return words;
}

function readQuoted(line: string, start: number, quote: string, parts: string[]): number {
  let from = start + 1;
  for (;;) {
    const end = line.indexOf(quote, from);
    if (end < 0)
      throw new ShellError('shell/unfinished-quote', `this ${quote} is never closed`, { offset: start });
    parts.push(line.slice(from, end));
    if (line[end + 1] !== quote) return end + 1;
    parts.push(quote);
    from = end + 2;
  }
}
