/** A command that is given as one text, split into the words that a process is started with. */
import { AssayError } from '../../semiring/message/error.js';

/**
 * A command line as words; quotes and backslashes as in a shell, and nothing else of one.
 * @throws AssayError `run/command-line` for an open quote
 */
export function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line[at];
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined)
    throw new AssayError('run/command-line', `a quote ${quote} is not closed in: ${line}`);
  if (word !== undefined) found.push(word);
  return found;
}
