/** Function calls: scalar functions, aggregates, and the forms that the grammar writes as calls. */
import type { FuncCall, Node } from 'libpg-query';
import { orderedAggregate } from '../../aggregates/ordered.js';
import { type AggregateFunction, type Expression, freshColumn, type Place } from '../../plan/expression.js';
import type { AggregateCall } from '../../plan/plan.js';
import { columnsRead, equalExpressions } from '../../plan/traverse-expression.js';
import type { BindContext } from '../context.js';
import type { Environment } from '../environment.js';
import { callScalar, noOverload, resolveOverload, unknownFunction } from '../overload.js';
import { names } from '../parse/tree.js';
import { type OrderItem, orderItems } from './order.js';

/** Calls that mean the instant of the statement. */
const clockFunctions: ReadonlySet<string> = new Set([
  'now',
  'transaction_timestamp',
  'statement_timestamp',
  'clock_timestamp',
]);

export function bindCall(node: FuncCall, environment: Environment): Expression {
  const { context } = environment;
  const place = context.place(node.location);
  const path = names(node.funcname);
  if (path.length > 1 && path[0] !== 'pg_catalog')
    throw context.unsupported('schema name before a function', place);
  const name = path[path.length - 1] ?? '';
  if (context.functions.aggregates(name).length > 0) return bindAggregate(name, node, environment, place);
  if (node.agg_star) throw context.error('type', `${name}(*): only an aggregate takes *`, place);
  if (node.agg_distinct)
    throw context.error('type', `DISTINCT in ${name}: only an aggregate takes it`, place);
  if (node.agg_order) throw context.error('type', `ORDER BY in ${name}: only an aggregate takes it`, place);
  if (node.agg_filter) throw context.error('type', `FILTER after ${name}: only an aggregate takes it`, place);
  if (clockFunctions.has(name) && !node.args) return instant(context.now, place);
  const operands = (node.args ?? []).map((operand) => environment.bind(operand));
  return callScalar(context, name, operands, place);
}

/** The statement's instant as a literal: the same in every row. */
export function instant(now: number, place: Place): Expression {
  return { kind: 'literal', value: now, type: 'timestamp', place };
}

function bindAggregate(name: string, node: FuncCall, environment: Environment, place: Place): Expression {
  const { context, aggregates } = environment;
  if (typeof aggregates === 'string') {
    throw context.error('grouping', `aggregate functions are not allowed in ${aggregates}`, place);
  }
  const inner = environment.withoutAggregates('the arguments of an aggregate');
  const operands = (node.args ?? []).map((operand) => inner.bind(operand));
  const filter = node.agg_filter && requireBoolean(inner, node.agg_filter, 'FILTER');
  const items = orderItems(node.agg_order);
  const order = items.map((item) => inner.bind(item.node));
  refuseOuter([...operands, ...order, ...(filter ? [filter] : [])], environment, place);
  const overloads = context.functions.aggregates(name);
  const given = overloads.some((one) => one.orderedSet)
    ? orderedSetOperands(name, node, operands, order, context, place)
    : operands;
  if (node.agg_within_group && given === operands)
    throw context.error('type', `WITHIN GROUP after ${name}: only an ordered-set aggregate takes it`, place);
  const resolved = resolveOverload(context, overloads, given, false);
  if (!resolved)
    throw overloads.length === 0
      ? unknownFunction(context, name, place)
      : noOverload(context, name, given, false, place);
  if (
    node.agg_distinct &&
    order.some((key) => !resolved.arguments.some((one) => equalExpressions(one, key)))
  ) {
    throw context.error('grouping', 'with DISTINCT, ORDER BY in an aggregate must name its arguments', place);
  }
  const call: AggregateCall = {
    column: freshColumn(name, resolved.type),
    function:
      items.length === 0
        ? resolved.function
        : inOrder(context, resolved.function, resolved.arguments.length, items),
    arguments: [...resolved.arguments, ...order],
    ...(node.agg_distinct ? { distinct: true } : {}),
    ...(filter ? { filter } : {}),
    place,
  };
  const same = aggregates.find((other) => equalCalls(other, call));
  if (!same) aggregates.push(call);
  const { id, type } = (same ?? call).column;
  return { kind: 'column', id, type, place };
}

/**
 * The key, which the function's argument is, and what is in the parentheses, which is the same for all rows.
 */
function orderedSetOperands(
  name: string,
  node: FuncCall,
  direct: readonly Expression[],
  order: readonly Expression[],
  context: BindContext,
  place: Place,
): readonly Expression[] {
  if (!node.agg_within_group || order.length !== 1) {
    throw context.error('type', `${name} needs WITHIN GROUP (ORDER BY …) with one key`, place, {
      hint: name === 'mode' ? 'mode() WITHIN GROUP (ORDER BY x)' : `${name}(0.5) WITHIN GROUP (ORDER BY x)`,
    });
  }
  for (const argument of direct)
    if (columnsRead(argument).size > 0)
      throw context.unsupported(`a column in the parentheses of ${name}`, argument.place ?? place);
  return [order[0], ...direct];
}

function inOrder(
  context: BindContext,
  aggregate: AggregateFunction,
  width: number,
  items: readonly OrderItem[],
): AggregateFunction {
  const made = context.ordered.get(aggregate) ?? new Map<string, AggregateFunction>();
  context.ordered.set(aggregate, made);
  const key = items.map((item) => `${item.descending} ${item.nullsFirst}`).join();
  const ordered = made.get(key) ?? orderedAggregate(aggregate, width, items);
  made.set(key, ordered);
  return ordered;
}

/** An aggregate all of whose columns belong to an enclosing query would be that query's. */
function refuseOuter(operands: readonly Expression[], { context, scope }: Environment, place: Place): void {
  const own = new Set(scope.relations.flatMap((relation) => relation.columns.map((column) => column.id)));
  for (const column of scope.columns) own.add(column.id);
  const read = new Set<number>();
  for (const operand of operands) columnsRead(operand, read);
  if (read.size > 0 && ![...read].some((id) => own.has(id))) {
    throw context.unsupported('an aggregate over columns of an enclosing query', place);
  }
}

function equalCalls(a: AggregateCall, b: AggregateCall): boolean {
  return (
    a.function === b.function &&
    a.distinct === b.distinct &&
    a.arguments.length === b.arguments.length &&
    a.arguments.every((argument, i) => equalExpressions(argument, b.arguments[i])) &&
    (a.filter && b.filter ? equalExpressions(a.filter, b.filter) : a.filter === b.filter)
  );
}

/** Binds a condition; `clause` completes "argument of … must be boolean". */
export function requireBoolean(environment: Environment, node: Node, clause: string): Expression {
  const condition = environment.bind(node);
  const { context } = environment;
  if (condition.type === 'boolean') return condition;
  if (condition.kind === 'literal' && condition.value === null) return { ...condition, type: 'boolean' };
  throw context.error(
    'type',
    `argument of ${clause} must be boolean, not ${condition.type}`,
    condition.place ?? { offset: 0 },
  );
}
