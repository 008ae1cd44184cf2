/**
 * A tree of inner joins as a graph: leaves, and the conditions between them. A set of leaves is a bit mask,
 * so there may be at most 30 of them.
 */
import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../../engine/plan/plan.js';
import { columnsRead, conjuncts } from '../../../../engine/plan/traverse-expression.js';
import { inputsFirst } from '../../../../engine/plan/traverse-plan.js';
import type { Estimates } from '../estimate.js';

export interface JoinCondition {
  readonly expression: Expression;
  /** The leaves that it reads. */
  readonly leaves: number;
  readonly selectivity: number;
}

export interface JoinGraph {
  readonly leaves: readonly LogicalPlan[];
  readonly conditions: readonly JoinCondition[];
}

export const mostLeaves = 30;

/** The largest tree of inner joins with its root here; undefined where it is no join of three or more. */
export function joinGraph(plan: LogicalPlan, estimates: Estimates): JoinGraph | undefined {
  if (!hasFewLeaves(plan)) return undefined;
  const nodes = inputsFirst(plan, joinedBy);
  const leaves = nodes.filter((node) => !isInnerJoin(node));
  if (leaves.length < 3) return undefined;
  const predicates = nodes.filter(isInnerJoin).flatMap(({ on }) => conjuncts(on));
  const home = new Map<ColumnId, number>();
  leaves.forEach((leaf, i) => {
    for (const column of columnsOf(leaf)) home.set(column.id, i);
  });
  const conditions = predicates.map((expression): JoinCondition => {
    let mask = 0;
    for (const id of columnsRead(expression)) {
      const leaf = home.get(id);
      if (leaf !== undefined) mask |= 1 << leaf;
    }
    const inputs = leaves.filter((_, i) => mask & (1 << i));
    return { expression, leaves: mask, selectivity: estimates.selectivity(expression, inputs) };
  });
  return { leaves, conditions };
}

function joinedBy(node: LogicalPlan): readonly LogicalPlan[] {
  return isInnerJoin(node) ? [node.left, node.right] : [];
}

/** Looks no further than it must. */
function hasFewLeaves(plan: LogicalPlan): boolean {
  const stack: LogicalPlan[] = [plan];
  let leaves = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const inputs = joinedBy(node);
    if (inputs.length === 0) leaves += 1;
    stack.push(...inputs);
    if (leaves + stack.length > mostLeaves) return false;
  }
  return true;
}

export function isInnerJoin(plan: LogicalPlan): plan is Extract<LogicalPlan, { kind: 'join' }> {
  return plan.kind === 'join' && plan.type === 'inner' && !plan.lookup;
}

/** Estimated rows of the join of a set of leaves: the same for every order. */
export function rowsOfSet(graph: JoinGraph, estimates: Estimates, set: number): number {
  let rows = 1;
  graph.leaves.forEach((leaf, i) => {
    if (set & (1 << i)) rows *= estimates.rows(leaf);
  });
  for (const { leaves, selectivity } of graph.conditions) if ((leaves & set) === leaves) rows *= selectivity;
  return rows;
}

/** Whether some condition reads both sets. */
export function connected(graph: JoinGraph, a: number, b: number): boolean {
  return graph.conditions.some(({ leaves }) => leaves & a && leaves & b && (leaves & (a | b)) === leaves);
}
