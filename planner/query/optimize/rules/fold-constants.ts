import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import type { LogicalPlan } from '../../../../engine/plan/plan.js';
import { mapOperands } from '../../../../engine/plan/traverse-expression.js';
import { inputsOf, mapNodeExpressions } from '../../../../engine/plan/traverse-plan.js';
import { foldConstant, isLiteral, literal } from '../constant.js';
import { labelledColumns, readsLabelled } from '../labelled.js';
import type { Rule } from '../rule.js';

/**
 * Constant parts are evaluated while planning; TRUE drops out of AND, FALSE out of OR, a filter on TRUE out
 * of the plan. A part that reads a labelled column is never dropped: the annotation says that it was read.
 */
export const foldConstants: Rule = {
  name: 'fold constants',
  description: 'constant parts of expressions are evaluated while planning',
  scope: 'node',
  apply(plan) {
    const labelled = new Set(inputsOf(plan).flatMap((input) => [...labelledColumns(input)]));
    const folded = mapNodeExpressions(plan, (expression) => fold(expression, labelled));
    if (folded.kind === 'filter' && isLiteral(folded.predicate, true)) return folded.input;
    return folded === plan ? undefined : withoutTrueCondition(folded);
  },
};

function withoutTrueCondition(plan: LogicalPlan): LogicalPlan {
  if (plan.kind !== 'join' || !plan.on || plan.nullAware || !isLiteral(plan.on, true)) return plan;
  const { on: _, ...cross } = plan;
  return cross;
}

function fold(expression: Expression, labelled: ReadonlySet<ColumnId>): Expression {
  if (expression.kind === 'literal') return expression;
  const mapped = mapOperands(expression, (operand) => fold(operand, labelled));
  const constant = foldConstant(mapped);
  if (constant) return constant;
  if (mapped.kind === 'and' || mapped.kind === 'or') return foldLogic(mapped, labelled);
  if (mapped.kind === 'case') return foldCase(mapped, labelled);
  return mapped;
}

type Logic = Extract<Expression, { kind: 'and' | 'or' }>;

/** x AND TRUE = x; x AND FALSE = FALSE. */
function foldLogic(expression: Logic, labelled: ReadonlySet<ColumnId>): Expression {
  const neutral = expression.kind === 'and';
  const decided = expression.arguments.some((operand) => isLiteral(operand, !neutral));
  if (decided && !readsLabelled(expression, labelled)) return literal(!neutral, 'boolean', expression.place);
  const rest = expression.arguments.filter((operand) => !isLiteral(operand, neutral));
  if (rest.length === expression.arguments.length) return expression;
  if (rest.length === 0) return literal(neutral, 'boolean', expression.place);
  return rest.length === 1 ? rest[0] : { ...expression, arguments: rest };
}

/** Branches that are never taken drop out, and what follows one that always is. */
function foldCase(
  expression: Extract<Expression, { kind: 'case' }>,
  labelled: ReadonlySet<ColumnId>,
): Expression {
  const kept = [];
  let { otherwise } = expression;
  const dropped: Expression[] = [];
  for (const [i, branch] of expression.branches.entries()) {
    if (branch.when.kind !== 'literal') kept.push(branch);
    else if (branch.when.value !== true) dropped.push(branch.then);
    else {
      dropped.push(otherwise, ...expression.branches.slice(i + 1).flatMap(({ when, then }) => [when, then]));
      otherwise = branch.then;
      break;
    }
  }
  const changed = kept.length !== expression.branches.length;
  if (!changed || dropped.some((part) => readsLabelled(part, labelled))) return expression;
  if (kept.length > 0) return { ...expression, branches: kept, otherwise };
  return otherwise.type === expression.type
    ? otherwise
    : { kind: 'cast', argument: otherwise, type: expression.type, place: expression.place };
}
