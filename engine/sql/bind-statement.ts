/** Statements around queries: INSERT, CREATE TABLE [AS], DROP TABLE, EXPLAIN. */
import type { CreateStmt, CreateTableAsStmt, DropStmt, ExplainStmt, InsertStmt, Node } from 'libpg-query';
import { type Expression, freshColumn } from '../expression.js';
import { canCast } from '../operators/cast.js';
import type { Table } from '../table.js';
import type { Type } from '../value.js';
import { visibleText } from '../visible-text.js';
import { bindQuery } from './bind-select.js';
import { coerce } from './coerce.js';
import { BindContext, type BindOptions } from './context.js';
import type { BoundQuery } from './environment.js';
import type { ParsedStatement } from './parse.js';
import { suggestion } from './sql-error.js';
import type { Statement } from './statement.js';
import { locationOf, names, selectOf } from './tree.js';
import { namedType, typeNames } from './type-name.js';

/** Names, types and places are checked here; nothing is run. @throws {SqlError} */
export function bindStatement({ tree, source, start }: ParsedStatement, options: BindOptions): Statement {
  const context = new BindContext(source, options);
  if ('SelectStmt' in tree) return { kind: 'query', query: bindQuery(context, tree.SelectStmt) };
  if ('InsertStmt' in tree) return bindInsert(tree.InsertStmt, context);
  if ('CreateStmt' in tree) return bindCreate(tree.CreateStmt, context);
  if ('CreateTableAsStmt' in tree) return bindCreateAs(tree.CreateTableAsStmt, context);
  if ('DropStmt' in tree) return bindDrop(tree.DropStmt, context, start);
  if ('ExplainStmt' in tree) return bindExplain(tree.ExplainStmt, context);
  throw context.unsupported(Object.keys(tree)[0], { offset: start });
}

function bindInsert(node: InsertStmt, context: BindContext): Statement {
  const name = node.relation?.relname ?? '';
  const place = context.place(node.relation?.location);
  const table = context.tables.table(name);
  if (!table) {
    throw context.error('unknown-table', `table ${visibleText(name)} does not exist`, place, {
      hint: suggestion(name, context.tables.names()),
    });
  }
  const select = selectOf(node.selectStmt);
  if (!select) throw context.unsupported('DEFAULT VALUES', place);
  // WITH before INSERT belongs to its query.
  const query = bindQuery(
    context,
    node.withClause ? { ...select, withClause: select.withClause ?? node.withClause } : select,
  );
  if (node.withClause && select.withClause) throw context.unsupported('WITH twice in one INSERT', place);
  const columns = node.cols
    ? node.cols.map((column) => targetColumn(column, table, context))
    : table.columns.map((_, i) => i);
  const twice = columns.findIndex((column, i) => columns.indexOf(column) !== i);
  if (twice >= 0) {
    const at = context.place(locationOf(node.cols?.[twice]));
    throw context.error(
      'duplicate-column',
      `column ${visibleText(table.columns[columns[twice]].name)} is named twice`,
      at,
    );
  }
  const given = query.columns.length;
  if (given > columns.length || (node.cols && given < columns.length)) {
    throw context.error('type', `INSERT has ${given} values for ${columns.length} columns`, place);
  }
  const used = columns.slice(0, given);
  return { kind: 'insert', table, columns: used, query: convertedTo(query, table, used, context) };
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
    if (source?.kind === 'literal') return coerce(context, source, targets[i].type);
    const { type } = targets[i];
    const place = source?.place ?? { offset: 0 };
    if (!isAssignable(column.type, type)) {
      throw context.error(
        'type',
        `column ${visibleText(targets[i].name)} is ${type}, the value is ${column.type}`,
        place,
        {
          hint: canCast(column.type, type) ? `write CAST(… AS ${type})` : undefined,
        },
      );
    }
    return coerce(context, { kind: 'column', id: column.id, type: column.type, place }, type);
  });
  const fresh = targets.map((target) => freshColumn(target.name, target.type));
  return { plan: { kind: 'project', input: plan, columns: fresh, expressions }, columns: fresh };
}

/** What INSERT converts by itself; text is let through since VALUES lists hold literals in quotes. */
function isAssignable(from: string, to: string): boolean {
  if (from === to || from === 'null' || from === 'text' || to === 'text') return true;
  const pair = `${from} ${to}`;
  return ['integer float', 'float integer', 'date timestamp', 'timestamp date'].includes(pair);
}

function bindCreate(node: CreateStmt, context: BindContext): Statement {
  const columns: { readonly name: string; readonly type: Type }[] = [];
  for (const element of node.tableElts ?? []) {
    if (!('ColumnDef' in element))
      throw context.unsupported(Object.keys(element)[0], context.place(locationOf(element)));
    const { colname: name = '', typeName, location } = element.ColumnDef;
    const named = namedType(typeName);
    if (typeof named === 'string' || named.modifier) {
      const reason = typeof named === 'string' ? named : `${named.name}(…) as a column type is not supported`;
      throw context.error('unknown-type', reason, context.place(typeName?.location), {
        hint:
          typeof named === 'string'
            ? suggestion(names(typeName?.names).at(-1) ?? '', typeNames())
            : `write ${named.name}`,
      });
    }
    if (columns.some((column) => column.name === name)) {
      throw context.error(
        'duplicate-column',
        `column ${visibleText(name)} is defined twice`,
        context.place(location),
      );
    }
    columns.push({ name, type: named.type });
  }
  return {
    kind: 'create-table',
    name: newName(node.relation, context, node.if_not_exists),
    columns,
    ifNotExists: node.if_not_exists ?? false,
  };
}

function newName(relation: CreateStmt['relation'], context: BindContext, ifNotExists = false): string {
  const name = relation?.relname ?? '';
  if (context.tables.table(name) && !ifNotExists) {
    throw context.error(
      'table-exists',
      `there is a table ${visibleText(name)} already`,
      context.place(relation?.location),
      {
        hint: 'DROP TABLE it first, or write IF NOT EXISTS',
      },
    );
  }
  return name;
}

function bindCreateAs(node: CreateTableAsStmt, context: BindContext): Statement {
  const relation = node.into?.rel;
  const place = context.place(relation?.location);
  const select = selectOf(node.query);
  if (!select) throw context.unsupported('CREATE TABLE AS of anything but a query', place);
  const query = bindQuery(context, select);
  const given = names(node.into?.colNames);
  if (given.length > query.columns.length) {
    throw context.error('alias', `${given.length} column names for ${query.columns.length} columns`, place);
  }
  const columns = query.columns.map((column, i) => ({ ...column, name: given[i] ?? column.name }));
  const twice = columns.find((column, i) => columns.findIndex((other) => other.name === column.name) !== i);
  if (twice) {
    throw context.error('duplicate-column', `two columns would be called ${visibleText(twice.name)}`, place, {
      hint: 'give one an alias',
    });
  }
  const name = newName(relation, context, node.if_not_exists);
  return {
    kind: 'create-table-as',
    name,
    query: { plan: query.plan, columns },
    ifNotExists: node.if_not_exists ?? false,
  };
}

function bindDrop(node: DropStmt, context: BindContext, start: number): Statement {
  const place = { offset: start };
  const dropped = (node.objects ?? []).map((object) => {
    const path = 'List' in object ? names(object.List.items) : [];
    const name = path.at(-1) ?? '';
    if (path.length > 1) throw context.unsupported('schema name before a table', place);
    if (!context.tables.table(name) && !node.missing_ok) {
      throw context.error('unknown-table', `table ${visibleText(name)} does not exist`, place, {
        hint: suggestion(name, context.tables.names()),
      });
    }
    return name;
  });
  return { kind: 'drop-table', names: dropped, ifExists: node.missing_ok ?? false };
}

function bindExplain(node: ExplainStmt, context: BindContext): Statement {
  let analyze = false;
  for (const option of node.options ?? []) {
    if (!('DefElem' in option)) continue;
    const { defname = '', arg, location } = option.DefElem;
    const place = context.place(location);
    if (defname !== 'analyze') throw context.unsupported(`EXPLAIN (${visibleText(defname)})`, place);
    analyze = arg === undefined || isOn(arg);
  }
  const select = selectOf(node.query);
  if (!select) throw context.unsupported('EXPLAIN of anything but a query', context.place(undefined));
  return { kind: 'explain', query: bindQuery(context, select), analyze };
}

function isOn(node: Node): boolean {
  if ('String' in node) return ['true', 'on', '1'].includes((node.String.sval ?? '').toLowerCase());
  if ('Boolean' in node) return node.Boolean.boolval ?? false;
  return 'Integer' in node && node.Integer.ival === 1;
}
