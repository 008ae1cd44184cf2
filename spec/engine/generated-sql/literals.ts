/** Constants: literals and parameters. */
import { type SqlType, typeNames } from '../generated-sql-schema.js';
import type { SqlParameter, Writer } from './writer.js';

const literals: { readonly [type in SqlType]: readonly string[] } = {
  integer: ['1', '0', '2', '(-1)', 'CAST(NULL AS integer)', '3::integer', '0x1F'],
  float: [
    "CAST('0.5' AS double precision)",
    "CAST('2' AS double precision)",
    'CAST(NULL AS double precision)',
    '1.5::float8',
    'CAST(25e-2 AS real)',
  ],
  text: ["'a'", "'b'", "''", "'ab'", "'Bc'", 'CAST(NULL AS text)', "'é%_'", "E'a\\\\b'", "$$it's$$"],
  boolean: ['TRUE', 'FALSE', 'CAST(NULL AS boolean)', "'yes'::boolean"],
  date: ["DATE '2022-01-08'", "DATE '2022-02-28'", 'CAST(NULL AS date)', "'2024-02-29'::date"],
  timestamp: [
    "TIMESTAMP '2022-01-08 10:30:00'",
    "TIMESTAMP '2022-01-31'",
    'CAST(NULL AS timestamp)',
    "'1999-12-31 23:59:59.25'::timestamp",
  ],
  interval: [
    "INTERVAL '1 day'",
    "INTERVAL '1 month'",
    'CAST(NULL AS interval)',
    "INTERVAL '90 minutes'",
    "INTERVAL '2' HOUR",
    "CAST('1 year -3 days 04:05:06.5' AS interval)",
    "INTERVAL '-1' MONTH",
  ],
};

const parameterValues: { readonly [type in SqlType]: readonly SqlParameter[] } = {
  integer: [1, 0, null, 2, -1],
  float: [0.5, 2, null, -1.5],
  text: ['a', '', null, 'B%', 'ab'],
  boolean: [true, false, null],
  date: ['2022-01-08', '2022-01-09', null, '2024-02-29'],
  timestamp: ['2022-01-08 10:30:00', null, '2022-01-09'],
  interval: ['1 day', null, '1 mon 02:00:00'],
};

export function literal(w: Writer, type: SqlType): string {
  if (w.chance(5)) return `CAST(${parameter(w, type)} AS ${typeNames[type]})`;
  return w.pick(...literals[type]);
}

/** `$n`, without a type: for places whose surroundings tell it. */
export function parameter(w: Writer, type: SqlType): string {
  return `$${w.parameters.push(w.pick(...parameterValues[type]))}`;
}

/** Regular expressions: greedy and not, classes, edges, alternatives, groups, bounds. */
export const regexps = [
  "'a'",
  "'^a|b$'",
  "'[^a]+?'",
  "'(ab?)*'",
  "'[[:alpha:]]{1,2}'",
  "'\\w+'",
  "'\\mb'",
  "'.{2}'",
  "''",
  "'(?:a|ab)(b|c)?'",
  "'[%_\\\\]'",
  "'A'",
];
