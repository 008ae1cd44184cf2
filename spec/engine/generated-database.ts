/**
 * Generated databases: a few small tables of values that hit one another often, as plain data that shrinks. A
 * description is turned into engine tables by `load`, and into what the reference model reads by `baseOf`;
 * both see the same tokens.
 */
import fc from 'fast-check';
import { type Token, Tokens } from '../../engine/provenance/token.js';
import { Table } from '../../engine/table/table.js';
import { external } from '../../engine/value/external.js';
import type { Value } from '../../engine/value/value.js';
import type { Base } from './reference-relation.js';

/** The types that columns of generated plans have. */
export const columnTypes = ['integer', 'text', 'boolean', 'float', 'date'] as const;
export type ColumnType = (typeof columnTypes)[number];

/** The types that generated data has. */
export type DataType = ColumnType | 'timestamp' | 'interval';

export interface TableDescription {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: DataType;
    readonly labelled: boolean;
  }[];
  readonly membership: boolean;
  /** Values in machine form: a date is a number of days. */
  readonly rows: readonly (readonly Value[])[];
}

export type DatabaseDescription = readonly TableDescription[];

/**
 * Few values of each type, so that joins hit and rows repeat. Floats are exact in binary: any order sums the
 * same.
 */
export const smallValues: { readonly [type in DataType]: fc.Arbitrary<Value> } = {
  integer: fc.integer({ min: -1, max: 3 }),
  text: fc.constantFrom('', 'a', 'b', 'ab', 'B%', 'é'),
  boolean: fc.boolean(),
  float: fc.constantFrom(0, 0.5, -1.5, 2, 1),
  date: fc.integer({ min: 19000, max: 19003 }),
  timestamp: fc.constantFrom(
    ...[0, 1, 36_000, 93_599.25].map((seconds) => (19000 * 86_400 + seconds) * 1000),
  ),
  interval: fc.constantFrom<Value>(
    { months: 0, days: 1, milliseconds: 0 },
    { months: 1, days: 0, milliseconds: 0 },
    { months: -1, days: -2, milliseconds: -1_500 },
    { months: 0, days: 0, milliseconds: 5_400_000 },
  ),
};

export function valuesOf(type: DataType): fc.Arbitrary<Value> {
  return fc.oneof({ arbitrary: smallValues[type], weight: 4 }, { arbitrary: fc.constant(null), weight: 1 });
}

export interface DatabaseShape {
  readonly maxRows?: number;
  readonly maxTables?: number;
}

export function databases({
  maxRows = 4,
  maxTables = 3,
}: DatabaseShape = {}): fc.Arbitrary<DatabaseDescription> {
  const column = fc.record({ type: fc.constantFrom(...columnTypes), labelled: fc.boolean() });
  const table = fc
    .record({ columns: fc.array(column, { minLength: 1, maxLength: 4 }), membership: fc.boolean() })
    .chain(({ columns, membership }) =>
      fc
        .array(fc.tuple(...columns.map((c) => valuesOf(c.type))), { maxLength: maxRows })
        .map((rows) => ({ columns, membership, rows })),
    );
  return fc.array(table, { minLength: 1, maxLength: maxTables }).map((tables) =>
    tables.map(({ columns, membership, rows }, t) => ({
      name: `t${t}`,
      columns: columns.map((c, i) => ({ name: `${'abcd'[i]}${t}`, ...c })),
      membership,
      rows,
    })),
  );
}

/** What a token stands for in a description. */
export type Origin =
  | { readonly table: number; readonly kind: 'membership' }
  | { readonly table: number; readonly kind: 'row'; readonly row: number }
  | { readonly table: number; readonly kind: 'cell'; readonly row: number; readonly column: number };

export interface Loaded {
  readonly tokens: Tokens;
  readonly tables: readonly Table[];
  /** By token. */
  readonly origins: ReadonlyMap<Token, Origin>;
}

export function load(database: DatabaseDescription): Loaded {
  const tokens = new Tokens();
  const origins = new Map<Token, Origin>();
  const tables = database.map(({ name, columns, membership, rows }, table) => {
    const built = Table.fromRows(
      tokens,
      name,
      rows.map((row) => row.map((value, i) => external(value, columns[i].type))),
      {
        columns: columns.map((c) => c.name),
        types: Object.fromEntries(columns.map((c) => [c.name, c.type])),
        labelled: columns.filter((c) => c.labelled).map((c) => c.name),
        membership,
      },
    );
    if (built.membership !== undefined) origins.set(built.membership, { table, kind: 'membership' });
    rows.forEach((_, row) => {
      origins.set(built.rowToken(row), { table, kind: 'row', row });
      columns.forEach((_, column) => {
        const token = built.cellToken(column, row);
        if (token !== undefined) origins.set(token, { table, kind: 'cell', row, column });
      });
    });
    return built;
  });
  return { tokens, tables, origins };
}

/** The tables as the reference model reads them, under a valuation of the tokens. */
export function baseOf<K>(
  database: DatabaseDescription,
  { tables }: Loaded,
  one: K,
  valuation: (token: Token) => K,
): (table: Table) => Base<K> {
  const value = (token: Token | undefined): K => (token === undefined ? one : valuation(token));
  return (table) => {
    const { rows, columns } = database[tables.indexOf(table)];
    return {
      rows: rows.map((values, row) => ({
        values,
        token: value(table.rowToken(row)),
        cells: columns.map((_, column) => value(table.cellToken(column, row))),
      })),
      membership: value(table.membership),
    };
  };
}
