/**
 * Dates, timestamps and intervals as text and back. The calendar is proleptic Gregorian in UTC; a date is
 * days and a timestamp milliseconds since 1970-01-01, so no `Date` object is needed per value.
 */
import type { Interval } from './value.js';

const dayLength = 86_400_000;

/** Days since 1970-01-01 of a civil date (Hinnant, "chrono-compatible low-level date algorithms"). */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function civilFromDays(days: number): CivilDate {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days of `YYYY-MM-DD`, or undefined where the text is no such date. */
export function parseDate(text: string): number | undefined {
  const match = /^\s*(\d{4,6})-(\d{1,2})-(\d{1,2})\s*$/.exec(text);
  return match ? checkedDays(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

function checkedDays(year: number, month: number, day: number): number | undefined {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return daysFromCivil(year, month, day);
}

const timestampPattern =
  /^\s*(\d{4,6})-(\d{1,2})-(\d{1,2})(?:(?:[T ]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?\s*$/i;

/** Milliseconds of an ISO timestamp (a zone is converted to UTC), or undefined. */
export function parseTimestamp(text: string): number | undefined {
  const match = timestampPattern.exec(text);
  if (!match) return undefined;
  const days = checkedDays(Number(match[1]), Number(match[2]), Number(match[3]));
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (days === undefined || hour > 24 || minute > 59 || second > 60) return undefined;
  if (hour === 24 && (minute > 0 || second > 0)) return undefined;
  const micros = match[7] ? Math.round(Number(match[7]) * 1e6) : 0;
  return days * dayLength + (hour * 60 + minute) * 60_000 + second * 1000 + micros / 1000 - offset(match[8]);
}

function offset(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return (zone[0] === '-' ? -minutes : minutes) * 60_000;
}

/** `YYYY-MM-DD` */
export function formatDate(days: number): string {
  const { year, month, day } = civilFromDays(days);
  if (year < 1) return `${pad(1 - year, 4)}-${pad(month, 2)}-${pad(day, 2)} BC`;
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** `YYYY-MM-DD HH:MM:SS`, with microseconds where there are any. */
export function formatTimestamp(milliseconds: number): string {
  const micros = Math.round(milliseconds * 1000);
  const days = Math.floor(micros / (dayLength * 1000));
  return `${formatDate(days)} ${formatClock(micros - days * dayLength * 1000)}`;
}

function formatClock(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const rest = micros - seconds * 1e6;
  const clock = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
  return rest === 0 ? clock : `${clock}.${pad(rest, 6).replace(/0+$/, '')}`;
}

function pad(n: number, width: number): string {
  return String(n).padStart(width, '0');
}

/** As PostgreSQL shows it: `1 year 2 mons -3 days +04:05:06`, a plus where the part before is negative. */
export function formatInterval({ months, days, milliseconds }: Interval): string {
  const parts: string[] = [];
  let plus = '';
  const add = (value: number, unit: string): void => {
    if (value === 0) return;
    parts.push(`${value > 0 ? plus : ''}${value} ${unit}${value === 1 ? '' : 's'}`);
    plus = value < 0 ? '+' : '';
  };
  add(Math.trunc(months / 12), 'year');
  add(months % 12, 'mon');
  add(days, 'day');
  const micros = Math.round(Math.abs(milliseconds) * 1000);
  if (micros !== 0 || parts.length === 0)
    parts.push(`${milliseconds < 0 && micros !== 0 ? '-' : plus}${formatClock(micros)}`);
  return parts.join(' ');
}

/** Months, days and milliseconds of one unit. */
const units = new Map<string, readonly [number, number, number]>([
  ['microsecond', [0, 0, 0.001]],
  ['us', [0, 0, 0.001]],
  ['millisecond', [0, 0, 1]],
  ['ms', [0, 0, 1]],
  ['second', [0, 0, 1000]],
  ['sec', [0, 0, 1000]],
  ['s', [0, 0, 1000]],
  ['minute', [0, 0, 60_000]],
  ['min', [0, 0, 60_000]],
  ['m', [0, 0, 60_000]],
  ['hour', [0, 0, 3_600_000]],
  ['hr', [0, 0, 3_600_000]],
  ['h', [0, 0, 3_600_000]],
  ['day', [0, 1, 0]],
  ['d', [0, 1, 0]],
  ['week', [0, 7, 0]],
  ['w', [0, 7, 0]],
  ['month', [1, 0, 0]],
  ['mon', [1, 0, 0]],
  ['year', [12, 0, 0]],
  ['yr', [12, 0, 0]],
  ['y', [12, 0, 0]],
  ['decade', [120, 0, 0]],
  ['century', [1200, 0, 0]],
  ['centurie', [1200, 0, 0]],
]);

/** `1 year 2 days 03:04:05`, `90 minutes ago`; undefined where the text is no interval. */
export function parseInterval(text: string): Interval | undefined {
  let [months, days, milliseconds] = [0, 0, 0];
  let rest = text.trim().toLowerCase().replace(/^@\s*/, '');
  const ago = /\s+ago$/.test(rest);
  if (ago) rest = rest.replace(/\s+ago$/, '');
  if (rest === '') return undefined;
  while (rest !== '') {
    const clock = /^([+-]?)(\d{1,6}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(?:\s+|$)/.exec(rest);
    if (clock) {
      const span = (Number(clock[2]) * 60 + Number(clock[3])) * 60_000 + Number(clock[4] ?? 0) * 1000;
      milliseconds += clock[1] === '-' ? -span : span;
      rest = rest.slice(clock[0].length);
      continue;
    }
    const part = /^([+-]?\d+(?:\.\d+)?)\s*([a-z]+)(?:\s+|$)/.exec(rest);
    const unit = part && (units.get(part[2]) ?? units.get(part[2].replace(/s$/, '')));
    if (!part || !unit) return undefined;
    const n = Number(part[1]);
    // A fraction of a month is days (30), of a day hours, as in PostgreSQL.
    const wholeMonths = Math.trunc(n * unit[0]);
    const dayPart = n * unit[1] + (n * unit[0] - wholeMonths) * 30;
    const wholeDays = Math.trunc(dayPart + 1e-9 * Math.sign(dayPart));
    months += wholeMonths;
    days += wholeDays;
    milliseconds += n * unit[2] + Math.round((dayPart - wholeDays) * dayLength);
    rest = rest.slice(part[0].length);
  }
  return ago
    ? { months: 0 - months, days: 0 - days, milliseconds: 0 - milliseconds }
    : { months, days, milliseconds };
}
