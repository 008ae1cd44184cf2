/**
 * Expressions of the reference model: SQL's three-valued logic written out, one row at a time, and P(r, e),
 * the product of the provenance of the cells that an expression reads.
 */

import { castValue } from '../../engine/operators/cast.js';
import type { Column, ColumnId, Expression } from '../../engine/plan/expression.js';
import { columnsOf } from '../../engine/plan/plan.js';
import type { Value } from '../../engine/value/value.js';
import type { Semiring } from '../../semiring/contract/semiring.js';
import { product, type Surroundings } from './reference-relation.js';

export function evaluate(
  expression: Expression,
  columns: readonly Column[],
  values: readonly Value[],
  reading: Surroundings,
): Value {
  const of = (e: Expression): Value => evaluate(e, columns, values, reading);
  switch (expression.kind) {
    case 'column':
      return columnValue(expression.id, columns, values, reading.outer);
    case 'literal':
      return expression.value;
    case 'parameter':
      return reading.parameters[expression.index];
    case 'call': {
      const given = expression.arguments.map(of);
      if (expression.function.strict !== false && given.includes(null)) return null;
      return expression.function.evaluate(
        given,
        expression.arguments.map((a) => a.type),
      );
    }
    case 'and': {
      const operands = expression.arguments.map(of);
      return operands.includes(false) ? false : operands.includes(null) ? null : true;
    }
    case 'or': {
      const operands = expression.arguments.map(of);
      return operands.includes(true) ? true : operands.includes(null) ? null : false;
    }
    case 'not': {
      const operand = of(expression.argument);
      return operand === null ? null : !operand;
    }
    case 'case':
      for (const branch of expression.branches) if (of(branch.when) === true) return of(branch.then);
      return of(expression.otherwise);
    case 'cast': {
      const operand = of(expression.argument);
      return operand === null ? null : castValue(operand, expression.argument.type, expression.type);
    }
    case 'subquery': {
      const rows = reading.subquery(
        expression.plan,
        new Map([...(reading.outer ?? []), ...columns.map((c, i) => [c.id, values[i]] as const)]),
      );
      return subquery(expression, rows, expression.argument ? of(expression.argument) : null);
    }
  }
}

/** cols(e) */
export function columnsRead(expression: Expression): ReadonlySet<ColumnId> {
  const read = new Set<ColumnId>();
  const visit = (e: Expression): void => {
    if (e.kind === 'column') read.add(e.id);
    else if (e.kind === 'call' || e.kind === 'and' || e.kind === 'or') e.arguments.forEach(visit);
    else if (e.kind === 'not' || e.kind === 'cast') visit(e.argument);
    else if (e.kind === 'case') {
      for (const branch of e.branches) [branch.when, branch.then].forEach(visit);
      visit(e.otherwise);
    }
  };
  visit(expression);
  return read;
}

/**
 * P(r, e₁ … eₙ): the product of `cells` over all columns that the expressions read. With the columns' reach
 * in place of a row's cells it is D(e₁ … eₙ) of the dependency reading.
 */
export function provenanceOf<K>(
  semiring: Semiring<K>,
  expressions: readonly Expression[],
  columns: readonly Column[],
  cells: readonly K[],
): K {
  const read = new Set(expressions.flatMap((e) => [...columnsRead(e)]));
  return product(
    semiring,
    cells.filter((_, position) => read.has(columns[position].id)),
  );
}

function columnValue(
  id: ColumnId,
  columns: readonly Column[],
  values: readonly Value[],
  outer: ReadonlyMap<ColumnId, Value> | undefined,
): Value {
  const position = columns.findIndex((column) => column.id === id);
  if (position >= 0) return values[position];
  const value = outer?.get(id);
  if (value !== undefined) return value;
  throw new Error(`column ${id} is not among ${columns.map((c) => `${c.name}#${c.id}`)}`);
}

/** A subquery's value, given its rows. `any` and `all` are the three-valued or and and over the rows. */
function subquery(
  expression: Extract<Expression, { kind: 'subquery' }>,
  rows: readonly (readonly Value[])[],
  argument: Value,
): Value {
  const { form, comparison, plan } = expression;
  if (form === 'exists') return rows.length > 0;
  if (form === 'scalar') {
    if (rows.length > 1) throw new Error('more than one row from a scalar subquery');
    return rows.length === 0 ? null : rows[0][0];
  }
  const types = [expression.argument?.type ?? 'null', columnsOf(plan)[0].type] as const;
  const compared = rows.map(([value]): Value => {
    if (!comparison) throw new Error(`${form} without a comparison`);
    if (comparison.strict !== false && (argument === null || value === null)) return null;
    return comparison.evaluate([argument, value], types);
  });
  if (form === 'all') return compared.includes(false) ? false : compared.includes(null) ? null : true;
  return compared.includes(true) ? true : compared.includes(null) ? null : false;
}
