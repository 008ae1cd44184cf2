import type { Expression } from '../../../engine/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan.js';
import { conjunction, inputsOf, withInputs } from '../../../engine/traverse.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule, RuleContext } from '../rule.js';
import { isInnerJoin, type JoinGraph, joinGraph } from './join-graph.js';
import { cheapestOrder, costOf, type JoinTree } from './join-order.js';

/**
 * Inner joins are put in the cheapest order by estimate: · is commutative and associative, and every condition is
 * evaluated once in any order. Where two conditions read one labelled column, whether they meet in one join decides
 * about its exponent, so such joins keep their order. The order of the rows is not kept (SQL promises none).
 */
export const orderJoins: Rule = {
  name: 'order joins',
  description: 'inner joins are put in the order that is cheapest by estimated cardinality',
  scope: 'plan',
  apply(plan, context) {
    const reordered = reorder(plan, context);
    return reordered === plan ? undefined : reordered;
  },
};

function reorder(plan: LogicalPlan, context: RuleContext): LogicalPlan {
  if (!isInnerJoin(plan))
    return withInputs(
      plan,
      inputsOf(plan).map((input) => reorder(input, context)),
    );
  const graph = joinGraph(plan, context.estimates);
  const labelled = labelledColumns(plan);
  if (
    !graph ||
    !readDisjoint(
      graph.conditions.map(({ expression }) => expression),
      labelled,
    )
  ) {
    return withInputs(
      plan,
      inputsOf(plan).map((input) => reorder(input, context)),
    );
  }
  const leaves = graph.leaves.map((leaf) => reorder(leaf, context));
  const own = treeOf(plan, graph.leaves);
  const best = cheapestOrder(graph, context.estimates);
  // A tie keeps what was written.
  const better = best.cost < costOf(own, graph, context.estimates) * 0.999;
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
