import type { Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../../engine/plan/plan.js';
import { conjunction } from '../../../../engine/plan/traverse-expression.js';
import { inputsFirst, inputsOf, withInputs } from '../../../../engine/plan/traverse-plan.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule, RuleContext } from '../rule.js';
import { isInnerJoin, type JoinGraph, type JoinOrder, joinGraph } from './join-graph.js';
import { cheapOrder } from './join-order.js';
import { costOf, Joining } from './joining.js';

/**
 * Inner joins are put in the cheapest order by estimate: · is commutative and associative, and every
 * condition is evaluated once in any order. Where two conditions read one labelled column, whether they meet
 * in one join decides about its exponent, so such joins keep their order. The order of the rows is not kept
 * (SQL promises none).
 */
export const orderJoins: Rule = {
  name: 'order joins',
  description: 'inner joins are put in the order that is cheapest by estimated cardinality',
  scope: 'part',
  apply(plan, context) {
    const reordered = reorder(plan, context);
    return reordered === plan ? undefined : reordered;
  },
};

function reorder(root: LogicalPlan, context: RuleContext): LogicalPlan {
  const graphs = new Map<LogicalPlan, JoinGraph | undefined>();
  const graphOf = (node: LogicalPlan): JoinGraph | undefined => {
    if (!graphs.has(node)) graphs.set(node, freeGraph(node, context));
    return graphs.get(node);
  };
  const inputs = (node: LogicalPlan) => graphOf(node)?.leaves ?? inputsOf(node);
  const done = new Map<LogicalPlan, LogicalPlan>();
  for (const node of inputsFirst(root, inputs)) {
    const below = inputs(node).map((input) => done.get(input) ?? input);
    const graph = graphOf(node);
    done.set(node, graph ? ordered(node, graph, below) : withInputs(node, below));
  }
  return done.get(root) ?? root;
}

/** The graph of the joins with their root here, where they may be put in any order. */
function freeGraph(plan: LogicalPlan, { estimates }: RuleContext): JoinGraph | undefined {
  if (!isInnerJoin(plan)) return undefined;
  const graph = joinGraph(plan, estimates);
  const expressions = graph?.conditions.map(({ expression }) => expression) ?? [];
  return readDisjoint(expressions, labelledColumns(plan)) ? graph : undefined;
}

/** @param leaves the graph's, reordered themselves */
function ordered(plan: LogicalPlan, graph: JoinGraph, leaves: readonly LogicalPlan[]): LogicalPlan {
  const best = cheapOrder(graph);
  const [cost, own] = [costOf(best, graph), costOf(graph.written, graph)];
  // A tie keeps what was written.
  const better = cost.products < own.products || cost.rows < own.rows * 0.999;
  const built = build(better ? best : graph.written, { ...graph, leaves });
  if (!better) return leaves.every((leaf, i) => leaf === graph.leaves[i]) ? plan : built;
  const columns = columnsOf(plan);
  const expressions = columns.map(
    (column): Expression => ({ kind: 'column', id: column.id, type: column.type }),
  );
  return { kind: 'project', input: built, columns, expressions };
}

/** The joins of an order; each condition at the lowest join that has all its columns. */
function build(order: JoinOrder, graph: JoinGraph): LogicalPlan {
  const joining = new Joining(graph);
  const parts = [...graph.leaves];
  for (const [left, right] of order) {
    const { conditions } = joining.join(left, right);
    const on = conjunction(conditions.map((condition) => graph.conditions[condition].expression));
    parts.push({
      kind: 'join',
      type: 'inner',
      left: parts[left],
      right: parts[right],
      ...(on ? { on } : {}),
    });
  }
  return parts[parts.length - 1];
}
