/**
 * Statements that make tables, and a query over what they made: CREATE TABLE, INSERT of rows and of queries,
 * CREATE TABLE AS, DROP TABLE.
 */
import { type SqlTable, type SqlType, typeNames } from '../generated-sql-schema.js';
import { parameter } from './literals.js';
import type { SqlParameter, Writer } from './writer.js';
import { output, outputs, withParameters } from './writer.js';

export interface WrittenStatement {
  readonly text: string;
  readonly parameters: readonly SqlParameter[];
}

/** Names under which SQL knows each type, besides the usual one. */
const synonyms: { readonly [type in SqlType]: readonly string[] } = {
  integer: ['int', 'bigint', 'smallint', 'int4'],
  float: ['float8', 'float', 'double precision'],
  text: ['varchar', 'character varying'],
  boolean: ['bool'],
  date: ['date'],
  timestamp: ['timestamp without time zone'],
  interval: ['interval'],
};

/** Each statement comes with the parameters that it names; `w.parameters` is empty again at the end. */
export function writeStatements(w: Writer): WrittenStatement[] {
  const statements: WrittenStatement[] = [];
  const done = (text: string) => statements.push(withParameters(text, w.parameters.splice(0)));
  const made = 1 + w.next(2);
  for (let count = 0; count < made; count += 1) {
    if (w.chance(3)) createAs(w, done);
    else create(w, done);
  }
  if (w.chance(6)) {
    done('CREATE TABLE IF NOT EXISTS r (other integer)');
    done('CREATE TABLE gone (a integer)');
    done('DROP TABLE gone');
    done('DROP TABLE IF EXISTS gone');
  }
  return statements;
}

function newTable(w: Writer, types: readonly SqlType[]): SqlTable {
  return { name: w.name('made'), columns: outputs(types) };
}

function createAs(w: Writer, done: (text: string) => void): void {
  const types = w.someTypes();
  const query = w.query(types, []);
  const table = newTable(w, types);
  const list = w.chance(3) ? ` (${table.columns.map((c) => c.name).join(', ')})` : '';
  const exists = w.pick('', 'IF NOT EXISTS ');
  done(`CREATE TABLE ${exists}${table.name}${list} AS ${query}`);
  w.tables.push(table);
}

function create(w: Writer, done: (text: string) => void): void {
  const types = w.someTypes();
  const table = newTable(w, types);
  const columns = table.columns.map(
    ({ name, type }) => `${name} ${w.pick(typeNames[type], ...synonyms[type])}${w.pick('', '', ' NULL')}`,
  );
  done(`CREATE TABLE ${table.name} (${columns.join(', ')})`);
  // Later inserts may read what earlier ones wrote.
  w.tables.push(table);
  const inserts = 1 + w.next(3);
  for (let count = 0; count < inserts; count += 1) done(insert(w, table));
}

function insert(w: Writer, table: SqlTable): string {
  const order = w.chance(2) ? [...table.columns].reverse() : table.columns;
  // Columns that are left out become NULL.
  const named = w.chance(2) ? order.slice(0, 1 + w.next(order.length)) : order;
  const listed = named.length < order.length || order !== table.columns || w.chance(2);
  const target = `${table.name}${listed ? ` (${named.map((c) => c.name).join(', ')})` : ''}`;
  const types = named.map((c) => c.type);
  if (w.chance(2)) {
    const rows = Array.from(
      { length: 1 + w.next(3) },
      () => `(${types.map((type) => value(w, type)).join(', ')})`,
    );
    return `INSERT INTO ${target} VALUES ${rows.join(', ')}`;
  }
  const query = w.query(types.map(assigned), []);
  return w.chance(5)
    ? `WITH x AS (${query}) INSERT INTO ${target} SELECT * FROM x`
    : `INSERT INTO ${target} ${query}`;

  /** A type that INSERT converts to the column's by itself. */
  function assigned(type: SqlType): SqlType {
    if (!w.chance(6)) return type;
    return type === 'float' ? 'integer' : type === 'timestamp' ? 'date' : type === 'integer' ? 'float' : type;
  }
}

function value(w: Writer, type: SqlType): string {
  return w.write([
    () => output(type, w.expression(type, { columns: [], subqueries: true })),
    () => 'NULL',
    () => parameter(w, type),
  ]);
}
