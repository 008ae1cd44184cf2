/**
 * Scripts of CREATE TABLE and INSERT: a table `t` with any constraints, a table `u` that may refer to it, and
 * rows of which many break a rule. Literals come from small pools, so that keys collide and bounds are met
 * from both sides.
 */
import fc from 'fast-check';

interface Kind {
  readonly type: string;
  /** Literals; some do not fit the type. */
  readonly literals: readonly string[];
  readonly defaults: readonly string[];
  /** Conditions over a column `@`. */
  readonly checks: readonly string[];
}

const text = ["''", "'a'", "'ab'", "'ab '", "'abc'", "'abcd'", "'abc  '", "'äöü'", "'äöü€'", "'😀b'", "' '"];
const textChecks = ["@ <> 'ab'", 'length(@) < 3', "@ LIKE 'a%'", "@ IN ('a', 'abc', NULL)", '@ > lower(@)'];

const kinds: readonly Kind[] = [
  {
    type: 'integer',
    literals: ['0', '1', '2', '-1', '7', "'3'", '1 + 1', '4.2', 'true', "'x'"],
    defaults: ['0', '1 + 1', '-1', "'5'", '1.2', 'NULL', '1 / 0'],
    checks: ['@ > 0', '@ <> 2', '@ BETWEEN 0 AND 5', '6 / @ > 1', '@ IS NOT NULL', '@ % 2 = 0'],
  },
  { type: 'varchar(3)', literals: text, defaults: ["'ab'", "'abcd'", "upper('x')"], checks: textChecks },
  { type: 'char(2)', literals: text, defaults: ["'a'", "'abc'"], checks: ["@ <> 'ab'", 'length(@) > 0'] },
  { type: 'character varying', literals: text, defaults: ["'abcd'", "'a' || 'b'"], checks: textChecks },
  {
    type: 'numeric(4,1)',
    literals: [
      '0',
      '0.05',
      '-0.05',
      '0.04',
      '12.35',
      '999.94',
      '999.95',
      '1000',
      '-999.96',
      "'1.25'",
      "'NaN'",
      '1e-7',
    ],
    defaults: ['0.05', '1234', '10 / 4.0'],
    checks: ['@ > 0', '@ < 999.9', '@ * 2 <> 0.2'],
  },
  {
    type: 'numeric(2,-1)',
    literals: ['4', '5', '14', '994', '995', '-15', 'NULL'],
    defaults: ['16'],
    checks: ['@ >= 0'],
  },
  {
    type: 'boolean',
    literals: ['true', 'false', "'t'", '1'],
    defaults: ['false', "'yes'"],
    checks: ['@', 'NOT @'],
  },
  {
    type: 'date',
    literals: ["'2024-02-29'", "'2024-03-01'", "DATE '2024-02-29'", "'2023-02-29'"],
    defaults: ["'2024-02-29'", "DATE '2024-02-29' + 1", "'never'"],
    checks: ["@ > '2024-02-29'", '@ <= CURRENT_DATE'],
  },
];

interface Column {
  readonly name: string;
  readonly kind: Kind;
}

const names = ['a', 'b', 'c', 'd'];

const columnsOf = (most: number): fc.Arbitrary<readonly Column[]> =>
  fc
    .array(fc.constantFrom(...kinds), { minLength: 1, maxLength: most })
    .map((list) => list.map((kind, i) => ({ name: names[i], kind })));

/** One in `n`. */
const rarely = (n: number): fc.Arbitrary<boolean> => fc.nat(n - 1).map((i) => i === 0);

const on = (check: string, { name }: Column): string => check.replaceAll('@', name);

function columnText(column: Column): fc.Arbitrary<string> {
  const { name, kind } = column;
  return fc
    .record({
      notNull: rarely(4),
      byDefault: fc.option(fc.constantFrom(...kind.defaults), { freq: 2 }),
      check: fc.option(fc.constantFrom(...kind.checks), { freq: 2 }),
      key: fc.constantFrom(
        '',
        '',
        '',
        '',
        '',
        '',
        ' UNIQUE',
        ' UNIQUE NULLS NOT DISTINCT',
        ' PRIMARY KEY',
        ' NULL',
      ),
      named: rarely(5),
    })
    .map(
      ({ notNull, byDefault, check, key, named }) =>
        `${name} ${kind.type}${notNull ? ' NOT NULL' : ''}${byDefault === null ? '' : ` DEFAULT ${byDefault}`}` +
        `${check === null ? '' : `${named ? ' CONSTRAINT one' : ''} CHECK (${on(check, column)})`}${key}`,
    );
}

function tableConstraints(columns: readonly Column[]): fc.Arbitrary<string> {
  const some = fc.shuffledSubarray(
    columns.map(({ name }) => name),
    { minLength: 1 },
  );
  const first = columns[0].name;
  const last = columns[columns.length - 1].name;
  return fc.oneof(
    some.map((list) => `UNIQUE (${list.join(', ')})`),
    some.map((list) => `UNIQUE NULLS NOT DISTINCT (${list.join(', ')})`),
    some.map((list) => `PRIMARY KEY (${list.join(', ')})`),
    fc.constantFrom(
      `CHECK (${first} IS NOT NULL OR ${last} IS NOT NULL)`,
      `CONSTRAINT both CHECK (${first} IS NULL OR coalesce(${last}, ${first}) = ${first})`,
      `CHECK (CASE WHEN t.${first} IS NULL THEN t.${last} IS NULL END)`,
    ),
  );
}

interface TableText {
  readonly columns: readonly Column[];
  readonly create: string;
}

/** A table that refers to another. */
interface Referring extends TableText {
  /** The key that the other table needs for it. */
  readonly needs: string;
}

const tables: fc.Arbitrary<TableText> = columnsOf(4).chain((columns) =>
  fc
    .tuple(fc.tuple(...columns.map(columnText)), fc.array(tableConstraints(columns), { maxLength: 2 }))
    .map(([own, more]) => ({ columns, create: `CREATE TABLE t (${[...own, ...more].join(', ')})` })),
);

/** A table that refers to `t` by one column or two. */
function referring(columns: readonly Column[]): fc.Arbitrary<Referring> {
  return fc
    .record({
      to: fc.shuffledSubarray(columns.slice(0, 2), { minLength: 1 }),
      by: fc.constantFrom('column', 'table', 'primary key', 'self'),
      unique: fc.boolean(),
    })
    .map(({ to, by, unique }) => {
      const own = to.map((column, i) => ({ name: names[i], kind: column.kind }));
      const typed = own.map(({ name, kind }) => `${name} ${kind.type}`);
      const list = own.map(({ name }) => name).join(', ');
      const referred = to.map(({ name }) => name).join(', ');
      const key = unique ? `, UNIQUE (${list})` : '';
      const columnsText =
        by === 'column' && own.length === 1
          ? `${typed[0]} REFERENCES t (${referred})${key}`
          : by === 'self'
            ? `${typed.join(', ')}${key}, FOREIGN KEY (${list}) REFERENCES u (${list})`
            : `${typed.join(', ')}${key}, FOREIGN KEY (${list}) REFERENCES t${by === 'table' ? ` (${referred})` : ''}`;
      const needs = by === 'table' || by === 'column' ? `UNIQUE (${referred})` : `PRIMARY KEY (${referred})`;
      return { columns: own, create: `CREATE TABLE u (${columnsText})`, needs };
    });
}

function literal({ kind }: Column): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...kind.literals.slice(0, 4)) },
    { weight: 6, arbitrary: fc.constantFrom(...kind.literals) },
    { weight: 1, arbitrary: fc.constant('NULL') },
    { weight: 1, arbitrary: fc.constant('DEFAULT') },
  );
}

function insertsInto(table: string, columns: readonly Column[]): fc.Arbitrary<string> {
  const values = fc
    .shuffledSubarray([...columns], { minLength: 1 })
    .chain((some) =>
      fc
        .array(fc.tuple(...some.map(literal)), { minLength: 1, maxLength: 3 })
        .map(
          (rows) =>
            `INSERT INTO ${table} (${some.map(({ name }) => name).join(', ')}) VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`,
        ),
    );
  const shorter = fc
    .integer({ min: 1, max: columns.length })
    .chain((n) => fc.tuple(...columns.slice(0, n).map(literal)))
    .map((row) => `INSERT INTO ${table} VALUES (${row.join(', ')})`);
  const list = columns.map(({ name }) => name).join(', ');
  return fc.oneof(
    { weight: 6, arbitrary: values },
    { weight: 3, arbitrary: shorter },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `INSERT INTO ${table} DEFAULT VALUES`,
        `INSERT INTO ${table} SELECT * FROM ${table}`,
        `INSERT INTO ${table} (${list}) SELECT ${list} FROM ${table} WHERE ${columns[0].name} IS NULL`,
      ),
    },
  );
}

export interface Script {
  readonly creates: readonly string[];
  readonly inserts: readonly string[];
}

/** The table with one more constraint. */
const demanding = (create: string, constraint: string): string => create.replace(/\)$/, `, ${constraint})`);

export const scripts: fc.Arbitrary<Script> = tables
  .chain((t) =>
    fc.tuple(fc.constant(t), fc.option(referring(t.columns), { freq: 2 }), fc.integer({ min: 0, max: 3 })),
  )
  .chain(([t, u, bare]) =>
    fc
      .array(
        u ? fc.oneof(insertsInto('t', t.columns), insertsInto('u', u.columns)) : insertsInto('t', t.columns),
        { minLength: 4, maxLength: 16, size: 'max' },
      )
      .map((inserts) => ({
        // Now and then the key is missing, and the foreign key is refused.
        creates: u ? [bare === 0 ? t.create : demanding(t.create, u.needs), u.create] : [t.create],
        inserts,
      })),
  );
