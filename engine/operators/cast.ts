/** CAST between all types. A text that does not read as the target is an error that shows it. */
import { AssayError } from '../../semiring/error.js';
import {
  formatDate,
  formatInterval,
  formatTimestamp,
  parseDate,
  parseInterval,
  parseTimestamp,
} from '../calendar.js';
import { integer, isInterval } from '../external.js';
import type { Interval, Json, Type, Value } from '../value.js';

const dayLength = 86_400_000;

/** Whether CAST (from AS to) exists at all. */
export function canCast(from: Type, to: Type): boolean {
  if (from === to || from === 'null' || to === 'text' || from === 'text' || to === 'json' || from === 'json')
    return true;
  return casts.get(from)?.has(to) ?? false;
}

const casts: ReadonlyMap<Type, ReadonlySet<Type>> = new Map([
  ['boolean', new Set<Type>(['integer'])],
  ['integer', new Set<Type>(['boolean', 'float'])],
  ['float', new Set<Type>(['integer'])],
  ['date', new Set<Type>(['timestamp'])],
  ['timestamp', new Set<Type>(['date'])],
]);

/** @throws AssayError `engine/bad-cast` */
export function castValue(value: Value, from: Type, to: Type): Value {
  if (value === null || from === to) return value;
  switch (to) {
    case 'text':
      return toText(value, from);
    case 'json':
      return toJson(value, from);
    case 'null':
      return null;
    default:
  }
  if (from === 'text' || typeof value === 'string') return readText(String(value), to);
  if (from === 'json') return fromJson(value, to);
  if (to === 'boolean' && from === 'integer') return value !== 0;
  if (to === 'integer' && typeof value === 'boolean') return value ? 1 : 0;
  if (to === 'integer' && from === 'float') return roundFloat(Number(value));
  if (to === 'float' && from === 'integer') return Number(value);
  if (to === 'timestamp' && from === 'date') return Number(value) * dayLength;
  if (to === 'date' && from === 'timestamp') return Math.floor(Number(value) / dayLength);
  throw new AssayError('engine/bad-cast', `cannot cast ${from} to ${to}`);
}

/** To the nearest, ties to even, as PostgreSQL rounds doubles. */
function roundFloat(x: number): number | bigint {
  if (!Number.isFinite(x)) throw new AssayError('engine/bad-cast', `${x} is no integer`);
  const floor = Math.floor(x);
  const rest = x - floor;
  return integer(rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1);
}

/** As PostgreSQL prints it. */
export function toText(value: Value, type: Type): string {
  switch (type) {
    case 'date':
      return formatDate(Number(value));
    case 'timestamp':
      return formatTimestamp(Number(value));
    case 'interval':
      return formatInterval(value as Interval);
    case 'json':
      return JSON.stringify(value);
    case 'float':
      return formatFloat(Number(value));
    default:
      return String(value);
  }
}

function formatFloat(x: number): string {
  if (Object.is(x, -0)) return '-0';
  const text = String(x);
  // JavaScript writes 1e+21 and 1e-7, PostgreSQL 1e+21 and 1e-07.
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

function toJson(value: Value, from: Type): Json {
  if (from === 'text' && typeof value === 'string') {
    try {
      return JSON.parse(value) as Json;
    } catch {
      throw unreadable(value, 'json');
    }
  }
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (from === 'integer' || from === 'float') return Number(value);
  return toText(value, from);
}

function fromJson(value: Value, to: Type): Value {
  if (to === 'boolean' && typeof value === 'boolean') return value;
  if (to === 'integer' && typeof value === 'number') return roundFloat(value);
  if (to === 'float' && typeof value === 'number') return value;
  if (to === 'interval' && isInterval(value)) return value;
  throw new AssayError('engine/bad-cast', `cannot cast this json value to ${to}`);
}

function readText(text: string, to: Type): Value {
  const value = read(text.trim(), to);
  if (value === undefined) throw unreadable(text, to);
  return value;
}

function read(text: string, to: Type): Value | undefined {
  switch (to) {
    case 'boolean': {
      const lower = text.toLowerCase();
      if (['t', 'true', 'y', 'yes', 'on', '1'].includes(lower)) return true;
      return ['f', 'false', 'n', 'no', 'off', '0'].includes(lower) ? false : undefined;
    }
    case 'integer':
      return /^[+-]?\d{1,4000}$/.test(text) ? integer(BigInt(text.replace(/^\+/, ''))) : undefined;
    case 'float': {
      if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
      const special = /^([+-]?)(nan|inf|infinity)$/i.exec(text);
      if (!special) return undefined;
      return special[2].toLowerCase() === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
    }
    case 'date': {
      const time = parseDate(text) ?? parseTimestamp(text);
      if (time === undefined) return undefined;
      return parseDate(text) ?? Math.floor(time / dayLength);
    }
    case 'timestamp':
      return parseTimestamp(text);
    case 'interval':
      return parseInterval(text);
    default:
      return undefined;
  }
}

function unreadable(text: string, to: Type): AssayError {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return new AssayError('engine/bad-cast', `invalid input for ${to}: ${shown}`);
}
