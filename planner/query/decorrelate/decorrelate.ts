/**
 * Decorrelation: every subquery inside an expression becomes a join, whether it refers to the enclosing query
 * or not, and so does a right side that refers to the left one (LATERAL). This gives the plan its meaning, so
 * it is not an optional rule. The standard rules (pull-up.ts) come first, since what they make is faster;
 * what they do not cover is computed over bindings (over-bindings.ts).
 */
import type { Expression } from '../../../engine/plan/expression.js';
import { columnsOf, type Join, type LogicalPlan } from '../../../engine/plan/plan.js';
import {
  columnsRead,
  conjunction,
  conjuncts,
  hasSubquery,
  mapOperands,
  outerColumns,
} from '../../../engine/plan/traverse-expression.js';
import {
  expressionsOf,
  mapNodeExpressions,
  rewriteBottomUp,
  withInputs,
} from '../../../engine/plan/traverse-plan.js';
import { joinable, joinSubquery } from './conjunct.js';
import { overBindings } from './over-bindings.js';
import { pullUp } from './pull-up.js';
import { UnsupportedSubquery } from './unsupported-subquery.js';
import { attachSubquery } from './value.js';

/** What stood in the query where there is now a join, or an expression over joined columns. */
export type Origins = Map<LogicalPlan | Expression, Expression>;

/** The plan without subquery nodes. @param origins is filled @throws UnsupportedSubquery */
export function decorrelate(plan: LogicalPlan, origins: Origins = new Map()): LogicalPlan {
  const done = new Map<LogicalPlan, LogicalPlan>();
  const visit = (node: LogicalPlan): LogicalPlan =>
    rewriteBottomUp(node, (inner) => decorrelateNode(inner, visit, origins), done);
  return visit(plan);
}

/** @param inside decorrelates the plan of a subquery */
function decorrelateNode(
  node: LogicalPlan,
  inside: (plan: LogicalPlan) => LogicalPlan,
  origins: Origins,
): LogicalPlan {
  if (node.kind === 'join' && refersLeft(node))
    return onlyColumns(decorrelateNode(lateral(node), inside, origins), node);
  if (!expressionsOf(node).some(hasSubquery)) return node;
  const nested = mapNodeExpressions(node, (expression) => decorrelateInside(expression, inside));
  switch (nested.kind) {
    case 'filter':
      return decorrelateFilter(nested.input, nested.predicate, origins);
    case 'project':
    case 'aggregate': {
      const { attach, result } = attaching(nested.input, origins);
      const mapped = mapNodeExpressions(nested, attach);
      return withInputs(mapped, [result()]);
    }
    case 'sort': {
      const { attach, result } = attaching(nested.input, origins);
      const mapped = mapNodeExpressions(nested, attach);
      return onlyColumns(withInputs(mapped, [result()]), nested.input);
    }
    case 'join':
      if (nested.type === 'inner' && nested.on) {
        const { on, ...cross } = nested;
        return decorrelateFilter(cross, on, origins);
      }
      return nested.on ? decorrelateOn(nested, nested.on, origins) : nested;
    default:
  }
  const place = expressionsOf(nested).find(hasSubquery)?.place;
  throw new UnsupportedSubquery(`a subquery in a ${node.kind}`, place);
}

function refersLeft({ left, right }: Join): boolean {
  const read = outerColumns(right);
  return read.size > 0 && columnsOf(left).some((column) => read.has(column.id));
}

/** LATERAL: the right side is computed for every binding of what it reads of the left. */
function lateral(node: Join): Join {
  const simple = pullUp(node.right);
  const pulled =
    simple && !simple.whenEmpty && simple.computed.size === 0 ? simple : overBindings(node.left, node.right);
  const on = conjunction([...pulled.conditions, ...(node.on ? [node.on] : [])]);
  return { ...node, right: pulled.plan, ...(on ? { on } : {}) };
}

/** The condition of an outer join: a subquery is a value of the side that it reads. */
function decorrelateOn(node: Join, on: Expression, origins: Origins): LogicalPlan {
  const left = attaching(node.left, origins);
  const right = attaching(node.right, origins);
  const ofLeft = new Set(columnsOf(node.left).map((column) => column.id));
  const attach = (expression: Expression): Expression => {
    if (expression.kind !== 'subquery') return mapOperands(expression, attach);
    const read = [...columnsRead(expression)];
    if (read.every((id) => ofLeft.has(id))) return left.attach(expression);
    if (!read.some((id) => ofLeft.has(id))) return right.attach(expression);
    throw new UnsupportedSubquery(
      `a subquery in the ON of a ${node.type} join that refers to both sides`,
      expression.place,
    );
  };
  const condition = attach(on);
  return onlyColumns({ ...node, left: left.result(), right: right.result(), on: condition }, node);
}

/** The plans of the subqueries of an expression, decorrelated. */
function decorrelateInside(expression: Expression, inside: (plan: LogicalPlan) => LogicalPlan): Expression {
  const mapped = mapOperands(expression, (operand) => decorrelateInside(operand, inside));
  return mapped.kind === 'subquery' ? { ...mapped, plan: inside(mapped.plan) } : mapped;
}

/** Plain conditions first, then semi- and anti-joins, then what needs a subquery's value. */
function decorrelateFilter(input: LogicalPlan, predicate: Expression, origins: Origins): LogicalPlan {
  const all = conjuncts(predicate);
  const plain = conjunction(all.filter((conjunct) => !hasSubquery(conjunct)));
  let plan: LogicalPlan = plain ? { kind: 'filter', input, predicate: plain } : input;
  const values: Expression[] = [];
  for (const conjunct of all.filter(hasSubquery)) {
    const found = joinable(conjunct);
    const simple = found && !(found.subquery.argument && hasSubquery(found.subquery.argument));
    const joined = simple ? joinSubquery(plan, found.subquery, found.negated) : undefined;
    if (joined) {
      plan = joined;
      origins.set(joined, conjunct);
    } else values.push(conjunct);
  }
  const rest = conjunction(values);
  if (!rest) return plan;
  const { attach, result } = attaching(plan, origins);
  const condition = attach(rest);
  return onlyColumns({ kind: 'filter', input: result(), predicate: condition }, plan);
}

/** Replaces subqueries by columns of a growing input. */
function attaching(
  input: LogicalPlan,
  origins: Origins,
): {
  attach(expression: Expression): Expression;
  result(): LogicalPlan;
} {
  let plan = input;
  const attach = (expression: Expression): Expression => {
    const mapped = mapOperands(expression, attach);
    if (mapped.kind !== 'subquery') {
      if (mapped !== expression) origins.set(mapped, expression);
      return mapped;
    }
    const attached = attachSubquery(plan, mapped);
    for (let node = attached.plan; node.kind === 'join' && node !== plan; node = node.left)
      origins.set(node, expression);
    origins.set(attached.value, expression);
    plan = attached.plan;
    return attached.value;
  };
  return { attach, result: () => plan };
}

/** The plan with the columns of `like` only. */
function onlyColumns(plan: LogicalPlan, like: LogicalPlan): LogicalPlan {
  const columns = columnsOf(like);
  return {
    kind: 'project',
    input: plan,
    columns,
    expressions: columns.map((column): Expression => ({ kind: 'column', id: column.id, type: column.type })),
  };
}
