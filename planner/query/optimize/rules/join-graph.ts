/** A tree of inner joins as a graph: leaves, the conditions between them, and the order that was written. */
import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../../engine/plan/plan.js';
import { columnsRead, conjuncts } from '../../../../engine/plan/traverse-expression.js';
import { inputsFirst } from '../../../../engine/plan/traverse-plan.js';
import type { Estimates } from '../estimate.js';

export interface JoinCondition {
  readonly expression: Expression;
  /** The numbers of the leaves that it reads, each once. */
  readonly leaves: readonly number[];
  readonly selectivity: number;
}

/**
 * Which parts are joined, one pair a step. With n leaves the parts 0 … n-1 are the leaves, and n + k is what
 * step k makes.
 */
export type JoinOrder = readonly (readonly [left: number, right: number])[];

export interface JoinGraph {
  readonly leaves: readonly LogicalPlan[];
  /** Estimated rows of each leaf. */
  readonly rows: readonly number[];
  readonly conditions: readonly JoinCondition[];
  readonly written: JoinOrder;
}

/** The largest tree of inner joins with its root here; undefined where it is no join of three or more. */
export function joinGraph(plan: LogicalPlan, estimates: Estimates): JoinGraph | undefined {
  const nodes = inputsFirst(plan, joinedBy);
  const leaves = nodes.filter((node) => !isInnerJoin(node));
  if (leaves.length < 3) return undefined;
  const joins = nodes.filter(isInnerJoin);
  const home = new Map<ColumnId, number>();
  leaves.forEach((leaf, i) => {
    for (const column of columnsOf(leaf)) home.set(column.id, i);
  });
  const conditions = joins
    .flatMap(({ on }) => conjuncts(on))
    .map((expression): JoinCondition => {
      const read = new Set<number>();
      for (const id of columnsRead(expression)) {
        const leaf = home.get(id);
        if (leaf !== undefined) read.add(leaf);
      }
      const inputs = [...read].map((leaf) => leaves[leaf]);
      return { expression, leaves: [...read], selectivity: estimates.selectivity(expression, inputs) };
    });
  const number = new Map([...leaves, ...joins].map((node, i) => [node, i]));
  const numberOf = (node: LogicalPlan): number => number.get(node) ?? 0;
  return {
    leaves,
    rows: leaves.map((leaf) => estimates.rows(leaf)),
    conditions,
    written: joins.map(({ left, right }) => [numberOf(left), numberOf(right)]),
  };
}

function joinedBy(node: LogicalPlan): readonly LogicalPlan[] {
  return isInnerJoin(node) ? [node.left, node.right] : [];
}

export function isInnerJoin(plan: LogicalPlan): plan is Extract<LogicalPlan, { kind: 'join' }> {
  return plan.kind === 'join' && plan.type === 'inner' && !plan.lookup;
}
