/**
 * Walking and rebuilding expressions, the plans of their subqueries included. A rebuild returns the very same
 * object where nothing changed. With recursion: the depth of expressions is limited (`deepestExpression`).
 */
import type { ColumnId, Expression } from './expression.js';
import { columnsOf, type LogicalPlan } from './plan.js';
import { expressionsOf, mapPlanExpressions, mapSame, walkPlan } from './traverse-plan.js';

/** Direct operands of an expression; the left operand of a subquery is one, its plan is not. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
    case 'and':
    case 'or':
      return expression.arguments;
    case 'not':
    case 'cast':
      return [expression.argument];
    case 'case':
      return [...expression.branches.flatMap((branch) => [branch.when, branch.then]), expression.otherwise];
    case 'subquery':
      return expression.argument ? [expression.argument] : [];
    default:
      return [];
  }
}

/** The expression with its direct operands replaced. A subquery's plan is left alone. */
export function mapOperands(expression: Expression, change: (operand: Expression) => Expression): Expression {
  switch (expression.kind) {
    case 'call':
    case 'and':
    case 'or': {
      const operands = mapSame(expression.arguments, change);
      return operands === expression.arguments ? expression : { ...expression, arguments: operands };
    }
    case 'not':
    case 'cast': {
      const argument = change(expression.argument);
      return argument === expression.argument ? expression : { ...expression, argument };
    }
    case 'case': {
      const branches = mapSame(expression.branches, (branch) => {
        const when = change(branch.when);
        const then = change(branch.then);
        return when === branch.when && then === branch.then ? branch : { when, then };
      });
      const otherwise = change(expression.otherwise);
      return branches === expression.branches && otherwise === expression.otherwise
        ? expression
        : { ...expression, branches, otherwise };
    }
    case 'subquery': {
      const argument = expression.argument && change(expression.argument);
      return argument === expression.argument ? expression : { ...expression, argument };
    }
    default:
      return expression;
  }
}

/**
 * Replaces columns by expressions everywhere in `expression`, inside the plans of subqueries too (where such
 * a column is a reference to the enclosing query).
 */
export function substitute(expression: Expression, by: ReadonlyMap<ColumnId, Expression>): Expression {
  if (by.size === 0) return expression;
  const visit = (node: Expression): Expression => {
    if (node.kind === 'column') return by.get(node.id) ?? node;
    const mapped = mapOperands(node, visit);
    if (mapped.kind !== 'subquery') return mapped;
    const plan = mapPlanExpressions(mapped.plan, visit);
    return plan === mapped.plan ? mapped : { ...mapped, plan };
  };
  return visit(expression);
}

/**
 * Calls `visit` on the expression and everything inside it, the expressions of subqueries' plans included.
 */
export function walkExpression(expression: Expression, visit: (node: Expression) => void): void {
  visit(expression);
  for (const operand of operandsOf(expression)) walkExpression(operand, visit);
  if (expression.kind === 'subquery')
    walkPlan(expression.plan, (node) => {
      for (const inner of expressionsOf(node)) walkExpression(inner, visit);
    });
}

/** The columns that an expression reads; for a subquery those that it reads of the enclosing query. */
export function columnsRead(expression: Expression, into: Set<ColumnId> = new Set()): Set<ColumnId> {
  if (expression.kind === 'column') into.add(expression.id);
  for (const operand of operandsOf(expression)) columnsRead(operand, into);
  if (expression.kind === 'subquery') for (const id of outerColumns(expression.plan)) into.add(id);
  return into;
}

/** The columns that a plan reads but does not make: those of enclosing queries. Empty for a whole query. */
export function outerColumns(plan: LogicalPlan): Set<ColumnId> {
  const made = new Set<ColumnId>();
  const read = new Set<ColumnId>();
  walkPlan(plan, (node) => {
    for (const column of columnsOf(node)) made.add(column.id);
    for (const expression of expressionsOf(node)) columnsRead(expression, read);
  });
  for (const id of made) read.delete(id);
  return read;
}

/** Whether an expression holds a subquery. */
export function hasSubquery(expression: Expression): boolean {
  return expression.kind === 'subquery' || operandsOf(expression).some(hasSubquery);
}

/** Structural equality: same functions, columns, values and types; places do not matter. */
export function equalExpressions(a: Expression, b: Expression): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.type !== b.type) return false;
  switch (a.kind) {
    case 'column':
      return b.kind === 'column' && a.id === b.id;
    case 'parameter':
      return b.kind === 'parameter' && a.index === b.index;
    case 'literal':
      return b.kind === 'literal' && equalValues(a.value, b.value);
    case 'call':
      if (b.kind !== 'call' || a.function !== b.function) return false;
      break;
    case 'case':
      if (b.kind !== 'case' || a.branches.length !== b.branches.length) return false;
      break;
    case 'subquery':
      return false;
  }
  const left = operandsOf(a);
  const right = operandsOf(b);
  return left.length === right.length && left.every((operand, i) => equalExpressions(operand, right[i]));
}

function equalValues(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The operands of nested `and`s; a single predicate is its own only conjunct. */
export function conjuncts(predicate: Expression | undefined): readonly Expression[] {
  if (!predicate) return [];
  return predicate.kind === 'and' ? predicate.arguments.flatMap(conjuncts) : [predicate];
}

/** The conjunction, or undefined (true) of none. */
export function conjunction(predicates: readonly Expression[]): Expression | undefined {
  if (predicates.length < 2) return predicates[0];
  return { kind: 'and', arguments: predicates, type: 'boolean' };
}
