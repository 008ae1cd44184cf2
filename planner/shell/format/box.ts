/**
 * A table with lines. Nothing is cut without a word. A cell that is wider than its column is folded onto more
 * lines, and one of very many lines says how long it is.
 */
import { displayWidth, pad, shorten, visibleText, wrap } from '../../../semiring/message/visible-text.js';
import { cellText, type OutputColumn, type OutputRow } from './column.js';
import type { RowWriter, WriterOptions } from './writer.js';

/** A column is never narrower than this, whatever the screen. */
const narrowest = 6;
/** A cell takes at most this many lines. */
const mostLines = 12;

export function boxWriter(
  columns: readonly OutputColumn[],
  sample: readonly OutputRow[],
  options: WriterOptions,
): RowWriter {
  const { headers, nullValue = 'NULL' } = options;
  const textOf = (value: unknown): string => cellText(value) ?? nullValue;
  const widths = fit(naturalWidths(columns, sample, textOf, headers), options.width);
  const rule = (left: string, middle: string, right: string): string =>
    `${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}\n`;
  const line = (cells: readonly string[], align: (column: OutputColumn) => 'left' | 'right'): string => {
    const folded = cells.map((cell, i) => fold(cell, widths[i]));
    const height = Math.max(1, ...folded.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) => {
      const parts = folded.map((lines, i) => pad(lines[at] ?? '', widths[i], align(columns[i])));
      return `│ ${parts.join(' │ ')} │\n`;
    }).join('');
  };
  const head =
    columns.length === 0
      ? ''
      : rule('┌', '┬', '┐') +
        (headers
          ? line(
              columns.map((column) => column.name),
              (column) => column.align,
            ) + rule('├', '┼', '┤')
          : '');
  return {
    head,
    row: (row) => (columns.length === 0 ? '' : line(row.map(textOf), (column) => column.align)),
    end: (rows) => `${columns.length === 0 ? '' : rule('└', '┴', '┘')}${countOf(rows)}\n`,
  };
}

function countOf(rows: number): string {
  return `(${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'})`;
}

/** Lines of at most `width` columns, broken after a blank where there is one. */
function fold(text: string, width: number): string[] {
  const visible = text.length <= width ? visibleText(text) : shorten(text, width * mostLines);
  if (displayWidth(visible) <= width) return [visible];
  const lines: string[] = [];
  let line = '';
  for (const [word] of visible.matchAll(/[^ ]+ *| +/g)) {
    if (displayWidth(line) + displayWidth(word.trimEnd()) <= width) {
      line += word;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    const pieces = wrap(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces[pieces.length - 1];
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

function naturalWidths(
  columns: readonly OutputColumn[],
  sample: readonly OutputRow[],
  textOf: (value: unknown) => string,
  headers: boolean,
): number[] {
  /** Wider than any screen is wide enough. */
  const widthOf = (text: string): number => displayWidth(visibleText(text.slice(0, 1000)));
  return columns.map((column, i) => {
    let width = headers ? widthOf(column.name) : 1;
    for (const row of sample) width = Math.max(width, widthOf(textOf(row[i])));
    return Math.max(1, width);
  });
}

/** Takes from the widest columns until all fit. */
function fit(natural: readonly number[], screen: number): number[] {
  const room = Math.max(natural.length * narrowest, screen - 3 * natural.length - 1);
  const total = natural.reduce((sum, width) => sum + width, 0);
  if (total <= room) return [...natural];
  // The greatest width that no column may pass so that the sum fits.
  let low = narrowest;
  let high = Math.max(...natural);
  const sumAt = (most: number): number => natural.reduce((sum, width) => sum + Math.min(width, most), 0);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sumAt(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return natural.map((width) => Math.min(width, low));
}
