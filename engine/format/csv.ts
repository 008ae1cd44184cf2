/**
 * Tables from CSV text. An empty unquoted field is NULL, an empty quoted one is the empty text; a column is
 * integer, float, boolean or date where every field that is not NULL reads as one, else text.
 */
import { createRequire } from 'node:module';
import type { CsvError } from 'csv-parse/sync';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { parseDate, parseInterval, parseTimestamp } from '../value/calendar.js';
import { integer } from '../value/external.js';
import type { Type } from '../value/value.js';

const require = createRequire(import.meta.url);

/** Loaded with the first CSV text: most programs that import assay read none. */
function library(): typeof import('csv-parse/sync') {
  return require('csv-parse/sync');
}

export interface CsvOptions {
  /** Named in error messages. */
  readonly file?: string;
  /** Default `,`. */
  readonly delimiter?: string;
  /**
   * Default true: the first line names the columns. Otherwise they are `columns`, or `column1`, `column2`, …
   */
  readonly header?: boolean;
  /** Names of the columns, in order. Where the first line names them, it must name these. */
  readonly columns?: readonly string[];
}

interface Field {
  readonly text: string;
  readonly quoted: boolean;
}

export interface ParsedCsv {
  readonly columns: readonly string[];
  readonly types: ReadonlyMap<string, Type>;
  readonly rows: readonly (readonly unknown[])[];
}

/** @throws AssayError `engine/csv` with file and line */
export function parseCsv(
  text: string,
  options: CsvOptions & { readonly types: ReadonlyMap<string, Type> },
): ParsedCsv {
  const { file = 'CSV', delimiter = ',', header = true, types: declared } = options;
  const lines: number[] = [];
  const records = read(text, file, delimiter, lines);
  const first = records[0] ?? [];
  const found = header ? first.map((field) => field.text) : first.map((_, i) => `column${i + 1}`);
  const columns = options.columns ?? found;
  const isHeader = columns.length === found.length && columns.every((name, c) => name === found[c]);
  if (header && !isHeader) {
    const shown = found.map((name) => JSON.stringify(name.slice(0, 40))).join(', ');
    throw new AssayError(
      'engine/csv',
      `${file}:${lines[0] ?? 1}: the columns are ${visibleText(shown)}, expected ${columns.map((name) => JSON.stringify(name)).join(', ')}`,
    );
  }
  const body = header ? records.slice(1) : records;
  const bodyLines = header ? lines.slice(1) : lines;
  for (const [i, record] of body.entries()) {
    if (record.length === columns.length) continue;
    throw new AssayError(
      'engine/csv',
      `${file}:${bodyLines[i]}: ${record.length} fields, expected ${columns.length}`,
    );
  }
  const types = new Map(columns.map((name, c) => [name, declared.get(name) ?? inferType(body, c)]));
  const readers = columns.map((name) => readerOf(types.get(name) ?? 'text'));
  const rows = body.map((record, r) =>
    record.map((field, c) => {
      if (isNull(field)) return null;
      const value = readers[c](field.text);
      if (value !== undefined) return value;
      const shown = visibleText(JSON.stringify(field.text.slice(0, 40)));
      throw new AssayError(
        'engine/csv',
        `${file}:${bodyLines[r]}: row ${r + 1}, column ${JSON.stringify(columns[c])}: ${shown} is no ${types.get(columns[c])}`,
      );
    }),
  );
  return { columns, types, rows };
}

function read(text: string, file: string, delimiter: string, lines: number[]): Field[][] {
  try {
    return library().parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      cast: (value, context) => ({ text: value, quoted: context.quoting }) as unknown as string,
      on_record: (record, context) => {
        lines.push(context.lines);
        return record;
      },
    }) as unknown as Field[][];
  } catch (error) {
    const line = (error as Partial<CsvError> & { lines?: number }).lines;
    const message = error instanceof Error ? error.message : String(error);
    throw new AssayError('engine/csv', `${file}${line === undefined ? '' : `:${line}`}: ${message}`, {
      cause: error,
    });
  }
}

function isNull(field: Field): boolean {
  return field.text === '' && !field.quoted;
}

const candidates: readonly Type[] = ['integer', 'float', 'boolean', 'date', 'timestamp'];

function inferType(records: readonly (readonly Field[])[], column: number): Type {
  const present = records.map((record) => record[column]).filter((field) => !isNull(field));
  if (present.length === 0) return 'text';
  for (const type of candidates) {
    const reader = readerOf(type);
    if (present.every((field) => !field.quoted && reader(field.text) !== undefined)) return type;
  }
  return 'text';
}

/**
 * Field text to an outside value (dates stay text, the table reads them), or undefined where it is of another
 * type.
 */
function readerOf(type: Type): (text: string) => unknown {
  switch (type) {
    case 'integer':
      return (text) => (/^[+-]?\d{1,400}$/.test(text) ? readInteger(text) : undefined);
    case 'float':
      return (text) =>
        /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : specialFloat(text);
    case 'boolean':
      return (text) => (/^(?:true|t)$/i.test(text) ? true : /^(?:false|f)$/i.test(text) ? false : undefined);
    case 'date':
      return (text) => (parseDate(text) === undefined ? undefined : text);
    case 'timestamp':
      return (text) => (parseTimestamp(text) === undefined ? undefined : text);
    case 'interval':
      return (text) => (parseInterval(text) === undefined ? undefined : text);
    case 'json':
      return (text) => {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          return undefined;
        }
      };
    default:
      return (text) => text;
  }
}

function readInteger(text: string): number | bigint {
  return text.length < 16 ? Number(text) : integer(BigInt(text.replace(/^\+/, '')));
}

function specialFloat(text: string): number | undefined {
  switch (text.toLowerCase()) {
    case 'nan':
      return Number.NaN;
    case 'inf':
    case 'infinity':
      return Number.POSITIVE_INFINITY;
    case '-inf':
    case '-infinity':
      return Number.NEGATIVE_INFINITY;
    default:
      return undefined;
  }
}
