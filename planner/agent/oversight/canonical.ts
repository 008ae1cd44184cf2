/**
 * One text for one value. It is injective on data, where JSON is not. NaN, the infinities, -0, undefined,
 * bigint, sets and maps have texts of their own, keys are sorted, and `__proto__` is a key like any other, so
 * two values with the same digest are the same value.
 */
import { createHash } from 'node:crypto';
import { AssayError } from '../../../semiring/message/error.js';

/** Deeper data is refused: no tool needs it, and a recursion must end. */
const deepest = 500;

/**
 * @throws AssayError `oversight/not-data` for functions, symbols, objects with a class of their own,
 *   accessors, and data nested deeper than 500 (cycles included).
 */
export function canonical(value: unknown): string {
  return write(value, 0);
}

/** SHA-256 of the canonical text, in hexadecimal. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value), 'utf8').digest('hex');
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : writeObject(value, depth + 1);
    default:
      return refuse(`a ${typeof value}`);
  }
}

function writeObject(value: object, depth: number): string {
  if (depth > deepest) return refuse(`nested deeper than ${deepest}`);
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth)).join()}]`;
  if (value instanceof Set)
    return `set[${Array.from(value, (item) => write(item, depth))
      .sort()
      .join()}]`;
  if (value instanceof Map) {
    return `map[${Array.from(value, ([key, item]) => `${write(key, depth)}:${write(item, depth)}`)
      .sort()
      .join()}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype)
    return refuse('an object with a class of its own');
  const entries = Object.entries(Object.getOwnPropertyDescriptors(value)).map(([key, property]) => {
    if (!('value' in property)) return refuse(`property ${JSON.stringify(key)} is computed`);
    return `${JSON.stringify(key)}:${write(property.value, depth)}`;
  });
  return `{${entries.sort().join()}}`;
}

function refuse(what: string): never {
  throw new AssayError('oversight/not-data', `${what}: an approval can be bound to plain data only`);
}
