/**
 * Dates, timestamps and intervals. The session's time zone is UTC, and what PostgreSQL gives as a timestamp
 * with time zone is cast to one without, the only one that we have.
 */
import type { Scope, Writer } from './writer.js';

/** An expression of one of the three types. */
export function anyTime(
  w: Writer,
  scope: Scope,
): { readonly type: 'date' | 'timestamp' | 'interval'; readonly sql: string } {
  const type = w.pick('date', 'timestamp', 'interval');
  return { type, sql: w.expression(type, scope) };
}

const units = ['day', 'month', 'year', 'hour', 'minute', 'second', 'week', 'quarter', 'decade', 'century'];

function small(w: Writer, scope: Scope, modulus: number): string {
  return `CAST(mod(abs(${w.expression('integer', scope)}), ${modulus}) AS integer)`;
}

export function dateForms(w: Writer, scope: Scope): (() => string)[] {
  const date = () => w.expression('date', scope);
  const timestamp = () => w.expression('timestamp', scope);
  return [
    () => `(${date()} ${w.pick('+', '-')} CAST(${w.expression('integer', scope)} AS integer))`,
    () => `CAST(${timestamp()} AS date)`,
    () => `(CAST(${w.expression('integer', scope)} AS integer) + ${date()})`,
    () => `make_date(2022, ${small(w, scope, 12)} + 1, ${small(w, scope, 28)} + 1)`,
    () => `CAST(date_trunc('${w.pick('month', 'week', 'quarter', 'year')}', ${date()}) AS date)`,
    () => `to_date(to_char(${date()}, 'DD/MM/YYYY'), 'DD/MM/YYYY')`,
    () => `CAST(CAST(${date()} AS text) AS date)`,
    () => `date(${timestamp()})`,
    () => `(CURRENT_DATE - (CURRENT_DATE - ${date()}))`,
  ];
}

export function timestampForms(w: Writer, scope: Scope): (() => string)[] {
  const date = () => w.expression('date', scope);
  const timestamp = () => w.expression('timestamp', scope);
  const interval = () => w.expression('interval', scope);
  return [
    () => `(${date()} ${w.pick('+', '-')} ${interval()})`,
    () => `(${timestamp()} ${w.pick('+', '-')} ${interval()})`,
    () => `(${interval()} + ${timestamp()})`,
    () => `date_trunc('${w.pick(...units)}', ${timestamp()})`,
    () => `CAST(${date()} AS timestamp)`,
    () =>
      `make_timestamp(2022, ${small(w, scope, 12)} + 1, 1, ${small(w, scope, 24)}, ${small(w, scope, 60)}, ${w.pick('0', '30.5')})`,
    () => `CAST(CAST(${timestamp()} AS text) AS timestamp)`,
    () => `CAST(${timestamp()} AT TIME ZONE 'UTC' AS timestamp)`,
    () =>
      `CAST(to_timestamp(to_char(${timestamp()}, 'YYYY-MM-DD HH24:MI'), 'YYYY-MM-DD HH24:MI') AS timestamp)`,
    () => `CAST(to_timestamp(${w.expression('integer', scope)} * 3600) AS timestamp)`,
    () => `(LOCALTIMESTAMP - (LOCALTIMESTAMP - ${timestamp()}))`,
  ];
}

export function intervalForms(w: Writer, scope: Scope): (() => string)[] {
  const date = () => w.expression('date', scope);
  const timestamp = () => w.expression('timestamp', scope);
  const interval = () => w.expression('interval', scope);
  return [
    () => `(${timestamp()} - ${w.pick(timestamp, date)()})`,
    () => `(${interval()} ${w.pick('+', '-')} ${interval()})`,
    () => `(- ${interval()})`,
    () => `(${interval()} * ${w.expression('integer', scope)})`,
    () => `(${w.expression('float', scope)} * ${interval()})`,
    () => `(${interval()} / ${w.pick('2', '3', '-1.5')})`,
    () => `age(${timestamp()}, ${timestamp()})`,
    () => `age(${date()}, ${date()})`,
    () => `${w.pick('justify_days', 'justify_hours', 'justify_interval')}(${interval()})`,
    () => `date_trunc('${w.pick(...units.filter((unit) => unit !== 'week'))}', ${interval()})`,
    () => `CAST(CAST(${interval()} AS text) AS interval)`,
    () => `(now() - CURRENT_TIMESTAMP)`,
  ];
}
