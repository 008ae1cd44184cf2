/**
 * Saving and loading a catalog with its provenance: tables, values, row, cell and membership tokens, and the
 * names of tokens that have one of their own. A section is JSON text; a list (names, a column) is as many
 * sections as its length needs, so that a reader needs no more than this file to get the data out.
 */
import * as v from 'valibot';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { type Token, Tokens } from '../provenance/token.js';
import { TokenRanges } from '../provenance/token-ranges.js';
import { Catalog } from '../table/catalog.js';
import { LiveTokens } from '../table/live-tokens.js';
import { Table } from '../table/table.js';
import { isTooDeep } from '../value/json-depth.js';
import { columnTypes, type Type, type Value } from '../value/value.js';
import { valueAt } from '../value/vector.js';
import { chunks, whole } from './chunk.js';
import { damaged, joinSections, splitSections } from './file-format.js';
import { fromPortable, toPortable } from './portable.js';
import {
  type LoadConstraintsOptions,
  loadConstraints,
  saveConstraints,
  savedConstraints,
} from './saved-constraints.js';

const natural = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const types = ['null', ...columnTypes] as const;

const savedCatalog = v.object({
  tokens: natural,
  /** Tokens that are none any more: first and count of ranges, in order. */
  retired: v.optional(v.array(v.tuple([natural, natural])), []),
  /** Those that were given a name of their own. */
  renamed: v.optional(v.array(natural), []),
  tables: v.array(
    v.object({
      name: v.string(),
      rows: natural,
      membership: v.nullable(natural),
      columns: v.array(v.object({ name: v.string(), type: v.picklist(types), labelled: v.boolean() })),
      constraints: v.optional(savedConstraints),
    }),
  ),
});

const savedTokens = v.array(natural);
const savedColumn = v.object({ values: v.array(v.unknown()), tokens: v.nullable(savedTokens) });

/**
 * The names of all tokens are kept, but for those of dropped tables to which nothing refers.
 * @param meaning JSON that says what the tokens mean, for whoever knows
 * @param live which tokens of dropped tables `meaning` refers to
 * @throws AssayError `engine/too-large` where a value, or the file, is larger than there can be
 */
export function saveCatalog(
  catalog: Catalog,
  meaning: unknown = null,
  live = new LiveTokens(catalog.tokens.dropped, catalog.tables),
): Uint8Array {
  return joinSections([...sectionsOf(catalog, meaning, live)]);
}

function* sectionsOf({ tokens, tables }: Catalog, meaning: unknown, live: LiveTokens): Generator<Uint8Array> {
  const retired = new TokenRanges([...tokens.retired, ...live.dead()]);
  const saved = new TokenRanges([{ first: 0, count: tokens.count }]).without(retired);
  const head: v.InferOutput<typeof savedCatalog> = {
    tokens: tokens.count,
    retired: Array.from(retired, ({ first, count }): [number, number] => [first, count]),
    renamed: [...tokens.renamed].filter((token) => saved.has(token)),
    tables: tables.map(({ name, rowCount, membership, columns, constraints }) => ({
      name,
      rows: rowCount,
      membership: membership ?? null,
      columns: columns.map(({ name: column, type, labelled }) => ({ name: column, type, labelled })),
      ...(constraints && { constraints: saveConstraints(constraints) }),
    })),
  };
  yield whole(head, 'the list of its tables');
  yield* nameSections(tokens, saved);
  yield whole(meaning, 'what its tokens mean');
  for (const table of tables) {
    const place = `table ${JSON.stringify(table.name)}`;
    yield* chunks(
      table.rowCount,
      () => 0,
      (from, to) => listOf(from, to, (row) => table.rowToken(row)),
      () => place,
    );
    for (const [c, column] of table.columns.entries()) {
      const vector = table.vector(c);
      yield* chunks(
        table.rowCount,
        (row) => lengthOf(valueAt(vector, row)),
        (from, to) => ({
          values: listOf(from, to, (row) => toPortable(valueAt(vector, row))),
          tokens: column.labelled ? listOf(from, to, (row) => table.cellToken(c, row)) : null,
        }),
        (row) => `${place}, row ${row + 1}, column ${JSON.stringify(column.name)}`,
      );
    }
  }
}

/** Names in the order of their tokens, gaps left out. */
function nameSections(tokens: Tokens, saved: TokenRanges): Iterable<Uint8Array> {
  const numbers = new Float64Array(saved.size);
  let at = 0;
  for (const { first, count } of saved) for (let i = 0; i < count; i++) numbers[at++] = first + i;
  const nameOf = (i: number) => tokens.nameOf(numbers[i]);
  return chunks(
    numbers.length,
    (i) => nameOf(i).length,
    (from, to) => listOf(from, to, nameOf),
    (i) => `the name of token ${numbers[i]}`,
  );
}

function listOf<T>(from: number, to: number, item: (i: number) => T): T[] {
  return Array.from({ length: to - from }, (_, i) => item(from + i));
}

/** Of a text its length; what other values take is little, or not known before it is written. */
function lengthOf(value: Value): number {
  return typeof value === 'string' ? value.length : 0;
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

/**
 * The catalog of a file, and what it says about the meaning of tokens.
 * @param options what CHECK and DEFAULT may call; the engine's own functions unless said otherwise
 * @throws AssayError `engine/bad-file` with the place, `engine/file-version`
 */
export function loadSaved(
  file: Uint8Array,
  options: LoadConstraintsOptions = {},
): { readonly catalog: Catalog; readonly meaning: unknown } {
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
  /** A list of this length, in as many sections as it was cut into. */
  const list = <Part, Item>(
    schema: v.GenericSchema<unknown, Part>,
    length: number,
    itemsOf: (part: Part) => readonly Item[],
  ): Item[] => {
    const items: Item[] = [];
    do {
      const part = itemsOf(next(schema));
      check(part.length > 0 || length === 0, 'an empty part of a list');
      for (const item of part) items.push(item);
    } while (items.length < length);
    check(items.length === length, 'a list is too long');
    return items;
  };
  const head = next(savedCatalog);
  const tokens = new Tokens();
  const issued = keptTokens(head.tokens, head.retired);
  const names = list(v.array(v.string()), issued.size, (part) => part);
  const meaning = next(v.unknown());
  let named = 0;
  for (const { first, count } of issued) {
    const before = named;
    tokens.skip(first - tokens.count);
    tokens.issue(count, (offset) => names[before + offset]);
    named += count;
  }
  tokens.skip(head.tokens - tokens.count);
  const known = (list: readonly Token[]) => list.every((token) => issued.has(token));
  check(known(head.renamed), 'a token that was given a name is not there');
  for (const token of head.renamed) tokens.rename(token, tokens.nameOf(token));
  const catalog = new Catalog(tokens);
  for (const saved of head.tables) {
    const { constraints, name, columns: described } = saved;
    const rules = constraints && {
      constraints: fitting(name, () =>
        loadConstraints(constraints, name, described, (other) => catalog.table(other), options),
      ),
      clock: options.clock ?? Date.now,
    };
    check(saved.membership === null || known([saved.membership]), 'the membership token is wrong');
    const table = new Table(tokens, name, described, saved.membership ?? undefined, rules);
    const rowTokens = list(savedTokens, saved.rows, (part) => part);
    check(known(rowTokens), 'the row tokens are wrong');
    const columns = saved.columns.map(({ labelled }) => {
      const cells: Token[] = [];
      const values = list(savedColumn, saved.rows, (part) => {
        check((part.tokens !== null) === labelled, 'labels by cell do not fit the column');
        check(part.tokens === null || part.tokens.length === part.values.length, 'a cell has no token');
        for (const token of part.tokens ?? []) cells.push(token);
        return part.values;
      });
      check(known(cells), 'the cell tokens are wrong');
      return { values, tokens: labelled ? cells : null };
    });
    const rows = rowTokens.map((_, row) =>
      columns.map(({ values }, c) => valueFrom(values[row], saved.columns[c].type)),
    );
    const cellTokens = new Map(
      columns.flatMap(({ tokens: cells }, c) =>
        cells === null ? [] : [[saved.columns[c].name, cells] as const],
      ),
    );
    fitting(name, () => table.appendValues(rows, { rowTokens, cellTokens, stored: true }));
    catalog.add(table);
  }
  if (at !== sections.length) throw damaged(file.length, `${sections.length - at} sections too many`);
  return { catalog, meaning };
}

/** Constraints that cannot be, or that the rows do not keep, are damage. */
function fitting<T>(table: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof AssayError || error instanceof TypeError || error instanceof RangeError))
      throw error;
    const what = `damaged file: the constraints of table "${visibleText(table)}" do not hold: ${error.message}`;
    throw new AssayError('engine/bad-file', what, { cause: error });
  }
}

/** The tokens that are not retired. */
function keptTokens(count: number, retired: readonly (readonly [Token, number])[]): TokenRanges {
  return new TokenRanges([{ first: 0, count }]).without(
    new TokenRanges(retired.map(([first, length]) => ({ first, count: length }))),
  );
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
      return type === 'json' && !isTooDeep(value);
  }
}
