/**
 * Sums, differences, multiples and quotients of timestamps and intervals. Everything is kept to whole
 * microseconds, as in PostgreSQL, so that equal spans are equal however they were computed.
 */
import { civilFromDays, daysFromCivil, daysInMonth } from '../value/calendar.js';
import type { Interval, Type, Value } from '../value/value.js';
import { roundHalfEven } from './round-half-even.js';

const dayLength = 86_400_000;

export const noTime: Interval = { months: 0, days: 0, milliseconds: 0 };

/** Milliseconds to whole microseconds. */
function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** A time moved by an interval; the day is cut to the length of the month that it gets to. */
export function shift(time: number, type: Type, by: Interval, sign: 1 | -1): number {
  const milliseconds = timeInMilliseconds(time, type);
  const days = Math.floor(milliseconds / dayLength);
  const rest = milliseconds - days * dayLength;
  const civil = civilFromDays(days);
  const months = civil.year * 12 + civil.month - 1 + sign * by.months;
  const year = Math.floor(months / 12);
  const month = months - year * 12 + 1;
  const day = daysFromCivil(year, month, Math.min(civil.day, daysInMonth(year, month)));
  return toMicroseconds((day + sign * by.days) * dayLength + rest + sign * by.milliseconds);
}

export function addIntervals(a: Interval, b: Interval, sign: 1 | -1): Interval {
  return {
    months: a.months + sign * b.months,
    days: a.days + sign * b.days,
    milliseconds: toMicroseconds(a.milliseconds + sign * b.milliseconds),
  };
}

/**
 * `times` is applied to each part; what is left of a month is counted as days of 30 to a month, what is left
 * of a day as time.
 * @param times a multiplication or a division by one number
 */
export function scale(interval: Interval, times: (part: number) => number): Interval {
  const months = times(interval.months);
  const days = times(interval.days);
  const monthDays = roundHalfEven((months - Math.trunc(months)) * 30 * 1e6) / 1e6;
  const dayPart = days - Math.trunc(days) + monthDays - Math.trunc(monthDays);
  const seconds = roundHalfEven(dayPart * 86_400 * 1e6) / 1e6;
  const more = Math.trunc(seconds / 86_400);
  const micros = times(Math.round(interval.milliseconds * 1000)) + (seconds - more * 86_400) * 1e6;
  return {
    months: Math.trunc(months) + 0,
    days: Math.trunc(days) + Math.trunc(monthDays) + more,
    milliseconds: roundHalfEven(micros) / 1000,
  };
}

export function timeInMilliseconds(value: Value, type: Type): number {
  return type === 'date' ? Number(value) * dayLength : Number(value);
}

/** timestamp - timestamp: days and a rest, as PostgreSQL does. */
export function between(milliseconds: number): Interval {
  const days = Math.trunc(milliseconds / dayLength);
  return { months: 0, days, milliseconds: toMicroseconds(milliseconds - days * dayLength) };
}
