/**
 * Expressions that may raise an error on some row. Every part of them reads a column, since PostgreSQL
 * computes constants before it knows whether a CASE will ever come to them.
 */
import { type SqlType, sqlTables, typeNames } from '../generated-sql-schema.js';
import { columnsOf, type ScopeColumn, type Writer } from './writer.js';

const columns = sqlTables.flatMap((table) => columnsOf(table.name, table.columns));

/** One such expression over the cross product of all tables. */
export function writeFailingQuery(w: Writer): string {
  return `SELECT ${failing(w, w.pick<SqlType>('integer', 'float', 'text', 'boolean', 'date'))} AS c1 FROM r, t, u`;
}

function column(w: Writer, type: SqlType): string {
  const fitting: readonly ScopeColumn[] = columns.filter((c) => c.type === type);
  return w.pick(...fitting).sql;
}

/** @param guarded below a form that may not come to it: subqueries are computed for every row all the same */
function failing(w: Writer, type: SqlType, guarded = false): string {
  const nested = (t: SqlType): string =>
    w.deeper(() => (w.roomy && w.chance(3) ? failing(w, t, guarded) : column(w, t)));
  if (w.roomy && w.chance(3)) return lazy(w, type);
  const own = forms(w, nested)[type];
  return w.write(guarded ? own : [...own, ...subqueryForms(w, type, nested)]);
}

/** Forms that leave operands alone that they do not need. */
function lazy(w: Writer, type: SqlType): string {
  const may = (t: SqlType) => w.deeper(() => (w.roomy ? failing(w, t, true) : column(w, t)));
  const options = [
    () => `CASE WHEN ${may('boolean')} THEN ${may(type)} ELSE ${may(type)} END`,
    () =>
      `CASE ${may('integer')} WHEN 0 THEN ${may(type)} WHEN ${may('integer')} THEN ${may(type)} ELSE ${may(type)} END`,
    () => `coalesce(${may(type)}, ${may(type)})`,
  ];
  return w.write(options);
}

function subqueryForms(w: Writer, type: SqlType, nested: (type: SqlType) => string): (() => string)[] {
  const some = () => column(w, 'integer');
  if (type === 'integer')
    return [() => `coalesce((SELECT x.b FROM r AS x WHERE x.a ${w.pick('=', '>')} ${some()}), 0)`];
  if (type !== 'boolean') return [];
  return [() => `(${nested('integer')} = ${w.pick('ANY', 'ALL')} (SELECT x.b / ${some()} FROM r AS x))`];
}

/** A text that reads as something else, or does not. */
function readable(w: Writer, samples: readonly string[]): string {
  const [first, ...rest] = samples;
  const integer = column(w, 'integer');
  return `CASE ${integer} WHEN 0 THEN ${w.pick(...rest)} WHEN 2 THEN ${w.pick(...rest)} WHEN 1 THEN ${column(w, 'text')} ELSE ${first} END`;
}

const readableTexts = {
  integer: ["'12'", "' 7 '", "'1.5'", "'-3'", "''", "'1e3'", "'0x1A'", "'1_000'", "'+5'", "'- 5'"],
  float: ["'1.5'", "'1e3'", "'.5'", "'nan'", "'-inf'", "'1.5.2'", "' 2 '", "'1e'", "'5.'", "'1e400'"],
  boolean: ["'true'", "'t'", "'tru'", "'off'", "'of'", "'o'", "'YES'", "' 1 '", "'10'", "''"],
  date: [
    "'2022-01-08'",
    "'2022-02-30'",
    "'2022-1-8'",
    "'20220108'",
    "'x'",
    "'2022-13-01'",
    "'2022-01-08 10:00'",
  ],
  timestamp: [
    "'2022-01-08 10:30'",
    "'2022-01-08T10:30:00Z'",
    "'2022-01-08 25:00'",
    "'2022-01-08 24:00:00'",
    "'x'",
  ],
  interval: [
    "'1 day'",
    "'1 day 2 hours ago'",
    "'1 fortnight'",
    "'01:02:03'",
    "'P1D'",
    "''",
    "'1.5 years'",
    "'3'",
  ],
};

function forms(
  w: Writer,
  nested: (type: SqlType) => string,
): { readonly [type in SqlType]: readonly (() => string)[] } {
  const int = () => `CAST(${nested('integer')} AS integer)`;
  const float = () => nested('float');
  const text = () => nested('text');
  const read = (type: keyof typeof readableTexts) =>
    `CAST(${readable(w, readableTexts[type])} AS ${typeNames[type]})`;
  return {
    integer: [
      () => `(${int()} ${w.pick('/', '%')} ${int()})`,
      () => `mod(${int()}, ${int()})`,
      () => read('integer'),
      () => `CAST(${float()} AS integer)`,
      () => `ascii(chr(${int()}))`,
      () => `gcd(${int()}, ${int()})`,
      () => `length(repeat('ab', ${int()}))`,
    ],
    float: [
      () => `(${float()} / ${float()})`,
      () => `${w.pick('sqrt', 'ln', 'log', 'log10')}(${float()})`,
      () => `power(${float()}, ${float()})`,
      () => read('float'),
      () => `${w.pick('asin', 'acos')}(${float()})`,
      () => `CAST(CAST(${float()} AS numeric) / CAST(${float()} AS numeric) AS double precision)`,
      () => `CAST(div(CAST(${float()} AS numeric), CAST(${int()} AS numeric)) AS double precision)`,
      () => `exp(${float()} * 1000)`,
      () => `CAST(CAST(${float()} * 100 AS numeric(3, 1)) AS double precision)`,
      () => `CAST(log(CAST(${int()} AS numeric), CAST(${float()} AS numeric)) AS double precision)`,
    ],
    text: [
      () => `substring(${text()} FROM ${int()} FOR ${int()})`,
      () => `split_part(${text()}, 'a', ${int()})`,
      () => `overlay(${text()} PLACING 'x' FROM ${int()})`,
      () => `chr(${int()} * 40)`,
      () => `to_char(${nested('date')}, 'YYYY')`,
      () => `CAST(${read('timestamp')} AS text)`,
      () => `CAST(${read('interval')} AS text)`,
      () => `lpad(${text()}, ${int()})`,
    ],
    boolean: [
      () => read('boolean'),
      () => `(${text()} LIKE (${text()} || '\\'))`,
      () => `(${text()} LIKE ${text()} ESCAPE ${text()})`,
      () => `(${nested('integer')} ${w.pick('=', '<')} ${nested('integer')})`,
      () => `(${nested('float')} > ${nested('float')})`,
    ],
    date: [
      () => read('date'),
      () => `make_date(2022, ${int()}, ${int()})`,
      () => `(${nested('date')} + ${int()})`,
      () => `to_date(${readable(w, ["'2022-01-08'", "'2022-02-30'", "'x'", "'2022-12'"])}, 'YYYY-MM-DD')`,
      () => `CAST(date_trunc(${readable(w, ["'month'", "'year'", "'bogus'"])}, ${nested('date')}) AS date)`,
    ],
    timestamp: [() => read('timestamp')],
    interval: [() => read('interval')],
  };
}
