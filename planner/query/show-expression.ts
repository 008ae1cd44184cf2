/** Expressions as text, for EXPLAIN and for reasons. Untrusted text in them is made visible. */
import type { ColumnId, Expression } from '../../engine/expression.js';
import { external } from '../../engine/external.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan.js';
import { walkPlan } from '../../engine/traverse.js';
import { shorten } from '../../engine/visible-text.js';

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

export function showExpression(expression: Expression, names: ColumnNames): string {
  const show = (operand: Expression): string => {
    const text = showExpression(operand, names);
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
    case 'not':
      return `NOT ${show(expression.argument)}`;
    case 'cast':
      return `CAST(${showExpression(expression.argument, names)} AS ${expression.type})`;
    case 'case': {
      const branches = expression.branches.map(({ when, then }) => `WHEN ${show(when)} THEN ${show(then)}`);
      return `CASE ${branches.join(' ')} ELSE ${show(expression.otherwise)} END`;
    }
    case 'subquery':
      return `${expression.form.toUpperCase()} (subquery)`;
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
      return `${name}(${operands.map((operand) => showExpression(operand, names)).join(', ')})`;
    }
  }
}
