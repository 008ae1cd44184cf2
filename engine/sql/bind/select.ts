/**
 * A query: WITH, set operations, VALUES, and the clauses of SELECT in the order in which they take effect.
 * The plan that comes out puts out exactly the select list, whatever ORDER BY needed besides.
 */
import type { Node, SelectStmt } from 'libpg-query';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { type Column, type Expression, freshColumn, type Place } from '../../plan/expression.js';
import { type AggregateCall, columnsOf, type LogicalPlan } from '../../plan/plan.js';
import { columnsRead, equalExpressions } from '../../plan/traverse-expression.js';
import { coerce } from '../coerce.js';
import type { BindContext } from '../context.js';
import type { BoundQuery, Environment } from '../environment.js';
import { ambiguousOutput, ordinalIndex, outputColumn } from '../output-column.js';
import { bareName, locationOf, names, ordinalOf, selectOf } from '../parse/tree.js';
import { CommonTables, type FromItem, Scope } from '../scope.js';
import { requireBoolean } from './call.js';
import { checkOrderOn, distinctOn, firstOfEach } from './distinct-on.js';
import { bindExpression } from './expression.js';
import { bindFrom, type FromBinder } from './from.js';
import { Grouping, type GroupKey } from './grouping.js';
import { limited, type OrderItem, orderItems, sorted } from './order.js';
import { bindSetOperation } from './set-operation.js';
import { bindTargets, type Target } from './target.js';
import { bindValues } from './values.js';

/** Binds a whole query. @throws {SqlError} */
export function bindQuery(context: BindContext, select: SelectStmt): BoundQuery {
  return bindIn(
    select,
    environmentOver(context, new Scope({ relations: [], columns: [] }, new CommonTables()), 'here'),
  );
}

/** @param aggregates where they are collected, or the place that they are not allowed in */
function environmentOver(
  context: BindContext,
  scope: Scope,
  aggregates: AggregateCall[] | string,
): Environment {
  const environment: Environment = {
    context,
    scope,
    aggregates,
    bind: (node) => bindExpression(node, environment),
    bindQuery: (select) => bindIn(select, environment),
    withoutAggregates: (where) => environmentOver(context, scope, where),
  };
  return environment;
}

function bindIn(select: SelectStmt, outer: Environment): BoundQuery {
  const environment = withCommonTables(select, outer);
  if (select.op !== undefined && select.op !== 'SETOP_NONE')
    return orderedByOutput(bindSetOperation(select, environment), select, environment);
  if (select.valuesLists)
    return orderedByOutput(bindValues(select.valuesLists, environment), select, environment);
  return bindPlainSelect(select, environment);
}

/** WITH: each query is bound once, however often it is named. */
function withCommonTables(select: SelectStmt, outer: Environment): Environment {
  if (!select.withClause) return outer;
  const { context, scope } = outer;
  const tables = new CommonTables(scope.commonTables);
  const inner = environmentOver(context, new Scope(scope, tables, scope.parent), outer.aggregates);
  for (const node of select.withClause.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue;
    const { ctename: name = '', ctequery, aliascolnames, location } = node.CommonTableExpr;
    const place = context.place(location);
    const query = selectOf(ctequery);
    if (!query) throw context.unsupported('a statement other than SELECT in WITH', place);
    if (tables.has(name))
      throw context.error('duplicate-alias', `WITH names ${visibleText(name)} twice`, place);
    const bound = inner.bindQuery(query);
    const given = names(aliascolnames);
    if (given.length > bound.columns.length) {
      throw context.error('alias', `${given.length} column names for ${bound.columns.length} columns`, place);
    }
    const columns = bound.columns.map((column, i) => ({ ...column, name: given[i] ?? column.name }));
    tables.add({ name, plan: bound.plan, columns });
  }
  return inner;
}

/** ORDER BY of VALUES and set operations sees the output columns only. */
function orderedByOutput(query: BoundQuery, select: SelectStmt, environment: Environment): BoundQuery {
  const { context } = environment;
  const items = orderItems(select.sortClause);
  const keys = items.map(({ node }): Expression => {
    const column = outputColumn(node, query.columns, 'ORDER BY', context);
    const place = context.place(locationOf(node));
    if (!column) {
      throw context.unsupported(
        'an expression in the ORDER BY of UNION, INTERSECT, EXCEPT or VALUES',
        place,
        'name an output column',
      );
    }
    return reference(column, place);
  });
  return { ...query, plan: limited(sorted(query.plan, items, keys), select, nothingInReach(environment)) };
}

function nothingInReach({ context, scope }: Environment): Environment {
  return environmentOver(context, new Scope({ relations: [], columns: [] }, scope.commonTables), 'LIMIT');
}

function bindPlainSelect(select: SelectStmt, outer: Environment): BoundQuery {
  const { context, scope } = outer;
  const over = (
    items: Pick<FromItem, 'relations' | 'columns'>,
    aggregates: AggregateCall[] | string = 'FROM',
  ): Environment => environmentOver(context, new Scope(items, scope.commonTables, scope), aggregates);
  const binder: FromBinder = { outer, over };
  const from = bindFrom(select.fromClause ?? [], binder);
  let plan = from.plan;
  if (select.whereClause) {
    const predicate = requireBoolean(over(from, 'WHERE'), select.whereClause, 'WHERE');
    plan = { kind: 'filter', input: plan, predicate };
  }
  const aggregates: AggregateCall[] = [];
  const environment = over(from, aggregates);
  let targets = bindTargets(select.targetList ?? [], environment);
  const keys = (select.groupClause ?? []).map((node) => groupKey(node, targets, environment));
  let having = select.havingClause && requireBoolean(environment, select.havingClause, 'HAVING');
  const items = orderItems(select.sortClause);
  const orders = items.map((item) => orderKey(item, targets, environment));
  const on = distinctOn(select).map((node) => orderKey({ node }, targets, environment));

  if (keys.length > 0 || having || aggregates.length > 0) {
    const grouping = new Grouping(context, keys, columnsOf(from.plan));
    plan = { kind: 'aggregate', input: plan, keys, aggregates };
    targets = targets.map((target) => ({ ...target, expression: grouping.apply(target.expression) }));
    having &&= grouping.apply(having);
    for (const keys of [orders, on]) {
      keys.forEach((key, i) => {
        if (key.target === undefined) keys[i] = { ...key, expression: grouping.apply(key.expression) };
      });
    }
  }
  if (having) plan = { kind: 'filter', input: plan, predicate: having };
  return finish(select, plan, targets, items, orders, on, environment);
}

interface OrderKey {
  readonly expression: Expression;
  /** Index of the select list's column that this key is. */
  readonly target?: number;
}

/** Projection, DISTINCT, ORDER BY, LIMIT. */
function finish(
  select: SelectStmt,
  input: LogicalPlan,
  targets: readonly Target[],
  items: readonly OrderItem[],
  orders: readonly OrderKey[],
  on: readonly OrderKey[],
  environment: Environment,
): BoundQuery {
  const { context } = environment;
  const columns = targets.map((target) => freshColumn(target.name, target.expression.type));
  const expressions = targets.map((target) => target.expression);
  const distinct = select.distinctClause !== undefined && on.length === 0;
  // A key that is no output column travels along as a hidden one.
  const hidden: Expression[] = [];
  const hiddenColumns: Column[] = [];
  const keyOver = (order: OrderKey, node: Node | undefined): Expression => {
    const place = order.expression.place ?? { offset: 0 };
    const target =
      order.target ?? expressions.findIndex((expression) => equalExpressions(expression, order.expression));
    if (target >= 0) return reference(columns[target], place);
    const known = hidden.findIndex((expression) => equalExpressions(expression, order.expression));
    if (known >= 0) return reference(hiddenColumns[known], place);
    if (distinct) {
      throw context.error(
        'grouping',
        'with SELECT DISTINCT, ORDER BY must name columns of the select list',
        context.place(locationOf(node)),
      );
    }
    const column = freshColumn('order', order.expression.type);
    hidden.push(order.expression);
    hiddenColumns.push(column);
    return reference(column, place);
  };
  const keys = orders.map((order, i) => keyOver(order, items[i].node));
  const by = on.map((key) => keyOver(key, undefined));
  checkOrderOn(by, keys, context);
  let plan: LogicalPlan = {
    kind: 'project',
    input,
    columns: [...columns, ...hiddenColumns],
    expressions: [...expressions, ...hidden],
  };
  if (distinct) plan = { kind: 'distinct', input: plan };
  plan = sorted(plan, items, keys);
  if (by.length > 0) plan = firstOfEach(plan, by);
  plan = limited(plan, select, nothingInReach(environment));
  if (hidden.length === 0) return { plan, columns };
  const kept = columns.map((column) => freshColumn(column.name, column.type));
  const place: Place = { offset: 0 };
  return {
    plan: {
      kind: 'project',
      input: plan,
      columns: kept,
      expressions: columns.map((column) => reference(column, place)),
    },
    columns: kept,
  };
}

/**
 * An ordinal, an input column, an output name, or an expression; in this order of precedence, as in
 * PostgreSQL.
 */
function groupKey(node: Node, targets: readonly Target[], environment: Environment): GroupKey {
  const { context } = environment;
  const ordinal = ordinalOf(node);
  const name = bareName(node);
  let expression: Expression | undefined;
  if (ordinal !== undefined) {
    expression = targets[ordinalIndex(ordinal, targets.length, node, 'GROUP BY', context)].expression;
  } else if (name !== undefined && !environment.scope.columns.some((column) => column.name === name)) {
    const found = targets.filter((target) => target.name === name);
    if (found.length > 1) throw ambiguousOutput(node, name, 'GROUP BY', context);
    expression = found[0]?.expression;
  }
  expression ??= environment.withoutAggregates('GROUP BY').bind(node);
  const aggregates = environment.aggregates;
  if (typeof aggregates !== 'string' && readsAggregate(expression, aggregates)) {
    throw context.error(
      'grouping',
      'aggregate functions are not allowed in GROUP BY',
      context.place(locationOf(node)),
    );
  }
  if (context.untyped.has(expression)) expression = coerce(context, expression, 'text');
  return { column: freshColumn(name ?? 'key', expression.type), expression };
}

function readsAggregate(expression: Expression, aggregates: readonly AggregateCall[]): boolean {
  const made = new Set(aggregates.map((call) => call.column.id));
  return [...columnsRead(expression)].some((id) => made.has(id));
}

/** An ordinal, an output name, or an expression over the input. */
function orderKey(
  { node }: Pick<OrderItem, 'node'>,
  targets: readonly Target[],
  environment: Environment,
): OrderKey {
  const { context } = environment;
  const ordinal = ordinalOf(node);
  if (ordinal !== undefined) {
    const target = ordinalIndex(ordinal, targets.length, node, 'ORDER BY', context);
    return { expression: targets[target].expression, target };
  }
  const name = bareName(node);
  const found = targets.flatMap((target, i) => (name !== undefined && target.name === name ? [i] : []));
  if (found.length > 0) {
    const [target] = found;
    if (found.some((i) => !equalExpressions(targets[i].expression, targets[target].expression))) {
      throw ambiguousOutput(node, name ?? '', 'ORDER BY', context);
    }
    return { expression: targets[target].expression, target };
  }
  return { expression: environment.bind(node) };
}

function reference(column: Column, place: Place): Expression {
  return { kind: 'column', id: column.id, type: column.type, place };
}
