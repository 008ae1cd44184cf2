import { equal, notEqual } from '../../../../engine/operators/comparison.js';
import { inList, notInList } from '../../../../engine/operators/in-list.js';
import type { Expression, ScalarFunction } from '../../../../engine/plan/expression.js';
import { equalExpressions, mapOperands, operandsOf } from '../../../../engine/plan/traverse-expression.js';
import { mapNodeExpressions } from '../../../../engine/plan/traverse-plan.js';
import { isConstant } from '../constant.js';
import type { Rule } from '../rule.js';

/** Fewer comparisons than this are as fast one by one. */
const fewest = 3;

/**
 * x = 1 OR x = 2 OR x = 3 is x IN (1, 2, 3), which is looked up and not tried one by one; x <> 1 AND x <> 2
 * AND … is x NOT IN (…). Both compare by `=` and are unknown in the same cases, and the same columns are
 * read.
 */
export const equalitiesToList: Rule = {
  name: 'equalities to list',
  description: 'comparisons of one expression with several constants become one list',
  scope: 'node',
  apply(plan) {
    const changed = mapNodeExpressions(plan, listed);
    return changed === plan ? undefined : changed;
  },
};

function listed(expression: Expression): Expression {
  const mapped = mapOperands(expression, listed);
  if (mapped.kind === 'or') return gathered(mapped, equal, inList);
  return mapped.kind === 'and' ? gathered(mapped, notEqual, notInList) : mapped;
}

type Logic = Extract<Expression, { kind: 'and' | 'or' }>;

/** The comparisons of one subject. */
interface Group {
  readonly subject: Expression;
  readonly constants: Expression[];
  readonly operands: Set<Expression>;
}

function gathered(expression: Logic, comparison: ScalarFunction, list: ScalarFunction): Expression {
  if (expression.arguments.length < fewest) return expression;
  const groups = new Map<string, Group>();
  const groupOf = new Map<Expression, Group>();
  for (const operand of expression.arguments) {
    const parts = partsOf(operand, comparison, list);
    if (parts === undefined) continue;
    const signature = signatureOf(parts.subject);
    let group = groups.get(signature);
    if (group === undefined) {
      group = { subject: parts.subject, constants: [], operands: new Set() };
      groups.set(signature, group);
    } else if (!equalExpressions(group.subject, parts.subject)) continue;
    for (const constant of parts.constants) group.constants.push(constant);
    group.operands.add(operand);
    groupOf.set(operand, group);
  }
  const long = new Set(
    [...groups.values()].filter(({ operands, constants }) => operands.size > 1 && constants.length >= fewest),
  );
  if (long.size === 0) return expression;
  const operands = expression.arguments.flatMap((operand): readonly Expression[] => {
    const group = groupOf.get(operand);
    if (group === undefined || !long.has(group)) return [operand];
    // All of them stand where the first did.
    const [first] = group.operands;
    if (operand !== first) return [];
    const { place } = operand;
    const call: Expression = {
      kind: 'call',
      function: list,
      arguments: [group.subject, ...group.constants],
      type: 'boolean',
      ...(place ? { place } : {}),
    };
    return [call];
  });
  return operands.length === 1 ? operands[0] : { ...expression, arguments: operands };
}

/** The subject and the constants of `x = c`, `c = x` or `x IN (c, …)`. */
function partsOf(
  operand: Expression,
  comparison: ScalarFunction,
  list: ScalarFunction,
): { readonly subject: Expression; readonly constants: readonly Expression[] } | undefined {
  if (operand.kind !== 'call') return undefined;
  const [first, ...rest] = operand.arguments;
  if (operand.function === list) {
    return rest.every(isLiteral) && !isConstant(first) ? { subject: first, constants: rest } : undefined;
  }
  if (operand.function !== comparison) return undefined;
  const [second] = rest;
  if (isLiteral(second) && !isConstant(first)) return { subject: first, constants: [second] };
  return isLiteral(first) && !isConstant(second) ? { subject: second, constants: [first] } : undefined;
}

function isLiteral({ kind }: Expression): boolean {
  return kind === 'literal';
}

/** The same for equal expressions, and seldom for others. */
function signatureOf(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return `#${expression.id}`;
    case 'literal':
      return `'${typeof expression.value === 'object' ? '' : String(expression.value).slice(0, 40)}'`;
    default: {
      const name = expression.kind === 'call' ? expression.function.name : expression.kind;
      return `${name}(${operandsOf(expression).map(signatureOf).join()})`;
    }
  }
}
