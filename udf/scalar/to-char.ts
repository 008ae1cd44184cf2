/**
 * `to_char`, `to_date`, `to_timestamp(text, text)`: the patterns people use. A pattern that is not in the
 * table below is an error that names it, never copied through as if it were text.
 */

import type { ScalarFunction } from '../../engine/plan/expression.js';
import { daysFromCivil, daysInMonth } from '../../engine/value/calendar.js';
import { dayLength, instantOf, isoWeek, type Moment, momentOf, weekday } from './date.js';
import { badArgument, define } from './define.js';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

interface Part {
  /** Padded to this width: digits with zeros, names with blanks; FM switches it off. */
  readonly width: number;
  readonly value: (moment: Moment) => string | number;
}

const hour = ({ clock }: Moment): number => Math.floor(clock / 3_600_000);
const half = (moment: Moment): string => (hour(moment) < 12 ? 'am' : 'pm');
const cased = (name: string, like: string): string =>
  like === like.toUpperCase() ? name.toUpperCase() : like === like.toLowerCase() ? name.toLowerCase() : name;

function named(
  pattern: string,
  list: readonly string[],
  index: (moment: Moment) => number,
  width: number,
): [string, Part] {
  const short = width === 0;
  return [
    pattern,
    {
      width,
      value: (moment) => cased(short ? list[index(moment)].slice(0, 3) : list[index(moment)], pattern),
    },
  ];
}

const monthIndex = ({ month }: Moment): number => month - 1;
const dayIndex = ({ days }: Moment): number => weekday(days);
const hour12 = (moment: Moment): number => hour(moment) % 12 || 12;
const dayOfYear = ({ days, year }: Moment): number => days - daysFromCivil(year, 1, 1) + 1;

const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['YYYY', { width: 4, value: ({ year }) => year }],
  ['YY', { width: 2, value: ({ year }) => year % 100 }],
  ['IYYY', { width: 4, value: ({ days }) => isoWeek(days).year }],
  ['MM', { width: 2, value: ({ month }) => month }],
  ...(['MONTH', 'Month', 'month'] as const).map((pattern) => named(pattern, months, monthIndex, 9)),
  ...(['MON', 'Mon', 'mon'] as const).map((pattern) => named(pattern, months, monthIndex, 0)),
  ['DD', { width: 2, value: ({ day }) => day }],
  ['DDD', { width: 3, value: dayOfYear }],
  ...(['DAY', 'Day', 'day'] as const).map((pattern) => named(pattern, weekdays, dayIndex, 9)),
  ...(['DY', 'Dy', 'dy'] as const).map((pattern) => named(pattern, weekdays, dayIndex, 0)),
  ['D', { width: 1, value: ({ days }) => weekday(days) + 1 }],
  ['ID', { width: 1, value: ({ days }) => weekday(days) || 7 }],
  ['IW', { width: 2, value: ({ days }) => isoWeek(days).week }],
  ['WW', { width: 2, value: (moment) => Math.floor((dayOfYear(moment) - 1) / 7) + 1 }],
  ['Q', { width: 1, value: ({ month }) => Math.ceil(month / 3) }],
  ['HH24', { width: 2, value: hour }],
  ['HH12', { width: 2, value: hour12 }],
  ['HH', { width: 2, value: hour12 }],
  ['MI', { width: 2, value: ({ clock }) => Math.floor(clock / 60_000) % 60 }],
  ['SS', { width: 2, value: ({ clock }) => Math.floor(clock / 1000) % 60 }],
  ['MS', { width: 3, value: ({ clock }) => Math.floor(clock % 1000) }],
  ['US', { width: 6, value: ({ clock }) => Math.round((clock % 1000) * 1000) }],
  ['AM', { width: 0, value: (moment) => half(moment).toUpperCase() }],
  ['PM', { width: 0, value: (moment) => half(moment).toUpperCase() }],
  ['am', { width: 0, value: half }],
  ['pm', { width: 0, value: half }],
]);

type Piece = { readonly text: string } | { readonly pattern: string; readonly fill: boolean };

/** Patterns, longest first, quoted text, and everything that is not a letter. */
function piecesOf(format: string, known: Iterable<string>, name: string): Piece[] {
  const patterns = [...known].sort((a, b) => b.length - a.length);
  const pieces: Piece[] = [];
  for (let at = 0; at < format.length; ) {
    const fill = !/^fm/i.test(format.slice(at, at + 2));
    const from = fill ? at : at + 2;
    const rest = format.slice(from, from + 9);
    const pattern =
      patterns.find((candidate) => rest.startsWith(candidate)) ??
      // Patterns of digits may be written in any case.
      patterns.find((candidate) => rest.toUpperCase().startsWith(candidate) && !/[a-z]/.test(candidate));
    if (pattern !== undefined) {
      pieces.push({ pattern, fill });
      at = from + pattern.length;
    } else if (format[at] === '"') {
      const end = format.indexOf('"', at + 1);
      pieces.push({ text: format.slice(at + 1, end < 0 ? undefined : end) });
      at = end < 0 ? format.length : end + 1;
    } else if (/[a-z]/i.test(format[at])) {
      throw badArgument(name, `pattern "${format.slice(at, at + 6)}" is not supported`);
    } else {
      pieces.push({ text: format[at] });
      at += 1;
    }
  }
  return pieces;
}

function formatTime(milliseconds: number, format: string): string {
  const moment = momentOf(milliseconds);
  return piecesOf(format, parts.keys(), 'to_char')
    .map((piece) => {
      if ('text' in piece) return piece.text;
      const part = parts.get(piece.pattern);
      const value = part?.value(moment) ?? '';
      if (!piece.fill || !part) return String(value);
      return typeof value === 'number' ? String(value).padStart(part.width, '0') : value.padEnd(part.width);
    })
    .join('');
}

/** `9` and `0` digits, one `.` or `D`, `,` or `G` groups, `S` or `MI` signs, FM. */
function formatNumber(value: number, format: string): string {
  const fill = !/^fm/i.test(format);
  const body = fill ? format : format.slice(2);
  const wrong = /[^90.,DGSMI]/i.exec(body.replace(/MI/gi, ''));
  if (wrong) throw badArgument('to_char', `pattern "${wrong[0]}" for a number is not supported`);
  const signed = /^S/i.test(body)
    ? 'start'
    : /S$/i.test(body)
      ? 'end'
      : /MI$/i.test(body)
        ? 'minus'
        : 'blank';
  const digits = body
    .replace(/MI$/i, '')
    .replace(/S/gi, '')
    .toUpperCase()
    .replace('D', '.')
    .replaceAll('G', ',');
  const [whole, fraction = ''] = digits.split('.');
  const rounded = Math.abs(value).toFixed(fraction.length);
  const [wholeDigits, fractionDigits = ''] = rounded.split('.');
  const places = whole.replaceAll(',', '').length;
  const zeroFrom = whole.replaceAll(',', '').indexOf('0');
  const least = zeroFrom < 0 ? 1 : places - zeroFrom;
  const shown =
    wholeDigits === '0' && zeroFrom < 0 && fraction !== '' ? '' : wholeDigits.padStart(least, '0');
  const negative = value < 0 && Number(rounded) !== 0;
  if (wholeDigits.length > places && wholeDigits !== '0') {
    return `${fill ? ' ' : ''}${digits.replace(/[90]/g, '#')}`;
  }
  // Fill the pattern from the right; what has no digit becomes blank.
  let at = shown.length;
  let text = '';
  for (let i = whole.length - 1; i >= 0; i--) {
    if (whole[i] === ',') text = (at > 0 ? ',' : fill ? ' ' : '') + text;
    else {
      at -= 1;
      text = (at >= 0 ? shown[at] : fill ? ' ' : '') + text;
    }
  }
  if (digits.includes('.')) text += `.${fill ? fractionDigits : trimOptional(fractionDigits, fraction)}`;
  const sign = negative ? '-' : signed === 'start' || signed === 'end' ? '+' : fill ? ' ' : '';
  if (signed === 'end' || signed === 'minus')
    return text + (signed === 'minus' && !negative ? (fill ? ' ' : '') : sign);
  return text.replace(/^( *)/, `$1${sign}`);
}

/** FM drops trailing zeros where the pattern has 9. */
function trimOptional(digits: string, pattern: string): string {
  const required = pattern.lastIndexOf('0') + 1;
  let end = digits.length;
  while (end > required && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

const readers: ReadonlyMap<string, RegExp> = new Map([
  ['YYYY', /^\d{1,4}/],
  ['MM', /^\d{1,2}/],
  ['DD', /^\d{1,2}/],
  ['HH24', /^\d{1,2}/],
  ['MI', /^\d{1,2}/],
  ['SS', /^\d{1,2}/],
  ['MS', /^\d{1,3}/],
  ['US', /^\d{1,6}/],
  ['Mon', /^[a-z]{3}/i],
  ['Month', /^[a-z]{3,9}/i],
]);

/** Milliseconds of a text in a format. */
function readTime(text: string, format: string, name: string): number {
  const found = new Map<string, number>();
  let rest = text.trim();
  for (const piece of piecesOf(format, readers.keys(), name)) {
    if ('text' in piece) {
      rest = piece.text.trim() === '' ? rest.trimStart() : rest.replace(/^\s*[^\w\s]?/, '');
      continue;
    }
    // What a text that ends early does not say is the first.
    if (rest === '') break;
    const match = readers.get(piece.pattern)?.exec(rest);
    if (!match) throw badArgument(name, `"${text}" does not match ${piece.pattern} of "${format}"`);
    rest = rest.slice(match[0].length);
    if (piece.pattern.startsWith('Mon')) {
      const month = months.findIndex(
        (candidate) => candidate.slice(0, 3).toLowerCase() === match[0].slice(0, 3).toLowerCase(),
      );
      if (month < 0) throw badArgument(name, `"${match[0]}" is no month`);
      found.set('MM', month + 1);
    } else if (piece.pattern === 'MS' || piece.pattern === 'US') {
      found.set('MS', Number(`0.${match[0]}`) * 1000);
    } else found.set(piece.pattern, Number(match[0]));
  }
  const [year, month, day] = [found.get('YYYY') ?? 0, found.get('MM') ?? 1, found.get('DD') ?? 1];
  const [hours, minutes, seconds] = [found.get('HH24') ?? 0, found.get('MI') ?? 0, found.get('SS') ?? 0];
  const badDate = month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month);
  if (badDate || hours > 23 || minutes > 59 || seconds > 59)
    throw badArgument(name, `"${text}" is out of range`);
  const clock = (hours * 60 + minutes) * 60_000 + seconds * 1000 + (found.get('MS') ?? 0);
  return daysFromCivil(year, month, day) * dayLength + clock;
}

export const formatFunctions: readonly ScalarFunction[] = [
  define('to_char', ['time', 'text'], 'text', ([time, format], types) =>
    formatTime(instantOf(time, types[0]), String(format)),
  ),
  define('to_char', ['number', 'text'], 'text', ([value, format]) =>
    formatNumber(Number(value), String(format)),
  ),
  define('to_date', ['text', 'text'], 'date', ([text, format]) =>
    Math.floor(readTime(String(text), String(format), 'to_date') / dayLength),
  ),
  define('to_timestamp', ['text', 'text'], 'timestamp', ([text, format]) =>
    readTime(String(text), String(format), 'to_timestamp'),
  ),
];
