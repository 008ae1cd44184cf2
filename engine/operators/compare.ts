/**
 * The total order of values of one type. It is PostgreSQL's with collation "C": text by code point, NaN equal
 * to itself and greater than every number, false before true, intervals by 30-day months.
 */
import { isInterval } from '../value/external.js';
import type { Interval, Value } from '../value/value.js';

/** Negative, zero or positive. Neither side is NULL. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (isNumeric(a) && isNumeric(b)) {
    if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
    if (Number.isNaN(b)) return -1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (isInterval(a) && isInterval(b)) return span(a) - span(b);
  return compareText(canonicalJson(a), canonicalJson(b));
}

function isNumeric(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

export function compareNumbers(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1;
}

/** By code point: surrogates after the rest of the basic plane, unlike `<`. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Length in milliseconds with months of 30 days and days of 24 hours, as PostgreSQL compares intervals. */
export function span(interval: Interval): number {
  return (interval.months * 30 + interval.days) * 86_400_000 + interval.milliseconds;
}

/** JSON text that is the same for equal values: keys sorted. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}

/** A key for Map and Set: two values of comparable types have the same key exactly when they are equal. */
export function keyOf(value: Value): string | number | bigint | boolean | null {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'string':
      return value.startsWith('\0') ? `\0s${value}` : value;
    case 'object':
      if (value === null) return null;
      return isInterval(value) ? `\0i${span(value)}` : `\0j${canonicalJson(value)}`;
    default:
      return value;
  }
}
