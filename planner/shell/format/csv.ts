/** CSV as RFC 4180 has it. NULL is an empty field and the empty text is `""`, as import reads them. */
import { visibleText } from '../../../semiring/message/visible-text.js';
import { cellText, type OutputColumn, type OutputRow } from './column.js';
import type { RowWriter, WriterOptions } from './writer.js';

export function csvWriter(
  columns: readonly OutputColumn[],
  _: readonly OutputRow[],
  options: WriterOptions,
): RowWriter {
  const { nullValue = '' } = options;
  const show = options.screen
    ? (text: string) => visibleText(text, { newlines: 'keep' })
    : (text: string) => text;
  const field = (text: string): string =>
    text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${show(text).replaceAll('"', '""')}"` : show(text);
  return {
    head: options.headers ? `${columns.map((column) => field(column.name)).join(',')}\n` : '',
    row: (row) =>
      `${row
        .map((value) => {
          const text = cellText(value);
          return text === undefined ? nullValue : field(text);
        })
        .join(',')}\n`,
    end: () => '',
  };
}
