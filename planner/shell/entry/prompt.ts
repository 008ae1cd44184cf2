/** Prompts: what is open, and why input goes on. */
import { displayWidth, shorten } from '../../../semiring/message/visible-text.js';
import type { Pending } from '../input/splitter.js';

/** Why input goes on, in a character. */
const signs: Readonly<Record<Exclude<Pending, 'nothing'>, string>> = {
  statement: '-',
  string: "'",
  name: '"',
  bracket: '(',
  comment: '*',
  dollar: '$',
};

/** @param open what is open; undefined for a database in memory */
export function promptOf(open: string | undefined, pending: Pending): string {
  const head = open === undefined ? 'assay' : `assay ${shorten(open, 30)}`;
  if (pending === 'nothing') return `${head}> `;
  return `${' '.repeat(Math.max(0, displayWidth(head) - 1))}${signs[pending]}> `;
}
