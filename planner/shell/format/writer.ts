/**
 * Writers: a writer turns rows into text one by one, so that a result of any size streams. Only `box` looks
 * ahead, at the first rows, to choose the widths of its columns.
 */
import type { OutputColumn, OutputRow } from './column.js';

export interface RowWriter {
  /** What stands before the first row. */
  readonly head: string;
  row(row: OutputRow): string;
  /** What stands after the last row. */
  end(rows: number): string;
}

export interface WriterOptions {
  /** Columns of the screen. */
  readonly width: number;
  readonly headers: boolean;
  /** What stands for NULL; each mode has a default of its own. */
  readonly nullValue: string | undefined;
  /** A person looks at it: what could move the cursor is shown as codes in every mode. */
  readonly screen: boolean;
}

export type WriterOf = (
  columns: readonly OutputColumn[],
  sample: readonly OutputRow[],
  options: WriterOptions,
) => RowWriter;
