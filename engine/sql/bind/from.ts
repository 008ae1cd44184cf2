/**
 * FROM: tables, subqueries, joins, USING and NATURAL. Every reference to a table, or to a query of WITH,
 * makes fresh columns, so a self-join never confuses its sides.
 */
import type { Alias, JoinExpr, Node, RangeSubselect, RangeVar } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { type Column, type Expression, freshColumn, type Place } from '../../plan/expression.js';
import { columnsOf, type Join, type LogicalPlan } from '../../plan/plan.js';
import { conjunction, hasSubquery } from '../../plan/traverse-expression.js';
import type { Table } from '../../table/table.js';
import { coerce, commonTypeOf } from '../coerce.js';
import type { BoundQuery, Environment } from '../environment.js';
import { callScalar } from '../overload.js';
import { joinChain } from '../parse/chain.js';
import { suggestion } from '../parse/sql-error.js';
import { locationOf, names, selectOf } from '../parse/tree.js';
import type { FromItem, NamedRelation } from '../scope.js';
import { requireBoolean } from './call.js';

/** What binding FROM needs of its query. */
export interface FromBinder {
  /** For names of tables, and for the queries of WITH. */
  readonly outer: Environment;
  /** Expressions over these items (and the enclosing queries). */
  over(items: Pick<FromItem, 'relations' | 'columns'>): Environment;
}

/** One row without columns: FROM left out. */
export const noFrom: FromItem = {
  plan: { kind: 'values', columns: [], rows: [[]] },
  relations: [],
  columns: [],
};

/** All items of FROM, joined by cross product. */
export function bindFrom(nodes: readonly Node[], binder: FromBinder): FromItem {
  let joined: FromItem | undefined;
  for (const node of nodes) {
    const item = bindItem(node, binder, joined);
    joined = joined === undefined ? item : crossJoin(joined, item, node, binder);
  }
  return joined ?? noFrom;
}

function crossJoin(left: FromItem, right: FromItem, node: Node, binder: FromBinder): FromItem {
  checkNames(left, right, node, binder);
  return sideBySide(left, right, binder.outer.context.place(locationOf(node)));
}

function sideBySide(left: FromItem, right: FromItem, place?: Place): FromItem {
  return {
    plan: { kind: 'join', type: 'inner', left: left.plan, right: right.plan, ...(place ? { place } : {}) },
    relations: [...left.relations, ...right.relations],
    columns: [...left.columns, ...right.columns],
  };
}

/** @param before the items to the left, which LATERAL may see */
function bindItem(node: Node, binder: FromBinder, before: FromItem | undefined): FromItem {
  if ('RangeVar' in node) return bindTable(node.RangeVar, binder);
  if ('RangeSubselect' in node) return bindDerived(node.RangeSubselect, binder, before);
  if ('JoinExpr' in node) return bindJoin(node.JoinExpr, binder, before);
  const { context } = binder.outer;
  throw context.unsupported(`${Object.keys(node)[0]} in FROM`, context.place(locationOf(node)));
}

function bindTable(node: RangeVar, binder: FromBinder): FromItem {
  const { context, scope } = binder.outer;
  const name = node.relname ?? '';
  const place = context.place(node.location);
  const common = scope.commonTables.find(name);
  if (common) return aliased(renamed(common), name, node.alias, binder, place);
  const table = context.tables.table(name);
  if (!table) {
    const known = [...scope.commonTables.names(), ...context.tables.names()];
    throw context.error('unknown-table', `table ${visibleText(name)} does not exist`, place, {
      hint: suggestion(name, known),
    });
  }
  return aliased(scanOf(table, place), name, node.alias, binder, place);
}

/** A scan of every column, under fresh ids. */
export function scanOf(table: Table, place?: Place): BoundQuery {
  const columns = table.columns.map((column) => freshColumn(column.name, column.type));
  const indexes = columns.map((_, i) => i);
  return { plan: { kind: 'scan', table, columns, indexes, ...(place ? { place } : {}) }, columns };
}

/** The same rows under fresh column ids, over the very same plan: it is bound once and run once. */
function renamed({ plan, columns }: BoundQuery): BoundQuery {
  const fresh = columns.map((column) => freshColumn(column.name, column.type));
  const expressions = columns.map(
    (column): Expression => ({ kind: 'column', id: column.id, type: column.type }),
  );
  return { plan: { kind: 'project', input: plan, columns: fresh, expressions }, columns: fresh };
}

function bindDerived(node: RangeSubselect, binder: FromBinder, before: FromItem | undefined): FromItem {
  const { context } = binder.outer;
  const select = selectOf(node.subquery);
  const place = context.place(locationOf(node.subquery));
  if (!select) throw context.unsupported('this subquery in FROM', place);
  const environment = node.lateral && before ? binder.over(before) : binder.outer;
  const query = environment.bindQuery(select);
  return aliased(query, node.alias?.aliasname ?? '', node.alias, binder, place);
}

/** The item under its alias; an alias may rename columns, which are then those of a projection. */
function aliased(
  query: BoundQuery,
  name: string,
  alias: Alias | undefined,
  { outer }: FromBinder,
  place: Place,
): FromItem {
  const given = names(alias?.colnames);
  if (given.length > query.columns.length) {
    throw outer.context.error(
      'alias',
      `${given.length} column names for ${query.columns.length} columns`,
      place,
    );
  }
  const columns = query.columns.map((column, i) =>
    given[i] === undefined ? column : { ...column, name: given[i] },
  );
  const relation: NamedRelation = { name: alias?.aliasname ?? name, columns };
  return { plan: query.plan, relations: relation.name === '' ? [] : [relation], columns };
}

function bindJoin(node: JoinExpr, binder: FromBinder, before: FromItem | undefined): FromItem {
  const [first, ...others] = joinChain(node);
  if (!first.larg) throw new TypeError('a join without a side in the syntax tree');
  return [first, ...others].reduce(
    (left, link) => joinTo(left, link, binder, before),
    bindItem(first.larg, binder, before),
  );
}

function joinTo(left: FromItem, node: JoinExpr, binder: FromBinder, before: FromItem | undefined): FromItem {
  const { context } = binder.outer;
  if (!node.rarg) throw new TypeError('a join without a side in the syntax tree');
  const type = joinType(node, binder);
  // LATERAL cannot see a side whose rows the join may leave out.
  const seen = type === 'right' || type === 'full' ? undefined : left;
  const right = bindItem(node.rarg, binder, before && seen ? sideBySide(before, seen) : (seen ?? before));
  checkNames(left, right, node.rarg, binder);
  const both = {
    relations: [...left.relations, ...right.relations],
    columns: [...left.columns, ...right.columns],
  };
  const merged = node.isNatural ? commonNames(left, right) : names(node.usingClause);
  let item: FromItem;
  if (merged.length > 0) item = mergeJoin(type, left, right, merged, node.rarg, binder);
  else {
    const on =
      node.quals && requireBoolean(binder.over(both).withoutAggregates('JOIN … ON'), node.quals, 'JOIN … ON');
    // Over an inner join a condition with a subquery is a filter, where the query planner looks for them.
    const filtered = on && type === 'inner' && hasSubquery(on);
    const join: Join = {
      kind: 'join',
      type,
      left: left.plan,
      right: right.plan,
      ...(on && !filtered ? { on } : {}),
      place: context.place(locationOf(node.rarg)),
    };
    item = { ...both, plan: filtered ? { kind: 'filter', input: join, predicate: on } : join };
  }
  if (node.join_using_alias) {
    const columns = item.columns.slice(0, merged.length);
    item = {
      ...item,
      relations: [...item.relations, { name: node.join_using_alias.aliasname ?? '', columns }],
    };
  }
  if (!node.alias) return item;
  return aliased(
    { plan: item.plan, columns: item.columns },
    '',
    node.alias,
    binder,
    context.place(locationOf(node.rarg)),
  );
}

function joinType(node: JoinExpr, { outer }: FromBinder): 'inner' | 'left' | 'right' | 'full' {
  switch (node.jointype) {
    case 'JOIN_LEFT':
      return 'left';
    case 'JOIN_RIGHT':
      return 'right';
    case 'JOIN_FULL':
      return 'full';
    case undefined:
    case 'JOIN_INNER':
      return 'inner';
    default:
      throw outer.context.unsupported(node.jointype, outer.context.place(locationOf(node.rarg)));
  }
}

function commonNames(left: FromItem, right: FromItem): string[] {
  const there = new Set(right.columns.map((column) => column.name));
  return [...new Set(left.columns.map((column) => column.name))].filter((name) => there.has(name));
}

/** USING: equality of the named columns, of which `*` and a bare name see one. */
function mergeJoin(
  type: 'inner' | 'left' | 'right' | 'full',
  left: FromItem,
  right: FromItem,
  merged: readonly string[],
  node: Node,
  binder: FromBinder,
): FromItem {
  const { context } = binder.outer;
  const place = context.place(locationOf(node));
  const pairs = merged.map(
    (name) => [sideColumn(left, name, 'left'), sideColumn(right, name, 'right')] as const,
  );
  const on = conjunction(
    pairs.map(([a, b]) => callScalar(context, '=', [reference(a, place), reference(b, place)], place)),
  );
  const relations = [...left.relations, ...right.relations];
  const rest = [...left.columns, ...right.columns].filter(
    (column) => !pairs.some((pair) => pair.includes(column)),
  );
  const plan: LogicalPlan = { kind: 'join', type, left: left.plan, right: right.plan, on };
  if (type !== 'full') {
    const kept = pairs.map(([a, b]) => (type === 'right' ? b : a));
    return { plan, relations, columns: [...kept, ...rest] };
  }
  const values = pairs.map(([a, b]) => {
    const operands = [reference(a, place), reference(b, place)];
    const common = commonTypeOf(context, operands, 'USING');
    return callScalar(
      context,
      'coalesce',
      operands.map((operand) => coerce(context, operand, common)),
      place,
    );
  });
  const computed = pairs.map(([a], i) => freshColumn(a.name, values[i].type));
  const below = columnsOf(plan);
  return {
    plan: {
      kind: 'project',
      input: plan,
      columns: [...computed, ...below],
      expressions: [...values, ...below.map((column) => reference(column, place))],
    },
    relations,
    columns: [...computed, ...rest],
  };

  function sideColumn(side: FromItem, name: string, which: string): Column {
    const found = side.columns.filter((column) => column.name === name);
    if (found.length === 1) return found[0];
    const reason = found.length === 0 ? 'does not exist' : 'is ambiguous';
    throw context.error(
      'unknown-column',
      `column ${visibleText(name)} of USING ${reason} on the ${which} side`,
      place,
    );
  }
}

function reference(column: Column, place: Place): Expression {
  return { kind: 'column', id: column.id, type: column.type, place };
}

function checkNames(left: FromItem, right: FromItem, node: Node, { outer }: FromBinder): void {
  const twice = right.relations.find((relation) =>
    left.relations.some((other) => other.name === relation.name),
  );
  if (!twice) return;
  throw outer.context.error(
    'duplicate-alias',
    `table name ${visibleText(twice.name)} stands twice in FROM`,
    outer.context.place(locationOf(node)),
    { hint: `give one an alias: ${visibleText(twice.name)} AS …` },
  );
}
