/** Output modes: the writers by name. */
import { AssayError } from '../../../semiring/message/error.js';
import { nearest } from '../../../semiring/message/nearest.js';
import { boxWriter } from './box.js';
import { csvWriter } from './csv.js';
import { jsonLinesWriter, jsonWriter } from './json.js';
import { lineWriter, markdownWriter, tabsWriter } from './plain.js';
import type { WriterOf } from './writer.js';

export const modes = {
  box: { writer: boxWriter, summary: 'a table with lines; long cells are folded' },
  tabs: { writer: tabsWriter, summary: 'a row a line, cells parted by tabs' },
  csv: { writer: csvWriter, summary: 'RFC 4180; NULL is nothing, the empty text is ""' },
  json: { writer: jsonWriter, summary: 'an array of objects' },
  jsonl: { writer: jsonLinesWriter, summary: 'an object a line' },
  markdown: { writer: markdownWriter, summary: "a table for GitHub's Markdown" },
  line: { writer: lineWriter, summary: 'a cell a line' },
} as const satisfies Record<string, { writer: WriterOf; summary: string }>;

export type Mode = keyof typeof modes;

/** @throws AssayError `shell/unknown-mode`, with the nearest name */
export function modeNamed(name: string): Mode {
  if (Object.hasOwn(modes, name)) return name as Mode;
  throw new AssayError(
    'shell/unknown-mode',
    `there is no mode ${JSON.stringify(name.slice(0, 64))}: ${nearest(name, Object.keys(modes))}`,
  );
}
