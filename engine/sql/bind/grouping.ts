/**
 * What an expression may read after GROUP BY. Expressions are bound over the ungrouped rows first; here every
 * part equal to a group key becomes that key's column, and what is left over is an error.
 */

import { visibleText } from '../../../semiring/message/visible-text.js';
import type { Column, ColumnId, Expression } from '../../plan/expression.js';
import { equalExpressions, mapOperands } from '../../plan/traverse-expression.js';
import { mapPlanExpressions } from '../../plan/traverse-plan.js';
import type { BindContext } from '../context.js';

export interface GroupKey {
  readonly column: Column;
  readonly expression: Expression;
}

export class Grouping {
  readonly #context: BindContext;
  readonly #keys: readonly GroupKey[];
  readonly #ungrouped: ReadonlyMap<ColumnId, string>;

  /** @param input the columns of the ungrouped rows */
  constructor(context: BindContext, keys: readonly GroupKey[], input: readonly Column[]) {
    this.#context = context;
    this.#keys = keys;
    this.#ungrouped = new Map(input.map((column) => [column.id, column.name]));
  }

  /** The expression over the grouped rows. @throws {SqlError} `sql/grouping` */
  apply(expression: Expression): Expression {
    for (const key of this.#keys) {
      if (!equalExpressions(key.expression, expression)) continue;
      return { kind: 'column', id: key.column.id, type: key.column.type, place: expression.place };
    }
    if (expression.kind === 'column') {
      const name = this.#ungrouped.get(expression.id);
      if (name === undefined) return expression;
      throw this.#context.error(
        'grouping',
        `column ${visibleText(name)} is neither in GROUP BY nor inside an aggregate`,
        expression.place ?? { offset: 0 },
        { hint: 'add it to GROUP BY, or take min(…) or max(…) of it' },
      );
    }
    const mapped = mapOperands(expression, (operand) => this.apply(operand));
    if (mapped.kind !== 'subquery') return mapped;
    return { ...mapped, plan: mapPlanExpressions(mapped.plan, (inner) => this.apply(inner)) };
  }
}
