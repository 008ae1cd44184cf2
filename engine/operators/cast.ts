/** CAST between all types. A text that does not read as the target is an error that shows it. */
import { AssayError } from '../../semiring/message/error.js';
import { formatDate, formatInterval, formatTimestamp } from '../value/calendar.js';
import { integer, isInterval } from '../value/external.js';
import { checkJsonDepth } from '../value/json-depth.js';
import type { Interval, Json, Type, Value } from '../value/value.js';
import { readAs } from './read-text.js';
import { roundHalfEven } from './round-half-even.js';

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
  return integer(roundHalfEven(x));
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
  const size = Math.abs(x);
  const plain = !Number.isFinite(x) || size === 0 || (size >= 1e-4 && size < 1e15);
  // The shortest digits that read as the number, as JavaScript finds them too; exponents have two digits at
  // least.
  return plain ? String(x) : x.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function toJson(value: Value, from: Type): Json {
  if (from === 'text' && typeof value === 'string') {
    let parsed: Json;
    try {
      parsed = JSON.parse(value) as Json;
    } catch {
      throw unreadable(value, 'json');
    }
    checkJsonDepth(parsed, 'the text');
    return parsed;
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
  const value = readAs(text, to);
  if (value === undefined) throw unreadable(text, to);
  return value;
}

function unreadable(text: string, to: Type): AssayError {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return new AssayError('engine/bad-cast', `invalid input for ${to}: ${shown}`);
}
