/** Texts and what makes them. */
import { parameter, regexps } from './literals.js';
import { anyTime } from './time-expressions.js';
import type { Scope, Writer } from './writer.js';

export function textForms(w: Writer, scope: Scope): (() => string)[] {
  const text = () => w.expression('text', scope);
  const int = () => w.expression('integer', scope);
  /** Small, so that no text gets long. */
  const few = () => `CAST(mod(${int()}, ${w.pick('3', '5')}) AS integer)`;
  const set = () => (w.chance(5) ? text() : w.pick("'a'", "'ab'", "''", "'é'"));
  return [
    () => `(${text()} || ${text()})`,
    () => `${w.pick('upper', 'lower', 'initcap', 'reverse')}(${text()})`,
    () => `substring(${text()} FROM ${1 + w.next(3)} FOR ${w.next(3)})`,
    () => `CAST(${int()} AS text)`,
    () => `CAST(${anyTime(w, scope).sql} AS text)`,
    () => `replace(${text()}, ${set()}, ${set()})`,
    () => `${w.pick('left', 'right')}(${text()}, ${few()})`,
    () => `concat(${text()}, ${int()}, ${w.expression('boolean', scope)}, ${text()})`,
    () => `CAST(${w.expression('boolean', scope)} AS text)`,
    () => `(${text()} || ${parameter(w, 'text')})`,
    () => `(${w.expression(w.pick('integer', 'date'), scope)} || ${text()})`,
    () => `trim(${w.pick('', 'BOTH ', 'LEADING ', 'TRAILING ')}${set()} FROM ${text()})`,
    () => `${w.pick('trim', 'btrim', 'ltrim', 'rtrim')}(${text()})`,
    () => `${w.pick('btrim', 'ltrim', 'rtrim')}(${text()}, ${set()})`,
    () => `${w.pick('substring', 'substr')}(${text()}, ${few()})`,
    () => `substr(${text()}, ${few()}, abs(${few()}))`,
    () => `overlay(${text()} PLACING ${text()} FROM ${1 + w.next(3)}${w.pick('', ' FOR 1', ' FOR 0')})`,
    () => `translate(${text()}, ${set()}, ${set()})`,
    () => `${w.pick('lpad', 'rpad')}(${text()}, ${few()}${w.pick('', ", 'xy'", ", ''")})`,
    () => `regexp_substr(${text()}, ${w.pick(...regexps)}${w.pick('', ', 2', ", 1, 2, 'i'")})`,
    () =>
      `regexp_replace(${text()}, ${w.pick(...regexps)}, ${w.pick("''", "'<\\&>'", "'x\\\\'")}${w.pick('', ", 'g'", ", 'gi'")})`,
    () => `repeat(${text()}, ${few()})`,
    () => `split_part(${text()}, ${set()}, ${w.pick('1', '2', '-1')})`,
    () => `concat_ws(${set()}, ${text()}, ${w.expression('float', scope)} + 0, ${text()})`,
    () => `chr(97 + abs(${few()}))`,
    () => `CAST(${text()} AS varchar(${1 + w.next(2)}))`,
    () => `CAST(CAST(${text()} AS ${w.pick('char(2)', 'character(1)')}) AS text)`,
    () => `CAST(${w.expression('float', scope)} + 0 AS text)`,
    () =>
      `to_char(${w.expression('timestamp', scope)}, ${w.pick("'YYYY-MM-DD'", "'HH24:MI:SS.MS'", "'FMDay, DD Mon YY'", "'IYYY-IW Q DDD'", '\'HH12:MI AM "at" D\'')})`,
    () =>
      `to_char(mod(${int()}, 1000), ${w.pick("'999'", "'FM0009'", "'9,999'", "'S9990'", "'999D99'", "'9990MI'")})`,
  ];
}
