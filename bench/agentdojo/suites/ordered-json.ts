/**
 * JSON whose objects keep the order of their keys. A JavaScript object puts keys that look like indexes
 * first, and the ids of mails, events and files do; the order in which the tools list them is that of the
 * file, so it has to be rescued before `JSON.parse` sees the keys.
 */

export type Ordered = null | boolean | number | string | Ordered[] | Map<string, Ordered>;

/** Put before every key, so that none looks like an index (and none is `__proto__`). */
const MARK = '#';

/** Each string of a JSON text, with the colon that makes it a key. */
const STRINGS = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

/** @throws SyntaxError where the text is not JSON. */
export function parseOrdered(text: string): Ordered {
  const marked = text.replace(STRINGS, (string, inside: string, colon: string | undefined) =>
    colon === undefined ? string : `"${MARK}${inside}"${colon}`,
  );
  return ordered(JSON.parse(marked));
}

function ordered(value: unknown): Ordered {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, item]) => [key.slice(MARK.length), ordered(item)]));
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  throw new TypeError(`Not a JSON value: ${typeof value}`);
}
