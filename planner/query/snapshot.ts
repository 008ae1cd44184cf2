/**
 * The state of the tables that an answer was made from. Tables only grow, so a state is how many rows each of
 * them had, and a plan that scans no more of them than that gives the same answer ever after.
 */
import type { Expression } from '../../engine/plan/expression.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import { mapOperands, walkExpression } from '../../engine/plan/traverse-expression.js';
import {
  expressionsOf,
  mapNodeExpressions,
  rewriteBottomUp,
  walkPlan,
} from '../../engine/plan/traverse-plan.js';
import type { Table } from '../../engine/table/table.js';

/** How many rows each table had. */
export type Snapshot = ReadonlyMap<Table, number>;

/** The tables that a plan scans, those of subqueries in its expressions too. */
export function tablesOf(plan: LogicalPlan): ReadonlySet<Table> {
  const tables = new Set<Table>();
  const scans = (whole: LogicalPlan, visit: (node: LogicalPlan) => void = () => {}): void =>
    walkPlan(whole, (node) => {
      if (node.kind === 'scan') tables.add(node.table);
      visit(node);
    });
  scans(plan, (node) => {
    for (const expression of expressionsOf(node)) {
      // Enters the expressions of a subquery's plan by itself.
      walkExpression(expression, (inner) => {
        if (inner.kind === 'subquery') scans(inner.plan);
      });
    }
  });
  return tables;
}

/** What the plan's tables are now. */
export function snapshotOf(plan: LogicalPlan): Snapshot {
  return new Map([...tablesOf(plan)].map((table) => [table, table.rowCount]));
}

/** The plan over that state, subqueries included; tables that it does not know are taken as they are now. */
export function asOf(plan: LogicalPlan, snapshot: Snapshot): LogicalPlan {
  const inside = (expression: Expression): Expression => {
    const mapped = mapOperands(expression, inside);
    if (mapped.kind !== 'subquery') return mapped;
    const over = asOf(mapped.plan, snapshot);
    return over === mapped.plan ? mapped : { ...mapped, plan: over };
  };
  return rewriteBottomUp(plan, (node) =>
    node.kind === 'scan' && node.rows === undefined
      ? { ...node, rows: snapshot.get(node.table) ?? node.table.rowCount }
      : mapNodeExpressions(node, inside),
  );
}
