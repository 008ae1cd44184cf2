/**
 * Saving and loading a catalog with its provenance: tables, values, row, cell and membership tokens, and the names of
 * tokens that have one of their own. The one thing to know: a section is JSON text, one for the catalog and one for
 * each column, so that a reader needs no more than this file to get the data out.
 */
import { AssayError } from '../../semiring/error.js';
import { Catalog } from '../catalog.js';
import { Table } from '../table.js';
import { type Token, Tokens } from '../token.js';
import type { Type, Value } from '../value.js';
import { valueAt } from '../vector.js';
import { damaged, joinSections, splitSections } from './file-format.js';

interface SavedTable {
  readonly name: string;
  readonly rows: number;
  readonly membership: Token | null;
  readonly columns: readonly { readonly name: string; readonly type: Type; readonly labelled: boolean }[];
}

interface SavedCatalog {
  readonly tokens: number;
  readonly tables: readonly SavedTable[];
}

/** Default names follow from the tables; every name is kept, because a table may have been dropped. */
export function saveCatalog(catalog: Catalog): Uint8Array {
  const tables = catalog.tables;
  const head: SavedCatalog = {
    tokens: catalog.tokens.count,
    tables: tables.map(({ name, rowCount, membership, columns }) => ({
      name,
      rows: rowCount,
      membership: membership ?? null,
      columns: columns.map(({ name: column, type, labelled }) => ({ name: column, type, labelled })),
    })),
  };
  const names = Array.from({ length: catalog.tokens.count }, (_, token) => catalog.tokens.nameOf(token));
  const sections: Uint8Array[] = [encode(head), encode(names)];
  for (const table of tables) {
    const rows = [...Array(table.rowCount).keys()];
    sections.push(encode(rows.map((row) => table.rowToken(row))));
    for (const [c, column] of table.columns.entries()) {
      const vector = table.vector(c);
      const values = rows.map((row) => portable(valueAt(vector, row), column.type));
      const tokens = column.labelled ? rows.map((row) => table.cellToken(c, row)) : null;
      sections.push(encode({ values, tokens }));
    }
  }
  return joinSections(sections);
}

/** @throws AssayError `engine/bad-file` with the place, `engine/file-version` */
export function loadCatalog(file: Uint8Array): Catalog {
  const sections = splitSections(file);
  let at = 0;
  const next = (): unknown => {
    const section = sections[at++];
    if (section === undefined) throw damaged(file.length, `section ${at} is missing`);
    return decode(section, at);
  };
  const head = next() as SavedCatalog;
  const names = next() as string[];
  const tokens = new Tokens();
  tokens.issue(head.tokens, (offset) => names[offset]);
  const catalog = new Catalog(tokens);
  for (const saved of head.tables) {
    const table = new Table(tokens, saved.name, saved.columns, saved.membership ?? undefined);
    const rowTokens = next() as Token[];
    const columns = saved.columns.map(() => next() as { values: unknown[]; tokens: Token[] | null });
    const rows = rowTokens.map((_, row) =>
      columns.map(({ values }, c) => machine(values[row], saved.columns[c].type)),
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
  return catalog;
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

/** What JSON has no form for, as a one-key object; JSON values themselves are wrapped so that nothing is taken for one. */
function portable(value: Value, type: Type): unknown {
  if (typeof value === 'bigint') return { big: String(value) };
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { number: Object.is(value, -0) ? '-0' : String(value) };
  return type === 'json' && value !== null ? { json: value } : value;
}

function machine(value: unknown, type: Type): Value {
  if (typeof value !== 'object' || value === null) return value as Value;
  if ('big' in value && type === 'integer') return BigInt(String(value.big));
  if ('number' in value && type !== 'json' && type !== 'interval') return Number(value.number);
  return ('json' in value && type === 'json' ? value.json : value) as Value;
}
