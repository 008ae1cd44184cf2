/**
 * What a wrong value is, in a few words of a message. It never throws and never prints more than a line,
 * whatever the value is.
 */

/** How much of a text is shown. */
const longest = 40;

/** `text "u"`, `-1`, `a list`, `an object with integrity, readers`. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `text ${quoted(value)}`;
    case 'bigint':
      return value > -(10n ** 20n) && value < 10n ** 20n ? `${value}n` : 'a bigint';
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : describeObject(value);
    default:
      return Object.is(value, -0) ? '-0' : String(value);
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Set) return 'a set';
  if (value instanceof Map) return 'a map';
  if (value instanceof Promise) return 'a promise';
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an object';
  const shown = keys.slice(0, 4).map((key) => (/^[\w-]{1,40}$/.test(key) ? key : quoted(key)));
  return `an object with ${shown.join(', ')}${keys.length > shown.length ? ', …' : ''}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}
