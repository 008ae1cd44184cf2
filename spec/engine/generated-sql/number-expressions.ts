/**
 * Integers and doubles. Results of functions that two libraries may round differently are cut to 64ths, which
 * are exact in binary and sum to the same in any order.
 */

import { parameter, regexps } from './literals.js';
import { anyTime } from './time-expressions.js';
import type { Scope, Writer } from './writer.js';

/** A double cut to 64ths. */
export function quantised(sql: string): string {
  return `(floor(CAST(${sql} AS double precision) * 64 + 0.001) / 64)`;
}

export function integerForms(w: Writer, scope: Scope): (() => string)[] {
  const int = () => w.expression('integer', scope);
  const text = () => w.expression('text', scope);
  const float = () => w.expression('float', scope);
  return [
    () => `(${int()} ${w.pick('+', '-', '*')} ${int()})`,
    () => `(${int()} ${w.pick('/', '%')} ${w.pick('2', '3', '(-2)')})`,
    () => `${w.pick('abs', '- ', '+ ')}(${int()})`,
    () => `${w.pick('length', 'char_length', 'character_length', 'octet_length', 'ascii')}(${text()})`,
    () => `CAST(${w.expression('boolean', scope)} AS integer)`,
    () => `(${w.expression('date', scope)} - ${w.expression('date', scope)})`,
    () => extracted(w, scope, 'integer'),
    () => `position(${text()} IN ${text()})`,
    () => `strpos(${text()}, ${text()})`,
    () => `regexp_count(${text()}, ${w.pick(...regexps)}${w.pick('', ', 2', ", 1, 'i'")})`,
    () => `(${int()} ${w.pick('+', '-', '*')} ${parameter(w, 'integer')})`,
    () => `mod(${int()}, ${w.pick('2', '-3')})`,
    () => `${w.pick('gcd', 'lcm')}(${int()}, ${int()})`,
    () => `CAST(${float()} AS ${w.pick('integer', 'bigint')})`,
    () => `CAST(CAST(${float()} AS smallint) AS integer)`,
    () => `CAST(CAST(${int()} AS text) AS integer)`,
    () => `CAST(sign(${int()}) AS integer)`,
    () => `CAST(div(CAST(${int()} AS numeric), ${w.pick('2', '-3')}) AS integer)`,
  ];
}

/** `extract` with all its fields, of a date, a timestamp or an interval. */
function extracted(w: Writer, scope: Scope, as: 'integer' | 'float'): string {
  const { type, sql } = anyTime(w, scope);
  const calendar = ['year', 'month', 'day', 'quarter', 'decade', 'century', 'millennium', 'epoch'];
  const days = ['dow', 'isodow', 'doy', 'week', 'isoyear'];
  const clock = ['hour', 'minute', 'second', 'milliseconds', 'microseconds'];
  const fields =
    type === 'date'
      ? [...calendar, ...days]
      : type === 'timestamp'
        ? [...calendar, ...clock, ...days]
        : [...calendar, ...clock];
  const field = w.pick(...fields);
  const value = w.chance(4) ? `date_part('${field}', ${sql})` : `extract(${field} FROM ${sql})`;
  return as === 'float'
    ? `CAST(${value} AS double precision)`
    : `CAST(mod(CAST(floor(${value}) AS bigint), 1000) AS integer)`;
}

export function floatForms(w: Writer, scope: Scope): (() => string)[] {
  const float = () => w.expression('float', scope);
  const int = () => w.expression('integer', scope);
  return [
    () => `(${float()} ${w.pick('+', '-', '*')} ${float()})`,
    () => `(${float()} / ${w.pick('2', '4', "CAST('-0.5' AS double precision)")})`,
    () => `CAST(${int()} AS double precision)`,
    () => `${w.pick('floor', 'ceil', 'abs', 'ceiling', 'trunc', 'sign', '- ')}(${float()})`,
    () => `(${float()} ${w.pick('+', '-', '*')} ${int()})`,
    () => `(${float()} ${w.pick('+', '*')} ${parameter(w, 'float')})`,
    () => extracted(w, scope, 'float'),
    () => quantised(`${w.pick('sqrt', 'ln', 'log', 'log10')}(abs(${float()}) + 1)`),
    () =>
      quantised(`${w.pick('exp', 'cbrt', 'sin', 'cos', 'atan', 'tanh')}(greatest(-3, least(${float()}, 3)))`),
    () =>
      quantised(`${w.pick('degrees', 'radians', 'tan', 'sinh', 'cosh')}(greatest(-1, least(${float()}, 1)))`),
    () => quantised(`${w.pick('asin', 'acos')}(sin(${float()}))`),
    () => quantised(`atan2(${float()} + 0, ${int()} + 1) + pi()`),
    () => `${w.pick('power', 'pow')}(${float()}, ${w.pick('2', '3', '0')})`,
    () => `(${float()} ^ ${w.pick('2', '1')})`,
    () => quantised(`${w.pick('round', 'trunc')}(CAST(${float()} AS numeric), ${w.pick('1', '0', '-1')})`),
    () => quantised(`log(2, CAST(abs(${int()}) + 1 AS numeric))`),
    () => `CAST(mod(CAST(${float()} AS numeric), ${w.pick('2', '0.75')}) AS double precision)`,
    () => quantised(`CAST(${float()} AS ${w.pick('numeric(20, 2)', 'numeric(20)', 'numeric')})`),
    () => `CAST(CAST(${float()} AS text) AS double precision)`,
  ];
}
