import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { columnsOf } from '../../../../engine/plan/plan.js';
import { columnsRead, operandsOf, substitute } from '../../../../engine/plan/traverse-expression.js';
import { labelledColumns, readDisjoint } from '../labelled.js';
import type { Rule } from '../rule.js';
import { staysSmall } from './growth.js';

/**
 * πf(πe(R)) = π(f over e)(R). Each f must read a labelled column through one e only (else its power changes),
 * and no expression that computes something may be computed twice. A projection that changes nothing is
 * dropped.
 */
export const mergeProjects: Rule = {
  name: 'merge projections',
  description: 'two projections in a row become one, and one that changes nothing is dropped',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'project') return undefined;
    const below = columnsOf(plan.input);
    if (
      plan.columns.length === below.length &&
      plan.columns.every((column, i) => isSame(column, below[i], plan.expressions[i]))
    ) {
      return plan.input;
    }
    if (plan.input.kind !== 'project') return undefined;
    const inner = plan.input;
    const made = new Map<ColumnId, Expression>(
      inner.columns.map((column, i) => [column.id, inner.expressions[i]]),
    );
    const labelled = labelledColumns(inner.input);
    const uses = new Map<ColumnId, number>();
    for (const expression of plan.expressions) {
      const read = [...columnsRead(expression)];
      if (
        !readDisjoint(
          read.map((id) => made.get(id)),
          labelled,
        )
      )
        return undefined;
      for (const id of occurrences(expression)) uses.set(id, (uses.get(id) ?? 0) + 1);
    }
    if (!plan.expressions.every((expression) => staysSmall(expression, made))) return undefined;
    for (const [id, count] of uses) {
      const kind = made.get(id)?.kind;
      if (count > 1 && kind !== 'column' && kind !== 'literal' && kind !== 'parameter') return undefined;
    }
    return {
      ...plan,
      input: inner.input,
      expressions: plan.expressions.map((expression) => substitute(expression, made)),
    };
  },
};

interface NamedColumn {
  readonly id: ColumnId;
  readonly name: string;
}

function isSame(column: NamedColumn, below: NamedColumn, expression: Expression): boolean {
  return (
    expression.kind === 'column' &&
    expression.id === below.id &&
    column.id === below.id &&
    column.name === below.name
  );
}

/** Every occurrence of a column, repeats included. */
function occurrences(expression: Expression): ColumnId[] {
  return expression.kind === 'column' ? [expression.id] : operandsOf(expression).flatMap(occurrences);
}
