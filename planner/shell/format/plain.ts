/** Modes without a frame: tabs, Markdown, a cell a line. */
import { displayWidth, pad, visibleText } from '../../../semiring/message/visible-text.js';
import { cellText, type OutputColumn, type OutputRow } from './column.js';
import type { RowWriter, WriterOptions } from './writer.js';

export function tabsWriter(
  columns: readonly OutputColumn[],
  _: readonly OutputRow[],
  options: WriterOptions,
): RowWriter {
  const { nullValue = '' } = options;
  return {
    head: options.headers ? `${columns.map((column) => visibleText(column.name)).join('\t')}\n` : '',
    row: (row) => `${row.map((value) => visibleText(cellText(value) ?? nullValue)).join('\t')}\n`,
    end: () => '',
  };
}

export function markdownWriter(
  columns: readonly OutputColumn[],
  _: readonly OutputRow[],
  options: WriterOptions,
): RowWriter {
  const { nullValue = 'NULL' } = options;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const marks = columns.map((column) => (column.align === 'right' ? '---:' : '---'));
  return {
    head: line(columns.map((column) => markdown(column.name))) + line(marks),
    row: (row) => line(row.map((value) => markdown(cellText(value) ?? nullValue))),
    end: () => '',
  };
}

function markdown(text: string): string {
  return visibleText(text).replace(/[\\`*_{}[\]<>|~]/g, (mark) => `\\${mark}`);
}

export function lineWriter(
  columns: readonly OutputColumn[],
  _: readonly OutputRow[],
  options: WriterOptions,
): RowWriter {
  const { nullValue = 'NULL' } = options;
  const names = columns.map((column) => visibleText(column.name));
  const width = Math.max(0, ...names.map(displayWidth));
  let first = true;
  return {
    head: '',
    row: (row) => {
      const lines = row.map(
        (value, i) => `${pad(names[i], width, 'right')} = ${visibleText(cellText(value) ?? nullValue)}\n`,
      );
      const before = first ? '' : '\n';
      first = false;
      return before + lines.join('');
    },
    end: () => '',
  };
}
