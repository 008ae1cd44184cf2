/**
 * Expressions of every type: columns, constants, the forms that any type has, and what each type has of its
 * own.
 */
import { type SqlType, sqlTables, sqlTypes } from '../generated-sql-schema.js';
import { literal, parameter } from './literals.js';
import { floatForms, integerForms } from './number-expressions.js';
import { textForms } from './text-expressions.js';
import { dateForms, intervalForms, timestampForms } from './time-expressions.js';
import { columnsOf, type Scope, type Writer } from './writer.js';

export function writeExpression(w: Writer, type: SqlType, scope: Scope): string {
  if (w.roomy && w.next(5) > 2) return w.compound(type, scope);
  const columns = scope.columns.filter((c) => c.type === type).map((c) => c.sql);
  return columns.length > 0 && w.next(5) < 4 ? w.pick(...columns) : literal(w, type);
}

/** One expression over the cross product of all tables. */
export function writeExpressionQuery(w: Writer): string {
  const columns = sqlTables.flatMap((table) => columnsOf(table.name, table.columns));
  const type = w.pick(...sqlTypes);
  const value = w.chance(4) ? w.aggregate(type, columns) : w.compound(type, { columns, subqueries: false });
  return `SELECT ${value} AS c1 FROM ${sqlTables.map((table) => table.name).join(', ')}`;
}

export function writeCompound(w: Writer, type: SqlType, scope: Scope): string {
  return w.deeper(() =>
    w.next(3) < 2 ? w.write(ownForms(w, type, scope)) : w.write(generalForms(w, type, scope)),
  );
}

function ownForms(w: Writer, type: SqlType, scope: Scope): (() => string)[] {
  switch (type) {
    case 'integer':
      return integerForms(w, scope);
    case 'float':
      return floatForms(w, scope);
    case 'text':
      return textForms(w, scope);
    case 'boolean':
      return [() => w.condition(scope)];
    case 'date':
      return dateForms(w, scope);
    case 'timestamp':
      return timestampForms(w, scope);
    case 'interval':
      return intervalForms(w, scope);
  }
}

function generalForms(w: Writer, type: SqlType, scope: Scope): (() => string)[] {
  const of = () => w.expression(type, scope);
  const condition = () => w.condition(scope);
  const forms = [
    () => `CASE WHEN ${condition()} THEN ${of()} ELSE ${of()} END`,
    () => `coalesce(${of()}, ${of()}${w.chance(3) ? `, ${parameter(w, type)}` : ''})`,
    () => `nullif(${of()}, ${of()})`,
    () => `CASE WHEN ${condition()} THEN ${of()} WHEN ${condition()} THEN ${of()} END`,
    () => `${w.pick('greatest', 'least')}(${of()}, ${of()}, ${of()})`,
    () => {
      const subject = w.pick<SqlType>('integer', 'text', 'date');
      const value = () => w.expression(subject, scope);
      return `CASE ${value()} WHEN ${value()} THEN ${of()} WHEN ${value()} THEN ${of()} ELSE ${of()} END`;
    },
  ];
  if (scope.subqueries) forms.push(() => w.scalarSubquery(type, scope));
  return forms;
}
