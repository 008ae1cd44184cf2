/**
 * What is wrong with a text of SQL, and where. The message already holds line, column, the line of source
 * with a mark and the hint, so printing it is enough; the parts are fields for programs.
 */
import { AssayError } from '../../../semiring/message/error.js';
import { nearestName } from '../../../semiring/message/nearest.js';
import { displayWidth, visibleText } from '../../../semiring/message/visible-text.js';
import type { Place } from '../../plan/expression.js';
import type { SqlSource } from './source.js';

export interface SqlErrorOptions extends ErrorOptions {
  /** What would be right, in a sentence. */
  readonly hint?: string;
}

/**
 * Codes: `sql/syntax`, `sql/unsupported`, `sql/unknown-*`, `sql/ambiguous-*`, `sql/type`, `sql/grouping`, …
 */
export class SqlError extends AssayError {
  /** What is wrong, without the place. */
  readonly reason: string;
  /** From 1; the column counts characters. */
  readonly line: number;
  readonly column: number;
  /** Offset in UTF-16 units. */
  readonly offset: number;
  readonly sourceLine: string;
  readonly hint: string | undefined;

  constructor(code: string, reason: string, source: SqlSource, place: Place, options: SqlErrorOptions = {}) {
    const { line, column } = source.lineAndColumn(place.offset);
    const excerpt = excerptAt(source, place.offset);
    const hint = options.hint === undefined ? '' : `\nhint: ${options.hint}`;
    super(code, `${reason} (line ${line}, column ${column})\n${excerpt}${hint}`, options);
    this.reason = reason;
    this.line = line;
    this.column = column;
    this.offset = place.offset;
    this.sourceLine = source.lineAt(place.offset).text;
    this.hint = options.hint;
  }
}

/** At most this much of a line is shown on each side of the mark. */
const shownAround = 60;

function excerptAt(source: SqlSource, at: number): string {
  const { text, offset } = source.lineAt(at);
  const start = Math.max(0, offset - shownAround);
  const before = (start > 0 ? '…' : '') + visibleText(text.slice(start, offset));
  const after =
    visibleText(text.slice(offset, offset + shownAround)) + (text.length > offset + shownAround ? '…' : '');
  return `  ${before}${after}\n  ${' '.repeat(displayWidth(before))}^`;
}

/** `did you mean "x"?` where there is a near name. */
export function suggestion(name: string, candidates: Iterable<string>): string | undefined {
  const near = nearestName(name, candidates);
  return near === undefined ? undefined : `did you mean "${visibleText(near)}"?`;
}
