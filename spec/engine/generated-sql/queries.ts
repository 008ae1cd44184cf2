/**
 * Queries: SELECT with its clauses, set operations, VALUES, WITH, ORDER BY and LIMIT. Every query has one
 * right answer, so LIMIT and DISTINCT ON come with an order of all columns.
 */
import { type SqlType, sqlTypes } from '../generated-sql-schema.js';
import { literal } from './literals.js';
import { columnsOf, output, outputs, type ScopeColumn, type Writer } from './writer.js';

export interface WrittenQuery {
  readonly text: string;
  /** Whether the order of the rows is part of the answer. */
  readonly ordered: boolean;
}

export function writeTopLevel(w: Writer): WrittenQuery {
  const heads: string[] = [];
  for (let count = 0; count < 2 && w.chance(6); count += 1) heads.push(commonQuery(w));
  const head = heads.length > 0 ? `WITH ${heads.join(', ')} ` : '';
  const types = w.someTypes();
  if (w.chance(30)) return { text: `${head}${collected(w)}`, ordered: false };
  const body = withoutSecondWith(w, head, w.query(types, []));
  const order = w.pick<'none' | 'some' | 'limit' | 'expression'>(
    'none',
    'some',
    'limit',
    'none',
    'expression',
  );
  if (order === 'none') return { text: `${head}${body}`, ordered: false };
  const limit = order === 'limit' || w.chance(4) ? limitClause(w) : '';
  const ordering = types.map((_, i) => `${w.pick(`${i + 1}`, `c${i + 1}`)}${direction(w)}`).join(', ');
  if (order !== 'expression') return { text: `${head}${body} ORDER BY ${ordering}${limit}`, ordered: true };
  const alias = w.name('q');
  const columns = columnsOf(alias, outputs(types));
  const scope = { columns, subqueries: true };
  const type = w.pick(...sqlTypes);
  const written = w.chance(4) ? w.scalarSubquery(type, scope) : w.compound(type, scope);
  const key = reads(columns, written) ? written : columns[0].sql;
  const list = outputs(types).map(({ name }) => `${alias}.${name}`);
  return {
    text: `${head}SELECT ${list.join(', ')} FROM (${body}) AS ${alias} ORDER BY ${key}${direction(w)}, ${ordering}${limit}`,
    ordered: true,
  };
}

/** A query has one WITH. */
function withoutSecondWith(w: Writer, head: string, body: string): string {
  return head !== '' && body.startsWith('WITH') ? `SELECT * FROM (${body}) AS ${w.name('q')}` : body;
}

function direction(w: Writer): string {
  return `${w.pick('', ' DESC', ' ASC')}${w.pick('', ' NULLS FIRST', ' NULLS LAST')}`;
}

function limitClause(w: Writer): string {
  const count = w.write([
    () => `LIMIT ${w.next(4)}`,
    () => `LIMIT $${w.parameters.push(w.pick(2, 1, 0, null))}`,
    () => 'FETCH FIRST 2 ROWS ONLY',
    () => `LIMIT ${w.pick('ALL', 'NULL', '(1 + 1)')}`,
    () => '',
  ]);
  const offset = w.chance(3)
    ? w.pick(
        `OFFSET ${w.next(3)}`,
        'OFFSET 1 ROW',
        `OFFSET abs(${literal(w, 'integer')})`,
        `OFFSET $${w.parameters.push(1)}`,
      )
    : '';
  // FETCH comes last, LIMIT may come first.
  return (count.startsWith('FETCH') ? [offset, count] : [count, offset])
    .filter((part) => part !== '')
    .map((part) => ` ${part}`)
    .join('');
}

/**
 * Whether an expression reads a column: a constant as a key of ORDER BY or GROUP BY would be an ordinal or an
 * error.
 */
function reads(columns: readonly ScopeColumn[], sql: string): boolean {
  return columns.some((column) => sql.includes(column.sql));
}

function commonQuery(w: Writer): string {
  const types = w.someTypes();
  const sql = w.deeper(() => w.query(types, []));
  const name = w.name('w');
  w.common.push({ name, types });
  const list = w.chance(4)
    ? `(${outputs(types)
        .map((c) => c.name)
        .join(', ')})`
    : '';
  return `${name}${list} AS ${w.pick('', '', 'MATERIALIZED ', 'NOT MATERIALIZED ')}(${sql})`;
}

export function writeTypes(w: Writer): SqlType[] {
  return Array.from({ length: 1 + w.next(3) }, () => w.pick(...sqlTypes));
}

export function writeQuery(w: Writer, types: readonly SqlType[], outer: readonly ScopeColumn[]): string {
  if (w.roomy && w.chance(10)) return firstOnes(w, types, outer);
  if (w.roomy && w.chance(20)) {
    const known = w.common.length;
    const head = commonQuery(w);
    const body = select(w, types, outer);
    w.common.splice(known);
    return `WITH ${head} ${body}`;
  }
  const first = select(w, types, outer);
  if (!w.roomy || !w.chance(4)) return first;
  const operator = () =>
    w.pick('UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL', 'INTERSECT ALL', 'UNION DISTINCT');
  const operand = () => w.deeper(() => setOperand(w, types, outer));
  const two = `(${first}) ${operator()} (${operand()})`;
  if (!w.chance(3)) return two;
  // Without brackets INTERSECT binds tighter, and the others go from left to right.
  // The first operand names the columns, which VALUES would call column1.
  if (w.chance(3)) return `(${w.deeper(() => select(w, types, outer))}) ${operator()} (${two})`;
  return w.chance(2) ? `${two} ${operator()} (${operand()})` : `(${two}) ${operator()} (${operand()})`;
}

function setOperand(w: Writer, types: readonly SqlType[], outer: readonly ScopeColumn[]): string {
  const same = w.common.find((query) => query.types.join() === types.join());
  if (same && w.chance(2)) return `TABLE ${same.name}`;
  if (w.chance(6)) {
    const row = () =>
      `(${types.map((type) => output(type, w.expression(type, { columns: outer, subqueries: false }))).join(', ')})`;
    return `VALUES ${row()}, ${row()}`;
  }
  return w.chance(5) ? w.query(types, outer) : select(w, types, outer);
}

/** LIMIT and DISTINCT ON inside a query: over distinct rows in a total order, so that the answer is one. */
function firstOnes(w: Writer, types: readonly SqlType[], outer: readonly ScopeColumn[]): string {
  const inner = w.deeper(() => w.query(types, outer));
  const distinct = `(SELECT DISTINCT * FROM (${inner}) AS ${w.name('q')}) AS ${w.name('q')}`;
  const all = outputs(types)
    .map(({ name }) => name)
    .join(', ');
  const first = w.chance(2)
    ? `SELECT DISTINCT ON (c1) ${all} FROM ${distinct} ORDER BY ${all}`
    : `SELECT ${all} FROM ${distinct} ORDER BY ${all} LIMIT ${1 + w.next(2)} OFFSET ${w.next(2)}`;
  return `SELECT ${all} FROM (${first}) AS ${w.name('q')}`;
}

function list(types: readonly SqlType[], expressions: readonly string[]): string {
  return expressions.map((sql, i) => `${output(types[i], sql)} AS c${i + 1}`).join(', ');
}

function select(w: Writer, types: readonly SqlType[], outer: readonly ScopeColumn[]): string {
  if (w.chance(25)) {
    const scope = { columns: outer, subqueries: true };
    const where = w.chance(2) ? ` WHERE ${w.condition(scope)}` : '';
    return `SELECT ${list(
      types,
      types.map((type) => w.expression(type, scope)),
    )}${where}`;
  }
  const from = w.from();
  const scope = { columns: [...from.columns, ...outer], subqueries: true };
  const where = w.chance(2) ? ` WHERE ${w.condition(scope)}` : '';
  const kind = w.pick<'plain' | 'keys' | 'distinct' | 'global' | 'ordinals'>(
    'plain',
    'plain',
    'keys',
    'distinct',
    'global',
    'ordinals',
  );
  const tail = ` FROM ${from.sql}${where}`;
  switch (kind) {
    case 'keys':
      return groupedByKeys(w, types, from.columns, tail);
    case 'global':
      return `SELECT ${grouped(w, types, [], from.columns)}${tail}${having(w, [], from.columns)}`;
    case 'ordinals':
      return groupedByOutput(w, types, from.columns, tail);
    default: {
      const items = types.map((type) => w.expression(type, scope));
      return `SELECT ${kind === 'distinct' ? 'DISTINCT ' : ''}${list(types, items)}${tail}`;
    }
  }
}

/** GROUP BY columns, or expressions of them. */
function groupedByKeys(
  w: Writer,
  types: readonly SqlType[],
  rows: readonly ScopeColumn[],
  tail: string,
): string {
  const keys = Array.from({ length: 1 + w.next(2) }, (): ScopeColumn => {
    if (!w.roomy || !w.chance(4)) return w.pick(...rows);
    const type = w.pick(...sqlTypes);
    const sql = w.compound(type, { columns: rows, subqueries: false });
    return reads(rows, sql) ? { sql: output(type, sql), type } : w.pick(...rows);
  });
  const by = [...new Set(keys.map((key) => key.sql))].join(', ');
  return `SELECT ${grouped(w, types, keys, rows)}${tail} GROUP BY ${by}${having(w, keys, rows)}`;
}

/** GROUP BY ordinals or output names: the first column is the key. */
function groupedByOutput(
  w: Writer,
  types: readonly SqlType[],
  rows: readonly ScopeColumn[],
  tail: string,
): string {
  const [type, ...rest] = types;
  const sql = output(type, w.expression(type, { columns: rows, subqueries: false }));
  if (!reads(rows, sql)) return `SELECT ${grouped(w, types, [], rows)}${tail}`;
  // An input column of the same name would come first.
  const name = rows.some((column) => column.sql.endsWith('.c1')) ? '1' : w.pick('1', 'c1');
  const key = { sql, type };
  const others = rest.map((other) => groupedExpression(w, other, [key], rows));
  return `SELECT ${list(types, [sql, ...others])}${tail} GROUP BY ${name}${having(w, [], rows)}`;
}

function having(w: Writer, keys: readonly ScopeColumn[], rows: readonly ScopeColumn[]): string {
  return w.chance(3) ? ` HAVING ${groupedExpression(w, 'boolean', keys, rows)}` : '';
}

function grouped(
  w: Writer,
  types: readonly SqlType[],
  keys: readonly ScopeColumn[],
  rows: readonly ScopeColumn[],
): string {
  return list(
    types,
    types.map((type) => groupedExpression(w, type, keys, rows)),
  );
}

/**
 * What a grouped query may use: its keys, aggregates over its rows; in subqueries its keys that are columns.
 */
function groupedExpression(
  w: Writer,
  type: SqlType,
  keys: readonly ScopeColumn[],
  rows: readonly ScopeColumn[],
): string {
  if (w.roomy && w.chance(8)) {
    const columns = keys.filter((key) => rows.includes(key));
    return w.scalarSubquery(type, { columns, subqueries: true });
  }
  const parts: ScopeColumn[] = [
    ...keys,
    ...sqlTypes.flatMap((t) =>
      (w.roomy && w.chance(3)) || t === type ? [{ sql: w.aggregate(t, rows), type: t }] : [],
    ),
  ];
  if (w.chance(2)) return w.expression(type, { columns: parts, subqueries: false });
  return w.pick(...parts.filter((part) => part.type === type)).sql;
}

/** Aggregates that collect: an array is no type that an expression could go on with. */
function collected(w: Writer): string {
  const from = w.from();
  const scope = { columns: from.columns, subqueries: false };
  const type = w.pick<SqlType>('integer', 'text', 'boolean');
  const value = `CAST(${w.expression(type, scope)} AS ${type})`;
  const order = `ORDER BY ${value}${direction(w)}`;
  const filter = w.chance(3) ? ` FILTER (WHERE ${w.condition(scope)})` : '';
  const key = w.pick(...from.columns).sql;
  return `SELECT ${w.pick('array_agg', 'json_agg', 'jsonb_agg')}(${w.pick('', 'DISTINCT ')}${value} ${order})${filter} AS c1 FROM ${from.sql} GROUP BY ${key}`;
}
