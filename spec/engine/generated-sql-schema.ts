/** The fixed schema that generated SQL is about, and databases of it. */
import fc from 'fast-check';
import { type DatabaseDescription, valuesOf } from './generated-database.js';

export type SqlType = 'integer' | 'float' | 'text' | 'boolean' | 'date';

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
