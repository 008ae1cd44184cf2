/**
 * Files as tables and databases. What a file is, is told by its ending (`.csv`, `.tsv`, `.json`, `.jsonl`),
 * but for saved databases, which are known by their first bytes.
 */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { InputRow, Table } from '../../../engine/table/table.js';
import type { Type } from '../../../engine/value/value.js';
import type { Database } from '../../query/index.js';
import { readStart } from '../process/whole-file.js';
import { ShellError } from '../shell-error.js';

export interface ImportOptions {
  /** Default: the file's name without its ending, in lower case. */
  readonly table?: string;
  /** Columns whose cells get tokens of their own. */
  readonly labelled?: readonly string[] | 'all';
  /** Declared types, by column; a value of another one is refused. */
  readonly types?: ReadonlyMap<string, Type>;
}

const magic = 'ASSAYDB';

export async function isSavedDatabase(path: string): Promise<boolean> {
  return new TextDecoder('latin1').decode(await readStart(path, magic.length)) === magic;
}

/**
 * A new table of a file's rows. @throws ShellError `shell/format`, AssayError `engine/csv`,
 * `engine/table-exists`
 */
export async function importFile(
  database: Database,
  path: string,
  options: ImportOptions = {},
): Promise<Table> {
  return importText(database, await readFile(path, 'utf8'), path, options);
}

export function importText(
  database: Database,
  text: string,
  path: string,
  options: ImportOptions = {},
): Table {
  const table = options.table ?? tableNameOf(path);
  const { labelled, types } = options;
  const declared = { ...(labelled && { labelled }), ...(types && { types }) };
  const format = extname(path).toLowerCase();
  switch (format) {
    case '.csv':
    case '.tsv':
      return database.load(
        table,
        { csv: text },
        { file: path, ...(format === '.tsv' ? { delimiter: '\t' } : {}), ...declared },
      );
    case '.json':
      return database.load(table, rowsOfJson(text, path), declared);
    case '.jsonl':
    case '.ndjson':
      return database.load(table, rowsOfJsonLines(text, path), declared);
    default:
      throw new ShellError('shell/format', `${path}: its ending does not say what it is`, {
        hint: '.csv, .tsv, .json, .jsonl and saved databases can be opened',
      });
  }
}

/** `My Orders.csv` is `my_orders`, so that SQL finds it without quotes. */
export function tableNameOf(path: string): string {
  const name = basename(path, extname(path))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `t_${name}`;
}

function rowsOfJson(text: string, path: string): InputRow[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const { line, column } = jsonPlace(text, error);
    throw new ShellError('shell/json', `${path}:${line}:${column}: this is no JSON`, { cause: error });
  }
  const rows = Array.isArray(value) ? value : [value];
  return rows.map((row, i) => rowOf(row, `${path}: item ${i + 1}`));
}

function rowsOfJsonLines(text: string, path: string): InputRow[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(i === 0 ? line.replace(/^\ufeff/, '') : line);
    } catch (error) {
      throw new ShellError(
        'shell/json',
        `${path}:${i + 1}:${jsonPlace(line, error).column}: this line is no JSON`,
        { cause: error },
      );
    }
    return [rowOf(value, `${path}:${i + 1}`)];
  });
}

function rowOf(value: unknown, place: string): InputRow {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as InputRow;
  throw new ShellError('shell/json', `${place}: a row is an object, with a key for each column`);
}

/** Node says `at position N` or `in JSON at position N (line …)`, but for an early end. */
function jsonPlace(text: string, error: unknown): { line: number; column: number } {
  const found = /position (\d+)/.exec(error instanceof Error ? error.message : '');
  const before = text.slice(0, found ? Number(found[1]) : text.length);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(start)].length + 1 };
}
