import { equal } from '../../../../engine/operators/index.js';
import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import type { Join, LogicalPlan } from '../../../../engine/plan/plan.js';
import { columnsRead, conjuncts, substitute } from '../../../../engine/plan/traverse-expression.js';
import { columnIdsOf } from '../../../../engine/plan/traverse-plan.js';
import { dear, expressionCost } from '../cost.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule, RuleContext } from '../rule.js';
import { isInnerJoin } from './join-graph.js';

/**
 * (L ⋈p R) ⋉q S = (L ⋉q S) ⋈p R where q reads L and S only; so of an anti join, of any inner join, and of an
 * outer join whose L side keeps its rows. · commutes: annL · annR · P(p) · δ(Σ annS · P(q)) has the same
 * factors in both, and so has the label of an anti join, which is a product over L's row and base tables.
 * What stands between passes them on: filters, other semi and anti joins, and projections that rename columns
 * of which q reads each once. A sort does not: below it every row's label would get what the semi join
 * depends on.
 */
export const pushSemiJoin: Rule = {
  name: 'push semi join below joins',
  description: 'a semi or anti join that reads one input of inner joins is evaluated on that input',
  scope: 'node',
  apply: (plan, context) => pushed(plan, context, true),
};

/** The same on joins whose order is fixed: there may be several of them below it. */
export const pushSemiJoinIntoOrder: Rule = {
  name: 'push semi join into ordered joins',
  description: 'a semi or anti join is evaluated as soon as the joins below it give what it reads',
  scope: 'node',
  apply: (plan, context) => pushed(plan, context, false),
};

/**
 * @param free whether inner joins may still be put in another order: then a tree of them is passed as a whole
 */
function pushed(plan: LogicalPlan, { estimates }: RuleContext, free: boolean): LogicalPlan | undefined {
  if (plan.kind !== 'join' || (plan.type !== 'semi' && plan.type !== 'anti')) return undefined;
  if (!plan.on || expressionCost(plan.on) >= dear) return undefined;
  const way = wayDown(plan, plan.on, free);
  if (!way) return undefined;
  // With an equality it costs no more than the join reads anyway; without one it compares every pair.
  const { input, on } = way;
  if (!hasEquality(on, plan.right) && estimates.rows(input) > estimates.rows(plan.left)) return undefined;
  return way.over({ ...plan, left: input, on });
}

interface WayDown {
  /** Where the semi join goes, and its condition there. */
  readonly input: LogicalPlan;
  readonly on: Expression;
  /** What was above the input, over another one. */
  over(input: LogicalPlan): LogicalPlan;
}

/** A node that the semi join passes. */
interface Step {
  readonly input: LogicalPlan;
  over(input: LogicalPlan): LogicalPlan;
}

/**
 * So many nodes that are no joins are passed on the way, else a long chain of semi joins is walked once for
 * each.
 */
const mostBetween = 100;

/** The way past the last join that may be passed; undefined where it is none. */
function wayDown(semi: Join, condition: Expression, free: boolean): WayDown | undefined {
  const other = columnIdsOf(semi.right);
  const steps: Step[] = [];
  let [on, node] = [condition, semi.left];
  let found: { readonly input: LogicalPlan; readonly on: Expression; readonly steps: number } | undefined;
  let between = 0;
  while (between < mostBetween) {
    const read = [...columnsRead(on)].filter((id) => !other.has(id));
    if (read.length === 0) break;
    const step = passed(node, read);
    if (!step) break;
    if (node.kind === 'project') {
      const renamed = renaming(node, on, read);
      if (!renamed) break;
      on = renamed;
    }
    steps.push(step);
    const isJoin = node.kind === 'contains' || (node.kind === 'join' && !isSemi(node));
    if (!isJoin) between += 1;
    node = step.input;
    if (isJoin && !(free && isInnerJoin(node))) found = { input: node, on, steps: steps.length };
  }
  if (!found) return undefined;
  const way = steps.slice(0, found.steps);
  return { ...found, over: (input) => way.reduceRight((below, step) => step.over(below), input) };
}

function isSemi({ type }: Join): boolean {
  return type === 'semi' || type === 'anti';
}

/** One node down, to the input that has all these columns. */
function passed(node: LogicalPlan, read: readonly ColumnId[]): Step | undefined {
  switch (node.kind) {
    case 'filter':
    case 'project':
      return { input: node.input, over: (input) => ({ ...node, input }) };
    case 'join':
    case 'contains': {
      const type = node.kind === 'contains' ? 'inner' : node.type;
      const isOf = (side: LogicalPlan) => read.every((id) => columnIdsOf(side).has(id));
      if (type !== 'right' && type !== 'full' && isOf(node.left))
        return { input: node.left, over: (left) => ({ ...node, left }) };
      // What a lookup finds is worth what was looked up, not the row.
      const isLookup = node.kind === 'join' && node.lookup === true;
      if ((type === 'inner' || type === 'right') && !isLookup && isOf(node.right))
        return { input: node.right, over: (right) => ({ ...node, right }) };
      return undefined;
    }
    default:
      return undefined;
  }
}

/** The condition over what a projection's columns are, where it reads columns that are only renamed. */
function renaming(
  project: Extract<LogicalPlan, { kind: 'project' }>,
  on: Expression,
  read: readonly ColumnId[],
): Expression | undefined {
  const by = new Map<ColumnId, Expression>();
  project.columns.forEach(({ id }, i) => {
    if (project.expressions[i].kind === 'column') by.set(id, project.expressions[i]);
  });
  if (!read.every((id) => by.has(id))) return undefined;
  const made = read.map((id) => by.get(id));
  // Two columns that are one below would count once instead of twice.
  return readDisjoint(made, labelledColumns(project.input)) ? substitute(on, by) : undefined;
}

/** Whether some conjunct compares the sides for equality, so that they are joined by hashing. */
function hasEquality(on: Expression, right: LogicalPlan): boolean {
  const ofRight = columnIdsOf(right);
  const sideOf = (operand: Expression): boolean | undefined => {
    const sides = new Set([...columnsRead(operand)].map((id) => ofRight.has(id)));
    return sides.size === 1 ? sides.has(true) : undefined;
  };
  return conjuncts(on).some((conjunct) => {
    if (conjunct.kind !== 'call' || conjunct.function !== equal) return false;
    const [a, b] = conjunct.arguments.map(sideOf);
    return a !== undefined && b !== undefined && a !== b;
  });
}
