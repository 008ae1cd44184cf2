/**
 * INSERT. A column that is not named, or whose value is DEFAULT, gets its default as a literal of the query,
 * so the executor sees nothing but a query.
 */
import type { InsertStmt, Node, SelectStmt } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { type Expression, freshColumn } from '../../plan/expression.js';
import type { LogicalPlan } from '../../plan/plan.js';
import type { Table } from '../../table/table.js';
import type { Value } from '../../value/value.js';
import { assigned } from '../assign.js';
import { coerce } from '../coerce.js';
import type { BindContext } from '../context.js';
import type { BoundQuery } from '../environment.js';
import { suggestion } from '../parse/sql-error.js';
import { items, locationOf, selectOf } from '../parse/tree.js';
import type { Statement } from '../statement.js';
import { bindQuery } from './select.js';

/** The row of INSERT … DEFAULT VALUES: nothing is given. */
const nothing: BoundQuery = { plan: { kind: 'values', columns: [], rows: [[]] }, columns: [] };

export function bindInsert(node: InsertStmt, context: BindContext): Statement {
  const name = node.relation?.relname ?? '';
  const place = context.place(node.relation?.location);
  const table = context.tables.table(name);
  if (!table) {
    throw context.error('unknown-table', `table ${visibleText(name)} does not exist`, place, {
      hint: suggestion(name, context.tables.names()),
    });
  }
  const columns = targetColumns(node, table, context);
  const select = selectOf(node.selectStmt);
  if (select?.valuesLists && isPlain(select)) aim(select.valuesLists, table, columns, context);
  if (node.withClause && select?.withClause) throw context.unsupported('WITH twice in one INSERT', place);
  const query = select ? bindQuery(context, withClauseOf(node, select)) : nothing;
  const given = query.columns.length;
  if (given > columns.length || (node.cols && given < columns.length)) {
    throw context.error('type', `INSERT has ${given} values for ${columns.length} columns`, place);
  }
  const used = columns.slice(0, given);
  return {
    kind: 'insert',
    table,
    ...completed(convertedTo(query, table, used, context), table, used, context),
  };
}

/** WITH before INSERT belongs to its query. */
function withClauseOf(node: InsertStmt, select: SelectStmt): SelectStmt {
  return node.withClause ? { ...select, withClause: select.withClause ?? node.withClause } : select;
}

/** A VALUES that is ordered or cut is a query of its own, with types of its own. */
function isPlain({ sortClause, limitCount, limitOffset }: SelectStmt): boolean {
  return !sortClause && !limitCount && !limitOffset;
}

function targetColumns(node: InsertStmt, table: Table, context: BindContext): readonly number[] {
  if (!node.cols) return table.columns.map((_, i) => i);
  const columns = node.cols.map((column) => targetColumn(column, table, context));
  const twice = columns.findIndex((column, i) => columns.indexOf(column) !== i);
  if (twice < 0) return columns;
  throw context.error(
    'duplicate-column',
    `column ${visibleText(table.columns[columns[twice]].name)} is named twice`,
    context.place(locationOf(node.cols[twice])),
  );
}

function targetColumn(node: Node, table: Table, context: BindContext): number {
  const name = 'ResTarget' in node ? (node.ResTarget.name ?? '') : '';
  const index = table.columns.findIndex((column) => column.name === name);
  if (index >= 0) return index;
  throw context.error(
    'unknown-column',
    `table ${visibleText(table.name)} has no column ${visibleText(name)}`,
    context.place(locationOf(node)),
    {
      hint: suggestion(
        name,
        table.columns.map((column) => column.name),
      ),
    },
  );
}

/** Says which column each value of the lists is for. */
function aim(lists: readonly Node[], table: Table, columns: readonly number[], context: BindContext): void {
  const targets = columns.map((column) => ({
    ...table.columns[column],
    default: () => defaultOf(table, column, context),
  }));
  for (const list of lists) {
    for (const [i, node] of items(list).entries())
      if (i < targets.length) context.targets.set(node, targets[i]);
  }
}

function defaultOf(table: Table, column: number, context: BindContext): Value {
  return table.constraints?.defaults.get(column)?.value(context.now) ?? null;
}

/** The query with its columns brought to the types of the table's. */
function convertedTo(
  query: BoundQuery,
  table: Table,
  columns: readonly number[],
  context: BindContext,
): BoundQuery {
  const targets = columns.map((column) => table.columns[column]);
  if (query.columns.every((column, i) => column.type === targets[i].type)) return query;
  const { plan } = query;
  const expressions = query.columns.map((column, i): Expression => {
    const source = plan.kind === 'project' ? plan.expressions[i] : undefined;
    if (source && (source.kind === 'literal' || context.untyped.has(source)))
      return coerce(context, source, targets[i].type);
    const { id, type } = column;
    return assigned(context, { kind: 'column', id, type, place: source?.place ?? { offset: 0 } }, targets[i]);
  });
  return projected(
    plan,
    targets.map((target) => target.name),
    expressions,
  );
}

/** The query with the defaults of the columns that it does not fill. */
function completed(
  query: BoundQuery,
  table: Table,
  columns: readonly number[],
  context: BindContext,
): { readonly columns: readonly number[]; readonly query: BoundQuery } {
  const defaults = [...(table.constraints?.defaults.keys() ?? [])].filter((c) => !columns.includes(c));
  if (defaults.length === 0) return { columns, query };
  const all = [...columns, ...defaults];
  const expressions = [
    ...query.columns.map(({ id, type }): Expression => ({ kind: 'column', id, type })),
    ...defaults.map(
      (column): Expression => ({
        kind: 'literal',
        value: defaultOf(table, column, context),
        type: table.columns[column].type,
      }),
    ),
  ];
  const names = all.map((column) => table.columns[column].name);
  return { columns: all, query: projected(query.plan, names, expressions) };
}

function projected(
  input: LogicalPlan,
  names: readonly string[],
  expressions: readonly Expression[],
): BoundQuery {
  const columns = expressions.map(({ type }, i) => freshColumn(names[i], type));
  return { plan: { kind: 'project', input, columns, expressions }, columns };
}
