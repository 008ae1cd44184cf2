/** Statements: which one it is; those with a query around which little else stands. */
import type { CreateTableAsStmt, DropStmt, ExplainStmt, Node } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { BindContext, type BindOptions } from '../context.js';
import type { ParsedStatement } from '../parse/parse.js';
import { suggestion } from '../parse/sql-error.js';
import { names, selectOf } from '../parse/tree.js';
import type { Statement } from '../statement.js';
import { bindCreate, newName } from './create.js';
import { bindInsert } from './insert.js';
import { bindQuery } from './select.js';

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
