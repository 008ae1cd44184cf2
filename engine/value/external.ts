/** The rim: values in machine form to what a person or a program reads, and back. */
import {
  formatDate,
  formatInterval,
  formatTimestamp,
  parseDate,
  parseInterval,
  parseTimestamp,
} from './calendar.js';
import type { Interval, Json, Type, Value } from './value.js';

/** Dates and timestamps as ISO text, intervals as PostgreSQL writes them; the rest as it is. */
export function external(value: Value, type: Type): unknown {
  if (value === null) return null;
  if (type === 'date' && typeof value === 'number') return formatDate(value);
  if (type === 'timestamp' && typeof value === 'number') return formatTimestamp(value);
  if (type === 'interval' && isInterval(value)) return formatInterval(value);
  return value;
}

/** The machine form of an outside value, or undefined where it is not of that type. `undefined` is NULL. */
export function internal(value: unknown, type: Type): Value | undefined {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'null':
      return undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      if (typeof value === 'bigint') return integer(value);
      return typeof value === 'number' && Number.isInteger(value) ? integer(value) : undefined;
    case 'float':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? value : undefined;
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'date':
      if (value instanceof Date) return Math.floor(value.getTime() / 86_400_000);
      return typeof value === 'string' ? parseDate(value) : undefined;
    case 'timestamp':
      if (value instanceof Date) return value.getTime();
      return typeof value === 'string' ? parseTimestamp(value) : undefined;
    case 'interval':
      return typeof value === 'string' ? parseInterval(value) : isInterval(value) ? value : undefined;
    case 'json':
      return isJson(value) ? value : undefined;
  }
}

/** An exact integer in its one form: a number where |n| ≤ 2^53, a bigint past it. */
export function integer(n: number | bigint): number | bigint {
  if (typeof n === 'number') return Number.isSafeInteger(n) ? n + 0 : BigInt(n);
  return n >= BigInt(Number.MIN_SAFE_INTEGER) && n <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(n) : n;
}

export function isInterval(value: unknown): value is Interval {
  if (typeof value !== 'object' || value === null) return false;
  const { months, days, milliseconds } = value as Partial<Record<keyof Interval, unknown>>;
  return typeof months === 'number' && typeof days === 'number' && typeof milliseconds === 'number';
}

/**
 * Whether a value could have come out of JSON; looks no deeper than the top, since tools hand over parsed
 * JSON.
 */
function isJson(value: unknown): value is Json {
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'string':
      return true;
    case 'object':
      return !(value instanceof Date);
    default:
      return false;
  }
}
