/**
 * Parentheses around parentheses. The grammar keeps every open one on its stack, which takes about ten
 * thousand; but of `(((x)))` all pairs but two say nothing, so a text that is too deep is read without them.
 */
import { wordsOf } from './source-words.js';

/**
 * The text with blanks in the place of every pair of parentheses that two other pairs surround directly, so
 * that all places stay. Two are left, since they may say something: `IN ((a, b))` is a list of one row.
 */
export function withoutRepeatedParentheses(text: string): string {
  const units = text.split('');
  /** The numbers of the words that open what is not closed yet. */
  const open: number[] = [];
  /** By the number of the word that closes a pair, that of the word that opens it. */
  const opening = new Map<number, number>();
  const offsets: number[] = [];
  for (const { text: word, offset } of wordsOf(text, 0)) {
    const number = offsets.push(offset) - 1;
    if (word === '(') open.push(number);
    const first = word === ')' ? open.pop() : undefined;
    if (first !== undefined) opening.set(number, first);
  }
  for (const [last, first] of opening) {
    if (opening.get(last + 1) !== first - 1 || opening.get(last + 2) !== first - 2) continue;
    for (const word of [first, last]) units[offsets[word]] = ' ';
  }
  return units.join('');
}
