/**
 * Texts as values of a type: what CAST reads, as PostgreSQL does. Dates and times are read in ISO 8601's
 * forms and no others, so that no setting decides what a text means.
 */
import { parseDate, parseInterval, parseTimestamp } from '../value/calendar.js';
import { integer } from '../value/external.js';
import type { Interval, Type, Value } from '../value/value.js';

const dayLength = 86_400_000;

/** The value that a text reads as, white space around it aside; undefined where it reads as none. */
export function readAs(written: string, type: Type): Value | undefined {
  const text = written.trim();
  switch (type) {
    case 'boolean':
      return readBoolean(text.toLowerCase());
    case 'integer':
      return readInteger(text);
    case 'float':
      return readFloat(text);
    case 'date': {
      const time = parseTimestamp(dashed(text));
      return parseDate(dashed(text)) ?? (time === undefined ? undefined : Math.floor(time / dayLength));
    }
    case 'timestamp':
      return parseTimestamp(dashed(text));
    case 'interval':
      return parseInterval(text) ?? readSeconds(text) ?? readDuration(text);
    default:
      return undefined;
  }
}

/** A word may be cut as long as it is the beginning of one word only. */
function readBoolean(text: string): boolean | undefined {
  if (text === '1' || text === 'on') return true;
  if (text === '0') return false;
  if (text === '' || text === 'o') return undefined;
  if (['true', 'yes'].some((word) => word.startsWith(text))) return true;
  return ['false', 'no', 'off'].some((word) => word.startsWith(text)) ? false : undefined;
}

/** Decimal, or in base 16, 8 or 2 after 0x, 0o, 0b; single underscores may stand between digits. */
function readInteger(text: string): number | bigint | undefined {
  const match =
    /^([+-]?)(0x_?[\da-f]+(?:_[\da-f]+)*|0o_?[0-7]+(?:_[0-7]+)*|0b_?[01]+(?:_[01]+)*|\d+(?:_\d+)*)$/i.exec(
      text,
    );
  if (!match || text.length > 4000) return undefined;
  const size = BigInt(match[2].replaceAll('_', ''));
  return integer(match[1] === '-' ? -size : size);
}

function readFloat(text: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const special = /^([+-]?)(nan|inf|infinity)$/i.exec(text);
  if (!special) return undefined;
  return special[2].toLowerCase() === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
}

/** ISO 8601's basic form of a date, `20220108`, in its extended form. */
function dashed(text: string): string {
  return text.replace(/^(\d{4})(\d{2})(\d{2})(?!\d)/, '$1-$2-$3');
}

/** A number alone is seconds. */
function readSeconds(text: string): Interval | undefined {
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? parseInterval(`${text} seconds`) : undefined;
}

/** ISO 8601's durations: `P1Y2M3DT4H5M6S`. */
function readDuration(text: string): Interval | undefined {
  const number = String.raw`([+-]?\d+(?:\.\d+)?)`;
  const date = `(?:${number}Y)?(?:${number}M)?(?:${number}W)?(?:${number}D)?`;
  const clock = `(?:T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?`;
  const match = new RegExp(`^P${date}${clock}$`).exec(text);
  if (!match || !/\d/.test(text)) return undefined;
  const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];
  return parseInterval(
    units.flatMap((unit, i) => (match[i + 1] === undefined ? [] : [`${match[i + 1]} ${unit}`])).join(' '),
  );
}
