/** A result's rows with their annotation as a last column, read a growing part at a time. */

import type { Type } from '../../../engine/value/value.js';
import type { RegisteredSemiring } from '../../../semiring/index.js';
import type { Database, Result } from '../../query/index.js';
import type { OutputColumn, OutputRow } from '../format/column.js';
import { annotationTexts } from './annotation.js';

export interface ResultReading {
  readonly database: Database;
  readonly result: Result;
  /** Undefined: no annotation. */
  readonly semiring: RegisteredSemiring | undefined;
  readonly fold: number;
  readonly nameOf: (token: number) => string;
  /** What reading annotations has taken so far. */
  milliseconds: number;
}

/** The first part is small, so that the first rows are there at once; each next is twice as long. */
const firstPart = 256;
const longestPart = 65_536;

export function outputColumns({
  result,
  semiring,
}: Pick<ResultReading, 'result' | 'semiring'>): OutputColumn[] {
  const columns = result.columns.map(({ name, type }): OutputColumn => ({ name, align: alignOf(type) }));
  return semiring ? [...columns, { name: semiring.semiring.name, align: 'left' }] : columns;
}

export function alignOf(type: Type): 'left' | 'right' {
  return type === 'integer' || type === 'float' ? 'right' : 'left';
}

export function* rowsOf(reading: ResultReading): Generator<OutputRow> {
  const { result, semiring } = reading;
  const { rowCount } = result;
  for (
    let from = 0, length = firstPart;
    from < rowCount;
    from += length, length = Math.min(longestPart, 2 * length)
  ) {
    const rows = Array.from({ length: Math.min(length, rowCount - from) }, (_, i) => from + i);
    if (!semiring) {
      for (const row of rows) yield result.row(row);
      continue;
    }
    const start = performance.now();
    const texts = annotationTexts(reading.database, result.relation.annotation, rows, semiring, reading);
    reading.milliseconds += performance.now() - start;
    for (const [i, row] of rows.entries()) yield [...result.row(row), texts[i]];
  }
}

/** Rows that are looked at for the widths, besides the first. */
const probed = 500;

/** Rows from all over the result, without annotations. */
export function probeRows({ result, semiring }: Pick<ResultReading, 'result' | 'semiring'>): OutputRow[] {
  const step = Math.max(1, Math.floor(result.rowCount / probed));
  const rows: OutputRow[] = [];
  for (let row = result.rowCount - 1; row >= 0; row -= step)
    rows.push(semiring ? [...result.row(row), ''] : result.row(row));
  return rows;
}
