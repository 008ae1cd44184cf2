/**
 * Walking and rebuilding plans. A rebuild returns the very same object where nothing changed, so a rewrite
 * can tell by identity whether it did anything and shared sub-plans stay shared. Plans are walked without
 * recursion, since a chain may be longer than the stack is deep.
 */
import type { ColumnId, Expression } from './expression.js';
import { columnsOf, type LogicalPlan } from './plan.js';

/** The inputs of a plan node, left to right. Sub-plans inside expressions are not inputs. */
export function inputsOf(plan: LogicalPlan): readonly LogicalPlan[] {
  switch (plan.kind) {
    case 'scan':
    case 'values':
      return [];
    case 'union':
      return plan.inputs;
    case 'join':
    case 'contains':
    case 'except':
    case 'intersect':
      return [plan.left, plan.right];
    default:
      return [plan.input];
  }
}

/** The node over other inputs, in the order of {@link inputsOf}. */
export function withInputs(plan: LogicalPlan, inputs: readonly LogicalPlan[]): LogicalPlan {
  const old = inputsOf(plan);
  if (old.every((input, i) => input === inputs[i])) return plan;
  switch (plan.kind) {
    case 'scan':
    case 'values':
      return plan;
    case 'union':
      return { ...plan, inputs };
    case 'join':
    case 'contains':
    case 'except':
    case 'intersect':
      return { ...plan, left: inputs[0], right: inputs[1] };
    default:
      return { ...plan, input: inputs[0] };
  }
}

/** The expressions that a node evaluates itself, in no promised order. */
export function expressionsOf(plan: LogicalPlan): readonly Expression[] {
  switch (plan.kind) {
    case 'filter':
      return [plan.predicate];
    case 'project':
      return plan.expressions;
    case 'join':
      return plan.on ? [plan.on] : [];
    case 'contains':
      return [plan.text, plan.needle];
    case 'aggregate':
      return [
        ...plan.keys.map((key) => key.expression),
        ...plan.aggregates.flatMap((call) =>
          call.filter ? [...call.arguments, call.filter] : call.arguments,
        ),
      ];
    case 'sort':
      return plan.keys.map((key) => key.expression);
    case 'limit':
      return [plan.limit, plan.offset, ...(plan.by ?? [])].filter((expression) => expression !== null);
    default:
      return [];
  }
}

/** The very same list where `change` returns every item as it is. */
export function mapSame<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  // Expressions are rebuilt by recursion through this: a loop takes less of the stack than Array.map.
  let mapped: T[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const next = change(items[i]);
    if (mapped) mapped.push(next);
    else if (next !== items[i]) mapped = [...items.slice(0, i), next];
  }
  return mapped ?? items;
}

/** The node with every expression of its own replaced by `change` of it; inputs are left alone. */
export function mapNodeExpressions(
  plan: LogicalPlan,
  change: (expression: Expression) => Expression,
): LogicalPlan {
  switch (plan.kind) {
    case 'filter': {
      const predicate = change(plan.predicate);
      return predicate === plan.predicate ? plan : { ...plan, predicate };
    }
    case 'project': {
      const expressions = mapSame(plan.expressions, change);
      return expressions === plan.expressions ? plan : { ...plan, expressions };
    }
    case 'join': {
      const on = plan.on && change(plan.on);
      return on === plan.on ? plan : { ...plan, on };
    }
    case 'contains': {
      const text = change(plan.text);
      const needle = change(plan.needle);
      return text === plan.text && needle === plan.needle ? plan : { ...plan, text, needle };
    }
    case 'aggregate': {
      const keys = mapSame(plan.keys, (key) => {
        const expression = change(key.expression);
        return expression === key.expression ? key : { ...key, expression };
      });
      const aggregates = mapSame(plan.aggregates, (call) => {
        const filter = call.filter && change(call.filter);
        const operands = mapSame(call.arguments, change);
        return filter === call.filter && operands === call.arguments
          ? call
          : { ...call, arguments: operands, filter };
      });
      return keys === plan.keys && aggregates === plan.aggregates ? plan : { ...plan, keys, aggregates };
    }
    case 'sort': {
      const keys = mapSame(plan.keys, (key) => {
        const expression = change(key.expression);
        return expression === key.expression ? key : { ...key, expression };
      });
      return keys === plan.keys ? plan : { ...plan, keys };
    }
    case 'limit': {
      const limit = plan.limit && change(plan.limit);
      const offset = plan.offset && change(plan.offset);
      const by = plan.by && mapSame(plan.by, change);
      return limit === plan.limit && offset === plan.offset && by === plan.by
        ? plan
        : { ...plan, limit, offset, ...(by ? { by } : {}) };
    }
    default:
      return plan;
  }
}

/** Every expression of the whole plan replaced, nodes bottom up; shared sub-plans are mapped once. */
export function mapPlanExpressions(
  plan: LogicalPlan,
  change: (expression: Expression) => Expression,
): LogicalPlan {
  return rewriteBottomUp(plan, (node) => mapNodeExpressions(node, change));
}

/**
 * Every node once, each after its inputs, left ones first.
 * @param inputs what counts as the inputs of a node
 */
export function inputsFirst(
  plan: LogicalPlan,
  inputs: (node: LogicalPlan) => readonly LogicalPlan[] = inputsOf,
): readonly LogicalPlan[] {
  const entered = new Set<LogicalPlan>();
  const order = new Set<LogicalPlan>();
  const stack: LogicalPlan[] = [plan];
  for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
    if (entered.has(node)) {
      stack.pop();
      order.add(node);
      continue;
    }
    entered.add(node);
    const below = inputs(node);
    for (let i = below.length - 1; i >= 0; i--) if (!entered.has(below[i])) stack.push(below[i]);
  }
  return [...order];
}

/**
 * Rebuilds a plan bottom up: `change` sees a node whose inputs are already rebuilt, and what it was before.
 * Shared nodes are changed once.
 * @param done what is rebuilt already; is filled
 */
export function rewriteBottomUp(
  plan: LogicalPlan,
  change: (node: LogicalPlan, original: LogicalPlan) => LogicalPlan,
  done: Map<LogicalPlan, LogicalPlan> = new Map(),
): LogicalPlan {
  const below = (node: LogicalPlan) => (done.has(node) ? [] : inputsOf(node));
  for (const node of inputsFirst(plan, below)) {
    if (done.has(node)) continue;
    const inputs = inputsOf(node).map((input) => done.get(input) ?? input);
    done.set(node, change(withInputs(node, inputs), node));
  }
  return done.get(plan) ?? plan;
}

/**
 * Calls `visit` once on every node of the plan, before its inputs; plans inside expressions are not entered.
 */
export function walkPlan(plan: LogicalPlan, visit: (node: LogicalPlan) => void): void {
  const seen = new Set<LogicalPlan>();
  const stack: LogicalPlan[] = [plan];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    visit(node);
    const inputs = inputsOf(node);
    for (let i = inputs.length - 1; i >= 0; i--) stack.push(inputs[i]);
  }
}

const columnIds = new WeakMap<LogicalPlan, ReadonlySet<ColumnId>>();

/** The columns that a plan puts out, as a set. */
export function columnIdsOf(plan: LogicalPlan): ReadonlySet<ColumnId> {
  let ids = columnIds.get(plan);
  if (!ids) {
    ids = new Set(columnsOf(plan).map((column) => column.id));
    columnIds.set(plan, ids);
  }
  return ids;
}
