/**
 * Saving and loading a catalog with its provenance: tables, values, row, cell and membership tokens, and the names of
 * tokens that have one of their own. The one thing to know: a section is JSON text, one for the catalog and one for
 * each column, so that a reader needs no more than this file to get the data out.
 */
import * as v from 'valibot';
import { AssayError } from '../../semiring/error.js';
import { Catalog } from '../catalog.js';
import { Table } from '../table.js';
import { type Token, Tokens } from '../token.js';
import type { Type, Value } from '../value.js';
import { valueAt } from '../vector.js';
import { damaged, joinSections, splitSections } from './file-format.js';
import { fromPortable, toPortable } from './portable.js';

const natural = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const types = [
  'null',
  'boolean',
  'integer',
  'float',
  'text',
  'date',
  'timestamp',
  'interval',
  'json',
] as const;

const savedCatalog = v.object({
  tokens: natural,
  /** Those that were given a name of their own. */
  renamed: v.optional(v.array(natural), []),
  tables: v.array(
    v.object({
      name: v.string(),
      rows: natural,
      membership: v.nullable(natural),
      columns: v.array(v.object({ name: v.string(), type: v.picklist(types), labelled: v.boolean() })),
    }),
  ),
});

const savedTokens = v.array(natural);
const savedColumn = v.object({ values: v.array(v.unknown()), tokens: v.nullable(savedTokens) });

/**
 * Default names follow from the tables; every name is kept, because a table may have been dropped.
 * @param meaning JSON that says what the tokens mean, for whoever knows
 */
export function saveCatalog(catalog: Catalog, meaning: unknown = null): Uint8Array {
  const tables = catalog.tables;
  const head: v.InferOutput<typeof savedCatalog> = {
    tokens: catalog.tokens.count,
    renamed: [...catalog.tokens.renamed],
    tables: tables.map(({ name, rowCount, membership, columns }) => ({
      name,
      rows: rowCount,
      membership: membership ?? null,
      columns: columns.map(({ name: column, type, labelled }) => ({ name: column, type, labelled })),
    })),
  };
  const names = Array.from({ length: catalog.tokens.count }, (_, token) => catalog.tokens.nameOf(token));
  const sections: Uint8Array[] = [encode(head), encode(names), encode(meaning)];
  for (const table of tables) {
    const rows = [...Array(table.rowCount).keys()];
    sections.push(encode(rows.map((row) => table.rowToken(row))));
    for (const [c, column] of table.columns.entries()) {
      const vector = table.vector(c);
      const values = rows.map((row) => toPortable(valueAt(vector, row)));
      const tokens = column.labelled ? rows.map((row) => table.cellToken(c, row)) : null;
      sections.push(encode({ values, tokens }));
    }
  }
  return joinSections(sections);
}

/**
 * The catalog of a file that says nothing about what tokens mean.
 * @throws AssayError `engine/bad-file` with the place, `engine/file-version`
 */
export function loadCatalog(file: Uint8Array): Catalog {
  const { catalog, meaning } = loadSaved(file);
  if (meaning === null) return catalog;
  throw new AssayError(
    'engine/file-kind',
    'the file also says what its tokens mean, which a catalog cannot hold: open it as a database',
  );
}

/** @throws AssayError `engine/bad-file` with the place, `engine/file-version` */
export function loadSaved(file: Uint8Array): { readonly catalog: Catalog; readonly meaning: unknown } {
  const sections = splitSections(file);
  let at = 0;
  const next = <Schema extends v.GenericSchema>(schema: Schema): v.InferOutput<Schema> => {
    const section = sections[at++];
    if (section === undefined) throw damaged(file.length, `section ${at} is missing`);
    const checked = v.safeParse(schema, decode(section, at));
    if (checked.success) return checked.output;
    throw damaged(section.byteOffset - file.byteOffset, `section ${at}: ${checked.issues[0].message}`);
  };
  const check = (holds: boolean, what: string): void => {
    if (!holds) throw damaged(file.length, `section ${at}: ${what}`);
  };
  const head = next(savedCatalog);
  const names = next(v.array(v.string()));
  const meaning = next(v.unknown());
  check(names.length === head.tokens, 'there is not one name for each token');
  const known = (list: readonly Token[]) => list.every((token) => token < head.tokens);
  const tokens = new Tokens();
  tokens.issue(head.tokens, (offset) => names[offset]);
  check(known(head.renamed), 'a token that was given a name is not there');
  for (const token of head.renamed) tokens.rename(token, names[token]);
  const catalog = new Catalog(tokens);
  for (const saved of head.tables) {
    const table = new Table(tokens, saved.name, saved.columns, saved.membership ?? undefined);
    const rowTokens = next(savedTokens);
    check(rowTokens.length === saved.rows && known(rowTokens), 'the row tokens are wrong');
    const columns = saved.columns.map(({ labelled }) => {
      const column = next(savedColumn);
      const cells = column.tokens;
      check(column.values.length === saved.rows, 'there is not one value for each row');
      check((cells !== null) === labelled, 'labels by cell do not fit the column');
      check(cells === null || (cells.length === saved.rows && known(cells)), 'the cell tokens are wrong');
      return column;
    });
    const rows = rowTokens.map((_, row) =>
      columns.map(({ values }, c) => valueFrom(values[row], saved.columns[c].type)),
    );
    const cellTokens = new Map(
      columns.flatMap(({ tokens: cells }, c) =>
        cells === null ? [] : [[saved.columns[c].name, cells] as const],
      ),
    );
    table.appendValues(rows, { rowTokens, cellTokens });
    catalog.add(table);
  }
  if (at !== sections.length) throw damaged(file.length, `${sections.length - at} sections too many`);
  return { catalog, meaning };
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decode(section: Uint8Array, number: number): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(section));
  } catch (error) {
    throw new AssayError('engine/bad-file', `damaged file: section ${number} is no JSON`, { cause: error });
  }
}

/** A value of the column's type. */
function valueFrom(saved: unknown, type: Type): Value {
  let value: unknown;
  try {
    value = fromPortable(saved);
  } catch (error) {
    throw new AssayError('engine/bad-file', 'damaged file: a value is in no known form', { cause: error });
  }
  if (isOfType(value, type)) return value;
  throw new AssayError('engine/bad-file', `damaged file: a value is not of its column's type ${type}`);
}

function isOfType(value: unknown, type: Type): value is Value {
  if (value === null) return true;
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value);
    case 'float':
    case 'date':
    case 'timestamp':
      return typeof value === 'number';
    case 'text':
    case 'boolean':
      return typeof value === (type === 'text' ? 'string' : type);
    case 'interval':
      return typeof value === 'object' && 'months' in value;
    default:
      return type === 'json';
  }
}
