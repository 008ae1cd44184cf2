/** Date-times as Python reads them, in the text form that the data has: `YYYY-MM-DD HH:MM:SS`. */
import { pythonRepr } from './python-repr.js';
import { valueError } from './tools/tool-error.js';

export type TimeFormat = '%Y-%m-%d' | '%Y-%m-%d %H:%M';

const DATE = '(\\d{4})-(1[0-2]|0[1-9]|[1-9])-(3[01]|[12]\\d|0[1-9]|[1-9])';
const FORMATS: Readonly<Record<TimeFormat, RegExp>> = {
  '%Y-%m-%d': new RegExp(`^${DATE}`),
  '%Y-%m-%d %H:%M': new RegExp(`^${DATE}\\s+(2[0-3]|[01]\\d|\\d):([0-5]\\d|\\d)`),
};

/**
 * Like `strptime`.
 *
 * @throws ToolError `ValueError` with Python's words.
 */
export function parseTime(text: string, format: TimeFormat): string {
  const found = FORMATS[format].exec(text);
  if (found === null) throw valueError(`time data ${pythonRepr(text)} does not match format '${format}'`);
  const rest = text.slice(found[0].length);
  if (rest !== '') throw valueError(`unconverted data remains: ${rest}`);
  const [, year, month, day, hour = '0', minute = '0'] = found;
  return timeText(Number(year), Number(month), Number(day), Number(hour), Number(minute), 0);
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Like `datetime.fromisoformat`, without fractions and time zones.
 *
 * @throws ToolError `ValueError` with Python's words.
 */
export function parseIsoTime(text: string): string {
  const found = ISO.exec(text);
  if (found === null) throw valueError(`Invalid isoformat string: ${pythonRepr(text)}`);
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = found;
  return timeText(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
}

export function addMinutes(time: string, minutes: number): string {
  return shown(new Date(milliseconds(time) + minutes * 60_000));
}

export function minutesBetween(start: string, end: string): number {
  return (milliseconds(end) - milliseconds(start)) / 60_000;
}

function timeText(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): string {
  if (year < 1) throw valueError(`year ${year} is out of range`);
  if (month < 1 || month > 12) throw valueError('month must be in 1..12');
  if (day < 1 || day > new Date(Date.UTC(2000, month, 0)).getUTCDate())
    throw valueError('day is out of range for month');
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  if (time.getUTCDate() !== day) throw valueError('day is out of range for month');
  if (hour > 23) throw valueError('hour must be in 0..23');
  if (minute > 59) throw valueError('minute must be in 0..59');
  if (second > 59) throw valueError('second must be in 0..59');
  time.setUTCHours(hour, minute, second);
  return shown(time);
}

function milliseconds(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}Z`);
}

function shown(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
