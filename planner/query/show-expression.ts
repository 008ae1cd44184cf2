/** Expressions as text, for EXPLAIN and for reasons. Untrusted text in them is made visible. */
import type { ColumnId, Expression } from '../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import { walkPlan } from '../../engine/plan/traverse-plan.js';
import { external } from '../../engine/value/external.js';
import { shorten } from '../../semiring/message/visible-text.js';

export type ColumnNames = ReadonlyMap<ColumnId, string>;

/** A name for every column of the plan; scans qualify theirs. */
export function columnNames(plan: LogicalPlan): ColumnNames {
  const names = new Map<ColumnId, string>();
  walkPlan(plan, (node) => {
    for (const column of columnsOf(node)) {
      const name = shorten(column.name, 40);
      if (node.kind === 'scan') names.set(column.id, `${shorten(node.table.name, 40)}.${name}`);
      else if (!names.has(column.id)) names.set(column.id, name);
    }
  });
  return names;
}

/** The text of a subquery, parentheses included; undefined where it is not known. */
export type SubqueryText = (subquery: Extract<Expression, { kind: 'subquery' }>) => string | undefined;

export function showExpression(
  expression: Expression,
  names: ColumnNames,
  subqueryText: SubqueryText = () => undefined,
): string {
  const show = (operand: Expression): string => {
    const text = showExpression(operand, names, subqueryText);
    if (operand.kind === 'subquery' && operand.form === 'scalar') return text;
    const simple = operand.kind === 'column' || operand.kind === 'literal' || operand.kind === 'parameter';
    return simple || /^[a-z_]+\(.*\)$/.test(text) ? text : `(${text})`;
  };
  switch (expression.kind) {
    case 'column':
      return names.get(expression.id) ?? `column ${expression.id}`;
    case 'literal': {
      if (expression.value === null) return 'NULL';
      const value = external(expression.value, expression.type);
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      const quoted = typeof value === 'string' || typeof value === 'object';
      return quoted ? `'${shorten(text, 60)}'` : text;
    }
    case 'parameter':
      return `$${expression.index + 1}`;
    case 'and':
    case 'or':
      return expression.arguments.map(show).join(expression.kind === 'and' ? ' AND ' : ' OR ');
    case 'not': {
      const { argument } = expression;
      const isIn = argument.kind === 'subquery' && argument.form === 'in' && argument.argument;
      if (isIn) return `${show(isIn)} NOT IN ${subqueryText(argument) ?? '(subquery)'}`;
      return argument.kind === 'subquery'
        ? `NOT ${showExpression(argument, names, subqueryText)}`
        : `NOT ${show(argument)}`;
    }
    case 'cast':
      return `CAST(${showExpression(expression.argument, names, subqueryText)} AS ${expression.type})`;
    case 'case': {
      const branches = expression.branches.map(({ when, then }) => `WHEN ${show(when)} THEN ${show(then)}`);
      return `CASE ${branches.join(' ')} ELSE ${show(expression.otherwise)} END`;
    }
    case 'subquery': {
      const { form, argument, comparison } = expression;
      const text = subqueryText(expression) ?? '(subquery)';
      if (form === 'scalar') return text;
      if (!argument) return `EXISTS ${text}`;
      const operator = form === 'in' ? 'IN' : `${comparison?.name ?? '='} ${form.toUpperCase()}`;
      return `${show(argument)} ${operator} ${text}`;
    }
    case 'call': {
      const { name } = expression.function;
      const operands = expression.arguments;
      if (name.startsWith('is ') && operands.length === 1)
        return `${show(operands[0])} ${name.toUpperCase()}`;
      if ((name === 'in' || name === 'not in') && operands.length > 0) {
        const list = operands.slice(1, 9).map(show);
        const more = operands.length > 9 ? [`… ${operands.length - 9} more`] : [];
        return `${show(operands[0])} ${name.toUpperCase()} (${[...list, ...more].join(', ')})`;
      }
      const infix = !/^[a-z_]/.test(name) || name.includes(' ') || name.endsWith('like');
      if (infix && operands.length === 2)
        return `${show(operands[0])} ${name.toUpperCase()} ${show(operands[1])}`;
      if (infix && operands.length === 1) return `${name}${show(operands[0])}`;
      return `${name}(${operands.map((operand) => showExpression(operand, names, subqueryText)).join(', ')})`;
    }
  }
}
