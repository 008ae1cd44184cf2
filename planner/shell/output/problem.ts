/**
 * An error as the shell reports it: the place in the script, the line with a mark under the place, a hint.
 * Every kind of error becomes one `Problem`, which is printed for people or written as JSON for machines.
 */
import { SqlError } from '../../../engine/sql/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { displayWidth, shorten, visibleText } from '../../../semiring/message/visible-text.js';
import type { Origin, ScriptItem } from '../input/script.js';
import { ShellError } from '../shell-error.js';

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The line of the script that the mark stands under. */
  readonly excerpt?: { readonly text: string; readonly mark: number };
  readonly hint?: string;
}

/** At most this much of a line is shown on each side of the mark. */
const shownAround = 60;

export function problemOf(error: unknown, item: ScriptItem): Problem {
  if (error instanceof SqlError && item.kind === 'sql') {
    const { reason, code, hint } = error;
    const place = placeOf(item.origin, error.line, error.column);
    return {
      code,
      message: reason,
      ...place,
      ...excerptAt(item.text, error.offset),
      ...(hint === undefined ? {} : { hint }),
    };
  }
  if (error instanceof ShellError) {
    const { code, message, offset, hint } = error;
    const place = placeOf(item.origin, 1, [...item.text.slice(0, offset)].length + 1);
    return {
      code,
      message,
      ...place,
      ...excerptAt(item.text, offset),
      ...(hint === undefined ? {} : { hint }),
    };
  }
  return { code: codeOf(error), message: messageOf(error), ...item.origin };
}

function placeOf(origin: Origin, line: number, column: number): Origin {
  return {
    source: origin.source,
    line: origin.line + line - 1,
    column: line === 1 ? origin.column + column - 1 : column,
  };
}

function excerptAt(text: string, offset: number): Pick<Problem, 'excerpt'> {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const line = text.slice(start, lineEnd < 0 ? undefined : lineEnd);
  const at = Math.min(offset - start, line.length);
  const from = Math.max(0, at - shownAround);
  const before = `${from > 0 ? '…' : ''}${visibleText(line.slice(from, at))}`;
  const after = `${visibleText(line.slice(at, at + shownAround))}${line.length > at + shownAround ? '…' : ''}`;
  return before + after === '' ? {} : { excerpt: { text: before + after, mark: displayWidth(before) } };
}

/** Lines for a person. */
export function showProblem({ source, line, column, message, excerpt, hint }: Problem): string {
  // A parser may quote a word of a megabyte.
  const words = message.split('\n').map((part) => shorten(part, 500));
  const lines = [`${visibleText(source)}:${line}:${column}: ${words.join('\n')}`];
  if (excerpt) lines.push(`  ${excerpt.text}`, `  ${' '.repeat(excerpt.mark)}^`);
  if (hint !== undefined) lines.push(`hint: ${shorten(hint, 500)}`);
  return `${lines.join('\n')}\n`;
}

function codeOf(error: unknown): string {
  if (error instanceof AssayError) return error.code;
  if (isSystemError(error)) return 'shell/cannot-open';
  return 'shell/internal';
}

function messageOf(error: unknown): string {
  if (error instanceof AssayError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return isSystemError(error)
    ? message
    : `${shorten(message, 500)} (this is a defect of assay; please report it)`;
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'code' in error)) return false;
  // A file's name with a NUL is refused before the system is asked.
  return 'syscall' in error || error.code === 'ERR_INVALID_ARG_VALUE';
}
