/**
 * Boolean expressions: comparisons, three-valued logic, patterns, tests, and the conditions that hold
 * subqueries.
 */
import { type SqlType, sqlTypes } from '../generated-sql-schema.js';
import { literal, parameter, regexps } from './literals.js';
import type { Scope, Writer } from './writer.js';

const comparisons = ['=', '<', '<>', '<=', '>', '>=', '!='];

export function writeCondition(w: Writer, scope: Scope): string {
  return w.deeper(() => {
    const columns = scope.columns.filter((c) => c.type === 'boolean').map((c) => c.sql);
    const type = w.pick(...sqlTypes);
    if (!w.roomy) return columns.length > 0 && w.chance(2) ? w.pick(...columns) : comparison(w, type, scope);
    const forms = [...simpleForms(w, type, scope), ...patternForms(w, scope)];
    if (scope.subqueries) forms.push(...subqueryForms(w, type, scope));
    return w.write(forms);
  });
}

function comparison(w: Writer, type: SqlType, scope: Scope): string {
  const left = w.expression(type, scope);
  const right = w.chance(6) ? parameter(w, type) : w.expression(type, scope);
  return `(${left} ${w.pick(...comparisons)} ${right})`;
}

function simpleForms(w: Writer, type: SqlType, scope: Scope): (() => string)[] {
  const of = (t: SqlType = type) => w.expression(t, scope);
  const condition = () => w.condition(scope);
  const not = () => w.pick('', 'NOT ');
  return [
    () => comparison(w, type, scope),
    () => comparison(w, type, scope),
    () => `(${condition()} AND ${condition()})`,
    () => `(${condition()} OR ${condition()})`,
    () => `(NOT ${condition()})`,
    () => `(${of()} ${w.pick('IS NULL', 'IS NOT NULL', 'ISNULL', 'NOTNULL')})`,
    () => `(${of()} ${not()}BETWEEN ${w.pick('', 'SYMMETRIC ')}${of()} AND ${of()})`,
    () => `(${of()} ${not()}IN (${of()}, ${literal(w, type)}, ${w.pick(parameter, literal)(w, type)}))`,
    () => `(${of()} IS ${not()}DISTINCT FROM ${of()})`,
    () => `(${condition()} IS ${not()}${w.pick('TRUE', 'FALSE', 'UNKNOWN')})`,
    () => {
      const other = w.pick(...sqlTypes);
      const [left, right] = [`(${of()}, ${of(other)})`, `(${of()}, ${of(other)})`];
      return `(${w.pick('', 'ROW')}${left} ${w.pick(...comparisons)} ${right})`;
    },
    () => `((${of()}, ${of('text')}) ${not()}IN ((${of()}, ${of('text')}), (${of()}, ${of('text')})))`,
    // A date next to a timestamp, an integer next to a double.
    () => `(${of('date')} ${w.pick(...comparisons)} ${of('timestamp')})`,
    () => `(${of('float')} ${w.pick(...comparisons)} ${of('integer')})`,
    () => `(${of('integer')} ${not()}IN (${of('float')}, ${of('integer')}))`,
    () => `CAST(CAST(${of('integer')} AS integer) AS boolean)`,
    () => `(${w.pick('now()', 'LOCALTIMESTAMP', 'CURRENT_DATE')} >= ${of('timestamp')})`,
  ];
}

function patternForms(w: Writer, scope: Scope): (() => string)[] {
  const text = () => w.expression('text', scope);
  const not = () => w.pick('', 'NOT ');
  const patterns = ["'a%'", "'%b'", "'_'", "'%'", "'a_'", "'%\\%%'", "'_\\_'", "'a'"];
  return [
    () => `(${text()} ${not()}${w.pick('LIKE', 'ILIKE')} ${w.pick(...patterns)})`,
    () => `(${text()} ${not()}${w.pick('LIKE', 'ILIKE')} replace(${text()}, '\\', '!'))`,
    () =>
      `(${text()} ${not()}${w.pick('LIKE', 'ILIKE')} ${w.pick("'a!%' ESCAPE '!'", "'!_%' ESCAPE '!'", "'a\\%' ESCAPE ''", "'B%%' ESCAPE '%'")})`,
    () => `(${text()} ${w.pick('~', '~*', '!~', '!~*')} ${w.pick(...regexps)})`,
    () => `regexp_like(${text()}, ${w.pick(...regexps)}${w.pick('', ", 'i'", ", 'c'")})`,
    () => `starts_with(${text()}, ${text()})`,
    () => `contains(${text()}, ${text()})`,
  ];
}

function subqueryForms(w: Writer, type: SqlType, scope: Scope): (() => string)[] {
  const of = () => w.expression(type, scope);
  const outer = () => (w.chance(2) ? scope.columns : []);
  const not = () => w.pick('', 'NOT ');
  const column = () => w.query([type], outer());
  const exists = () => `${not()}EXISTS (${w.query(w.someTypes(), scope.columns)})`;
  const member = () => `(${of()} ${not()}IN (${column()}))`;
  return [
    exists,
    exists,
    member,
    member,
    () => `(${of()} ${w.pick('=', '<', '>', '<>')} ${w.pick('ANY', 'ALL', 'SOME')} (${column()}))`,
    () => `(${of()} ${w.pick('=', '<', '>')} ${w.scalarSubquery(type, scope)})`,
    () =>
      `((${of()}, ${w.expression('integer', scope)}) ${not()}IN (${w.query([type, 'integer'], outer())}))`,
    () => `(${of()} ${not()}IN (VALUES (${of()}), (${literal(w, type)})))`,
  ];
}
