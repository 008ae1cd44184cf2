/**
 * Values of a session as JSON and back, exactly. An object whose only key begins with `$` is a tag for what
 * JSON cannot hold (`{"$number": "NaN"}`), so data of that shape is itself wrapped, in `{"$object": …}`.
 */
import * as v from 'valibot';
import { AssayError } from '../../../semiring/message/error.js';

/** Deeper data is refused: recursion must end, cycles included. */
const deepest = 600;

/**
 * Data as JSON can carry it.
 * @param hide is applied to every text, keys included: takes secrets out
 * @throws AssayError `log/not-data` for what is no data: functions, symbols, cycles, objects with a class of
 *   their own
 */
export function encodeValue(value: unknown, hide: (text: string) => string, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return hide(value);
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      return { $number: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { $bigint: String(value) };
    case 'undefined':
      return { $undefined: true };
    case 'object':
      return value === null ? null : encodeObject(value, hide, depth + 1);
    default:
      throw notData(`a ${typeof value}`);
  }
}

function encodeObject(value: object, hide: (text: string) => string, depth: number): unknown {
  if (depth > deepest) throw notData(`nested deeper than ${deepest}`);
  if (Array.isArray(value)) return Array.from(value, (item) => encodeValue(item, hide, depth));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype)
    throw notData('an object with a class of its own');
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    hide(key),
    encodeValue(item, hide, depth),
  ]);
  // fromEntries defines own properties, so that a key `__proto__` stays a key.
  const encoded = Object.fromEntries(entries);
  return entries.length === 1 && entries[0][0].startsWith('$') ? { $object: encoded } : encoded;
}

const tags = {
  $number: v.picklist(['NaN', 'Infinity', '-Infinity', '-0']),
  $bigint: v.pipe(v.string(), v.regex(/^-?\d+$/)),
  $undefined: v.literal(true),
};

/** @throws AssayError `log/bad-value` for a tag that is none of ours, or data that is nested too deep */
export function decodeValue(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 2 * deepest) throw new AssayError('log/bad-value', 'is nested too deep');
  if (Array.isArray(value)) return value.map((item) => decodeValue(item, depth + 1));
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0][0].startsWith('$')) {
    return decodeTagged(entries[0][0], entries[0][1], depth + 1);
  }
  return decodeMembers(value, depth + 1);
}

function decodeMembers(record: object, depth: number): unknown {
  return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, decodeValue(item, depth)]));
}

function decodeTagged(tag: string, content: unknown, depth: number): unknown {
  switch (tag) {
    case '$number':
      if (v.is(tags.$number, content)) return Number(content);
      break;
    case '$bigint':
      if (v.is(tags.$bigint, content)) return BigInt(content);
      break;
    case '$undefined':
      if (v.is(tags.$undefined, content)) return undefined;
      break;
    case '$object':
      if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
        return decodeMembers(content, depth);
      }
  }
  throw new AssayError(
    'log/bad-value',
    `${JSON.stringify(tag.slice(0, 40))} does not hold what its name says`,
  );
}

function notData(what: string): AssayError {
  return new AssayError('log/not-data', `a log holds plain data only; this is ${what}`);
}
