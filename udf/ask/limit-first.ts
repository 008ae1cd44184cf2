/**
 * Moves LIMIT (and the ORDER BY below it) under a projection that asks, so that only the rows that stay are
 * asked about. Values, order and provenance are the same, as a projection keeps its rows.
 */
import type { Expression } from '../../engine/plan/expression.js';
import type { Limit, LogicalPlan, Project } from '../../engine/plan/plan.js';
import { columnsRead, substitute } from '../../engine/plan/traverse-expression.js';
import { rewriteBottomUp } from '../../engine/plan/traverse-plan.js';
import { hasAsk } from './ask-function.js';

export function limitFirst(plan: LogicalPlan): LogicalPlan {
  return rewriteBottomUp(plan, (node) => (node.kind === 'limit' ? pushed(node) : node));
}

function pushed(limit: Limit): LogicalPlan {
  if (limit.by) return limit;
  const below = limit.input;
  if (below.kind === 'project' && asks(below)) {
    // A further projection below may be another one that asks.
    return { ...below, input: pushed({ ...limit, input: below.input }) };
  }
  if (below.kind !== 'sort' || below.input.kind !== 'project' || !asks(below.input)) return limit;
  const project = below.input;
  const made = new Map(project.columns.map((column, i) => [column.id, project.expressions[i]]));
  const answered = (key: Expression) =>
    hasAsk(key) || [...columnsRead(key)].some((id) => hasAsk(made.get(id) ?? key));
  if (below.keys.some((key) => answered(key.expression))) return limit;
  const keys = below.keys.map((key) => ({ ...key, expression: substitute(key.expression, made) }));
  return { ...project, input: { ...limit, input: { ...below, keys, input: project.input } } };
}

function asks(project: Project): boolean {
  return project.expressions.some(hasAsk);
}
