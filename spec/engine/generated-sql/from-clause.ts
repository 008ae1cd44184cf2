/** FROM: tables, derived tables, VALUES, queries of WITH, and the joins between them. */
import type { SqlTable } from '../generated-sql-schema.js';
import { literal } from './literals.js';
import { columnsOf, outputs, type Relation, type ScopeColumn, type Writer } from './writer.js';

const joins = ['JOIN', 'LEFT JOIN', 'CROSS', ',', 'RIGHT JOIN', 'FULL JOIN'];

export function writeFrom(w: Writer): Relation {
  let relation = item(w);
  for (let count = 0; count < 2 && w.roomy && w.chance(3); count += 1) {
    const kind = w.pick(...joins);
    const lateral = w.roomy && w.chance(5) && (kind === 'JOIN' || kind === 'LEFT JOIN' || kind === ',');
    // A comma binds weaker than JOIN: nothing before it can be joined further.
    if (lateral && kind === ',') return lateralItem(w, relation, '');
    if (lateral) relation = lateralItem(w, relation, kind);
    else if (kind === ',' && count === 0) return beside(relation, ',', item(w));
    else relation = joined(w, relation, kind === ',' ? 'JOIN' : kind, item(w));
  }
  return relation;
}

function beside(left: Relation, between: string, right: Relation, on = ''): Relation {
  return {
    sql: `${left.sql}${between === ',' ? ',' : ` ${between}`} ${right.sql}${on}`,
    columns: [...left.columns, ...right.columns],
  };
}

function joined(w: Writer, left: Relation, kind: string, right: Relation): Relation {
  const equality = equalColumns(w, left.columns, right.columns);
  if (kind === 'CROSS' || (equality === 'TRUE' && kind === 'FULL JOIN'))
    return beside(left, 'CROSS JOIN', right);
  // PostgreSQL refuses FULL JOIN on anything but equalities.
  const on =
    kind === 'FULL JOIN' || !w.chance(3)
      ? equality
      : `${equality} AND ${w.deeper(() => joinCondition(w, left.columns, right.columns))}`;
  return beside(left, kind, right, ` ON ${on}`);
}

function equalColumns(w: Writer, left: readonly ScopeColumn[], right: readonly ScopeColumn[]): string {
  const pairs = left.flatMap((l) => right.filter((r) => r.type === l.type).map((r) => `${l.sql} = ${r.sql}`));
  return pairs.length === 0 ? 'TRUE' : w.pick(...pairs);
}

/** With subqueries where it reads one side only. */
function joinCondition(w: Writer, left: readonly ScopeColumn[], right: readonly ScopeColumn[]): string {
  if (!w.chance(3)) return w.condition({ columns: [...left, ...right], subqueries: false });
  return w.condition({ columns: w.chance(2) ? left : right, subqueries: true });
}

function lateralItem(w: Writer, left: Relation, kind: string): Relation {
  const alias = w.name('q');
  const types = w.someTypes();
  const sql = `LATERAL (${w.deeper(() => w.query(types, left.columns))}) AS ${alias}`;
  const right = { sql, columns: columnsOf(alias, outputs(types)) };
  if (kind === '') return beside(left, ',', right);
  return beside(
    left,
    kind,
    right,
    ` ON ${w.chance(2) ? equalColumns(w, left.columns, right.columns) : 'TRUE'}`,
  );
}

function item(w: Writer): Relation {
  const alias = w.name('q');
  if (w.roomy && w.chance(6)) return derived(w, alias);
  if (w.common.length > 0 && w.chance(2)) {
    const { name, types } = w.pick(...w.common);
    return { sql: `${name} AS ${alias}`, columns: columnsOf(alias, outputs(types)) };
  }
  if (w.chance(10)) return merged(w, alias);
  if (w.chance(10)) return values(w, alias);
  const table = w.pick(...w.tables);
  if (!w.chance(8))
    return { sql: `${table.name} ${w.pick('AS ', '')}${alias}`, columns: columnsOf(alias, table.columns) };
  // Columns renamed, the last one keeps its name.
  const names = table.columns.slice(0, -1).map((_, i) => `k${i + 1}`);
  const columns = table.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }));
  const list = names.length > 0 ? `(${names.join(', ')})` : '';
  return { sql: `${table.name} AS ${alias}${list}`, columns: columnsOf(alias, columns) };
}

function derived(w: Writer, alias: string): Relation {
  const types = w.someTypes();
  const inner = w.deeper(() => w.query(types, []));
  const sql = w.chance(4) ? `SELECT ${w.pick('*', 'z.*')} FROM (${inner}) AS z` : inner;
  return { sql: `(${sql}) AS ${alias}`, columns: columnsOf(alias, outputs(types)) };
}

function values(w: Writer, alias: string): Relation {
  const types = w.someTypes();
  const row = () => `(${types.map((type) => literal(w, type)).join(', ')})`;
  const rows = Array.from({ length: 1 + w.next(3) }, row);
  const columns = types.map((type, i) => ({ name: `v${i + 1}`, type }));
  return {
    sql: `(VALUES ${rows.join(', ')}) AS ${alias}(${columns.map((c) => c.name).join(', ')})`,
    columns: columnsOf(alias, columns),
  };
}

/** USING and NATURAL, inside a derived table that shows what `*` makes of the merged columns. */
function merged(w: Writer, alias: string): Relation {
  const left = w.pick(...w.tables);
  const shared = (other: SqlTable) =>
    left.columns.filter((l) => other.columns.some((r) => r.name === l.name && r.type === l.type));
  const right = w.pick(...w.tables.filter((table) => shared(table).length > 0));
  const kind = w.pick('', 'LEFT ', 'RIGHT ', 'FULL ', 'INNER ');
  const all = shared(right);
  const alike = left.columns.every((l) => all.includes(l) || right.columns.every((r) => r.name !== l.name));
  const natural = alike && w.chance(3);
  const using = natural || w.chance(2) ? all : [all[w.next(all.length)]];
  const names = using.map((column) => column.name);
  const on = natural ? '' : ` USING (${names.join(', ')})${w.chance(3) ? ' AS m' : ''}`;
  const rest = [...left.columns, ...right.columns].filter((column) => !names.includes(column.name));
  const columns = [...using, ...rest].map((column, i) => ({ name: `n${i + 1}`, type: column.type }));
  const list = on.endsWith(' AS m')
    ? ['m.*', ...[left, right].map((table, i) => others(table, names, i)).filter((part) => part !== '')].join(
        ', ',
      )
    : '*';
  const join = `${left.name} AS x0 ${natural ? 'NATURAL ' : ''}${kind}JOIN ${right.name} AS x1${on}`;
  const whole = w.chance(3) && list === '*' ? `(${join}) AS y` : join;
  return {
    sql: `(SELECT ${list} FROM ${whole}) AS ${alias}(${columns.map((c) => c.name).join(', ')})`,
    columns: columnsOf(alias, columns),
  };
}

function others(table: SqlTable, merged: readonly string[], side: number): string {
  return table.columns
    .filter((column) => !merged.includes(column.name))
    .map((column) => `x${side}.${column.name}`)
    .join(', ');
}
