import type { Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../../engine/plan/plan.js';
import { conjunction } from '../../../../engine/plan/traverse-expression.js';
import { inputsFirst, inputsOf, withInputs } from '../../../../engine/plan/traverse-plan.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule, RuleContext } from '../rule.js';
import { isInnerJoin, type JoinGraph, joinGraph } from './join-graph.js';
import { cheapestOrder, costOf, type JoinTree } from './join-order.js';

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
    done.set(node, graph ? ordered(node, graph, below, context) : withInputs(node, below));
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
function ordered(
  plan: LogicalPlan,
  graph: JoinGraph,
  leaves: readonly LogicalPlan[],
  { estimates }: RuleContext,
): LogicalPlan {
  const own = treeOf(plan, graph.leaves);
  const best = cheapestOrder(graph, estimates);
  // A tie keeps what was written.
  const better = best.cost < costOf(own, graph, estimates) * 0.999;
  const built = build(better ? best.tree : own, { ...graph, leaves });
  if (!better) return leaves.every((leaf, i) => leaf === graph.leaves[i]) ? plan : built;
  const columns = columnsOf(plan);
  const expressions = columns.map(
    (column): Expression => ({ kind: 'column', id: column.id, type: column.type }),
  );
  return { kind: 'project', input: built, columns, expressions };
}

function treeOf(plan: LogicalPlan, leaves: readonly LogicalPlan[]): JoinTree {
  let next = 0;
  const visit = (node: LogicalPlan): JoinTree => {
    if (!isInnerJoin(node)) return next++;
    const left = visit(node.left);
    return [left, visit(node.right)];
  };
  const tree = visit(plan);
  if (next !== leaves.length) throw new TypeError('the join tree has other leaves than its graph');
  return tree;
}

/** The joins of a tree; each condition at the lowest join that has all its columns. */
function build(tree: JoinTree, graph: JoinGraph): LogicalPlan {
  const placed = new Set<number>();
  const visit = (node: JoinTree): { readonly plan: LogicalPlan; readonly set: number } => {
    if (typeof node === 'number') return { plan: graph.leaves[node], set: 1 << node };
    const [left, right] = [visit(node[0]), visit(node[1])];
    const set = left.set | right.set;
    const here: Expression[] = [];
    graph.conditions.forEach(({ expression, leaves }, i) => {
      if (placed.has(i) || (leaves & set) !== leaves) return;
      placed.add(i);
      here.push(expression);
    });
    const on = conjunction(here);
    return {
      plan: { kind: 'join', type: 'inner', left: left.plan, right: right.plan, ...(on ? { on } : {}) },
      set,
    };
  };
  return visit(tree).plan;
}
