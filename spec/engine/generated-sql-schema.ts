/** The fixed schema that generated SQL is about, and databases of it. */
import fc from 'fast-check';
import { type DatabaseDescription, type DataType, valuesOf } from './generated-database.js';

export type SqlType = DataType;

export const sqlTypes: readonly SqlType[] = [
  'integer',
  'text',
  'boolean',
  'float',
  'date',
  'timestamp',
  'interval',
];

/** As CAST and CREATE TABLE name them. */
export const typeNames: { readonly [type in SqlType]: string } = {
  integer: 'integer',
  float: 'double precision',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  interval: 'interval',
};

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
}

export const sqlTables: readonly SqlTable[] = [
  {
    name: 'r',
    columns: [
      { name: 'a', type: 'integer' },
      { name: 'b', type: 'integer' },
      { name: 's', type: 'text' },
      { name: 'p', type: 'boolean' },
    ],
  },
  {
    name: 't',
    columns: [
      { name: 'a', type: 'integer' },
      { name: 's', type: 'text' },
      { name: 'x', type: 'float' },
      { name: 'd', type: 'date' },
    ],
  },
  {
    name: 'u',
    columns: [
      { name: 'b', type: 'integer' },
      { name: 'd', type: 'date' },
      { name: 'm', type: 'timestamp' },
      { name: 'i', type: 'interval' },
    ],
  },
];

/** Databases of this schema, each column labelled by cell or not, all with a membership token. */
export function sqlDatabases(maxLength = 4): fc.Arbitrary<DatabaseDescription> {
  return fc.tuple(
    ...sqlTables.map(({ name, columns }) =>
      fc
        .record({
          labelled: fc.tuple(...columns.map(() => fc.boolean())),
          rows: fc.array(fc.tuple(...columns.map((c) => valuesOf(c.type))), { maxLength }),
        })
        .map(({ labelled, rows }) => ({
          name,
          columns: columns.map((c, i) => ({ ...c, labelled: labelled[i] })),
          membership: true,
          rows,
        })),
    ),
  );
}
