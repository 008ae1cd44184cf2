/**
 * Values of any semiring as JSON: numbers that JSON has no form for, big integers, sets, maps, and plain
 * arrays and objects of these. Everything but texts, booleans, null and plain numbers is wrapped in an array
 * that begins with its kind, so nothing from data is taken for a mark.
 */

/** Undefined where a value is of none of these kinds (a class, a function). */
export function toPortable(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ['number', Object.is(value, -0) ? '-0' : String(value)];
    case 'bigint':
      return ['big', String(value)];
    case 'undefined':
      return ['undefined'];
    case 'object':
      return value === null ? null : composed(value);
    default:
      return undefined;
  }
}

function composed(value: object): unknown {
  if (Array.isArray(value)) return listed('array', value);
  if (value instanceof Set) return listed('set', [...value]);
  if (value instanceof Map) return listed('map', [...value].flat());
  if (value instanceof Int32Array) return listed('int32', [...value]);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? listed('object', Object.entries(value).flat())
    : undefined;
}

function listed(kind: string, items: readonly unknown[]): unknown {
  const parts = items.map(toPortable);
  return parts.includes(undefined) ? undefined : [kind, ...parts];
}

/** @throws RangeError where it is no value that {@link toPortable} made */
export function fromPortable(saved: unknown): unknown {
  if (!Array.isArray(saved)) {
    if (saved === null || typeof saved !== 'object') return saved;
    throw new RangeError('an object is no saved value');
  }
  const [kind, ...rest] = saved as readonly unknown[];
  switch (kind) {
    case 'number':
      return Number(rest[0]);
    case 'big':
      if (!/^-?\d+$/.test(String(rest[0]))) break;
      return BigInt(String(rest[0]));
    case 'undefined':
      return undefined;
    case 'array':
      return rest.map(fromPortable);
    case 'set':
      return new Set(rest.map(fromPortable));
    case 'map':
      return new Map(pairs(rest));
    case 'int32':
      return Int32Array.from(rest, Number);
    case 'object': {
      const object: Record<string, unknown> = {};
      for (const [key, value] of pairs(rest)) {
        Object.defineProperty(object, String(key), {
          value,
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
      return object;
    }
  }
  throw new RangeError(`${String(kind).slice(0, 40)} is no kind of saved value`);
}

function pairs(items: readonly unknown[]): [unknown, unknown][] {
  if (items.length % 2 !== 0) throw new RangeError('a key without a value');
  const list: [unknown, unknown][] = [];
  for (let i = 0; i < items.length; i += 2) list.push([fromPortable(items[i]), fromPortable(items[i + 1])]);
  return list;
}
