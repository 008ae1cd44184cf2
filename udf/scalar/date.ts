/**
 * Functions of dates, timestamps and intervals. There is one time zone, UTC; the statement's instant comes
 * from the database's clock through the binder, so nothing here reads a clock.
 */

import type { ScalarFunction } from '../../engine/plan/expression.js';
import { civilFromDays, daysFromCivil, daysInMonth } from '../../engine/value/calendar.js';
import { isInterval } from '../../engine/value/external.js';
import type { Interval, Type, Value } from '../../engine/value/value.js';
import { badArgument, define } from './define.js';

export const dayLength = 86_400_000;

/** Midnight of a date, or the timestamp itself, in milliseconds. */
export function instantOf(value: Value, type: Type): number {
  return type === 'date' ? Number(value) * dayLength : Number(value);
}

export interface Moment {
  readonly days: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight. */
  readonly clock: number;
}

export function momentOf(milliseconds: number): Moment {
  const days = Math.floor(milliseconds / dayLength);
  return { days, ...civilFromDays(days), clock: milliseconds - days * dayLength };
}

/** 0 is Sunday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

/** The Monday on or before a day. */
function monday(days: number): number {
  return days - ((weekday(days) + 6) % 7);
}

export function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = monday(days) + 3;
  const { year } = civilFromDays(thursday);
  return { year, week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1 };
}

const yearUnits: ReadonlyMap<string, number> = new Map([
  ['year', 1],
  ['decade', 10],
  ['century', 100],
  ['millennium', 1000],
]);

const clockUnits: ReadonlyMap<string, number> = new Map([
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['milliseconds', 1],
  ['microseconds', 0.001],
]);

/** Centuries and millennia count from 1. */
function period(year: number, length: number): number {
  return length < 100 ? Math.floor(year / length) : Math.ceil(year / length);
}

function unitName(unit: string): string {
  const lower = unit.trim().toLowerCase();
  const singular = lower.replace(/s$/, '');
  if (lower.startsWith('millisecond')) return 'milliseconds';
  if (lower.startsWith('microsecond')) return 'microseconds';
  return singular === 'centurie' ? 'century' : singular;
}

function truncate(unit: string, milliseconds: number): number {
  const name = unitName(unit);
  const moment = momentOf(milliseconds);
  const clock = clockUnits.get(name);
  if (clock !== undefined) return moment.days * dayLength + Math.floor(moment.clock / clock) * clock;
  const years = yearUnits.get(name);
  if (years !== undefined) {
    const year =
      years < 100 ? period(moment.year, years) * years : (period(moment.year, years) - 1) * years + 1;
    return daysFromCivil(year, 1, 1) * dayLength;
  }
  switch (name) {
    case 'day':
      return moment.days * dayLength;
    case 'week':
      return monday(moment.days) * dayLength;
    case 'month':
      return daysFromCivil(moment.year, moment.month, 1) * dayLength;
    case 'quarter':
      return daysFromCivil(moment.year, moment.month - ((moment.month - 1) % 3), 1) * dayLength;
    default:
      throw badArgument('date_trunc', `unit "${unit}" is not known`);
  }
}

function truncateInterval(unit: string, { months, days, milliseconds }: Interval): Interval {
  const name = unitName(unit);
  const clock = clockUnits.get(name);
  if (clock !== undefined) return { months, days, milliseconds: Math.trunc(milliseconds / clock) * clock };
  if (name === 'day') return { months, days, milliseconds: 0 };
  const length = name === 'month' ? 1 : name === 'quarter' ? 3 : (yearUnits.get(name) ?? 0) * 12;
  if (length === 0) throw badArgument('date_trunc', `unit "${unit}" is not known for an interval`);
  return { months: Math.trunc(months / length) * length, days: 0, milliseconds: 0 };
}

function extract(unit: string, value: Value, type: Type): number {
  const name = unitName(unit);
  if (isInterval(value)) return extractInterval(name, unit, value);
  const instant = instantOf(value, type);
  if (name === 'epoch') return instant / 1000;
  const moment = momentOf(instant);
  const years = yearUnits.get(name);
  if (years !== undefined) return period(moment.year, years);
  if (type === 'timestamp') {
    const clock = extractClock(name, moment.clock);
    if (clock !== undefined) return clock;
  }
  switch (name) {
    case 'month':
      return moment.month;
    case 'day':
      return moment.day;
    case 'quarter':
      return Math.ceil(moment.month / 3);
    case 'dow':
      return weekday(moment.days);
    case 'isodow':
      return weekday(moment.days) || 7;
    case 'doy':
      return moment.days - daysFromCivil(moment.year, 1, 1) + 1;
    case 'week':
      return isoWeek(moment.days).week;
    case 'isoyear':
      return isoWeek(moment.days).year;
    default:
      throw badArgument('extract', `unit "${unit}" is not known for type ${type}`);
  }
}

/**
 * Hours and minutes are whole; seconds have a fraction, as have milliseconds and microseconds of the minute.
 */
function extractClock(name: string, clock: number): number | undefined {
  switch (name) {
    case 'hour':
      return Math.trunc(clock / 3_600_000);
    case 'minute':
      return Math.trunc(clock / 60_000) % 60;
    case 'second':
      return (clock % 60_000) / 1000;
    case 'milliseconds':
      return clock % 60_000;
    case 'microseconds':
      return Math.round((clock % 60_000) * 1000);
    default:
      return undefined;
  }
}

function extractInterval(name: string, unit: string, { months, days, milliseconds }: Interval): number {
  // Years count 365.25 days and months 30 here, as in PostgreSQL.
  if (name === 'epoch') {
    return (
      Math.trunc(months / 12) * 31_557_600 + (months % 12) * 2_592_000 + days * 86_400 + milliseconds / 1000
    );
  }
  const years = yearUnits.get(name);
  if (years !== undefined) return Math.trunc(Math.trunc(months / 12) / years);
  if (name === 'month') return months % 12;
  if (name === 'quarter') {
    const quarter = Math.trunc(Math.abs(months % 12) / 3) + 1;
    return months < 0 ? -quarter : quarter;
  }
  if (name === 'day') return days;
  if (name === 'hour') return Math.trunc(milliseconds / 3_600_000);
  const clock = extractClock(name, milliseconds);
  if (clock === undefined) throw badArgument('extract', `unit "${unit}" is not known for type interval`);
  return clock;
}

/** a - b as years, months, days and a clock. */
function age(a: number, b: number): Interval {
  if (a < b) {
    const { months, days, milliseconds } = age(b, a);
    return { months: 0 - months, days: 0 - days, milliseconds: 0 - milliseconds };
  }
  const [later, earlier] = [momentOf(a), momentOf(b)];
  let months = (later.year - earlier.year) * 12 + later.month - earlier.month;
  let days = later.day - earlier.day;
  let milliseconds = later.clock - earlier.clock;
  if (milliseconds < 0) {
    milliseconds += dayLength;
    days -= 1;
  }
  if (days < 0) {
    // The days of the earlier date's month are borrowed.
    days += daysInMonth(earlier.year, earlier.month);
    months -= 1;
  }
  return { months, days, milliseconds };
}

function makeDate(name: string, year: number, month: number, day: number): number {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw badArgument(name, `there is no date ${year}-${month}-${day}`);
  }
  return daysFromCivil(year, month, day);
}

/** Whole days out of the clock, whole months out of the days, all parts of one sign. */
function justify({ months, days, milliseconds }: Interval, toDays: boolean, toMonths: boolean): Interval {
  let [m, d, ms] = [months, days, milliseconds];
  if (toDays) {
    d += Math.trunc(ms / dayLength);
    ms %= dayLength;
  }
  if (toMonths) {
    m += Math.trunc(d / 30);
    d %= 30;
    // The sign of what is less than a month.
    const rest = d === 0 && toDays ? ms : d;
    if (m > 0 && rest < 0) [m, d] = [m - 1, d + 30];
    else if (m < 0 && rest > 0) [m, d] = [m + 1, d - 30];
  }
  if (toDays) {
    if (d > 0 && ms < 0) [d, ms] = [d - 1, ms + dayLength];
    else if (d < 0 && ms > 0) [d, ms] = [d + 1, ms - dayLength];
  }
  return { months: m + 0, days: d + 0, milliseconds: ms + 0 };
}

function justifier(name: string, toDays: boolean, toMonths: boolean): ScalarFunction {
  return define(name, ['interval'], 'interval', ([span]) =>
    isInterval(span) ? justify(span, toDays, toMonths) : null,
  );
}

export const dateFunctions: readonly ScalarFunction[] = [
  define('date_trunc', ['text', 'time'], 'timestamp', ([unit, time], types) =>
    truncate(String(unit), instantOf(time, types[1])),
  ),
  define('date_trunc', ['text', 'interval'], 'interval', ([unit, span]) =>
    isInterval(span) ? truncateInterval(String(unit), span) : null,
  ),
  ...['extract', 'date_part'].flatMap((name) => [
    define(name, ['text', 'time'], 'float', ([unit, value], types) => extract(String(unit), value, types[1])),
    define(name, ['text', 'interval'], 'float', ([unit, value]) => extract(String(unit), value, 'interval')),
  ]),
  define('age', ['time', 'time'], 'interval', ([a, b], types) =>
    age(instantOf(a, types[0]), instantOf(b, types[1])),
  ),
  define('date', ['time'], 'date', ([value], [type]) => Math.floor(instantOf(value, type) / dayLength)),
  define('make_date', ['integer', 'integer', 'integer'], 'date', ([year, month, day]) =>
    makeDate('make_date', Number(year), Number(month), Number(day)),
  ),
  define(
    'make_timestamp',
    ['integer', 'integer', 'integer', 'integer', 'integer', 'number'],
    'timestamp',
    (values) => {
      const [year, month, day, hour, minute, second] = values.map(Number);
      if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second >= 60) {
        throw badArgument('make_timestamp', `there is no time ${hour}:${minute}:${second}`);
      }
      return (
        makeDate('make_timestamp', year, month, day) * dayLength +
        (hour * 60 + minute) * 60_000 +
        second * 1000
      );
    },
  ),
  define('to_timestamp', ['number'], 'timestamp', ([seconds]) => Number(seconds) * 1000),
  define('timezone', ['text', 'time'], 'timestamp', ([zone, time], types) => {
    if (!/^(utc|gmt|z|etc\/utc|\+?00(:?00)?)$/i.test(String(zone))) {
      throw badArgument('AT TIME ZONE', `"${String(zone)}" is not supported: all times are UTC`);
    }
    return instantOf(time, types[1]);
  }),
  justifier('justify_hours', true, false),
  justifier('justify_days', false, true),
  justifier('justify_interval', true, true),
];
