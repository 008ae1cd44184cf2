/** Where two JSON values differ, as lines for a person: path, what was expected, what came. */

const shownCharacters = 80;

/**
 * At most `limit` lines; values are JSON, so control characters are escaped, and cut around the difference.
 */
export function jsonDifference(expected: unknown, actual: unknown, limit = 10): readonly string[] {
  const lines: string[] = [];
  const walk = (a: unknown, b: unknown, path: string): void => {
    if (lines.length >= limit || Object.is(a, b)) return;
    if (isNode(a) && isNode(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const step = Array.isArray(a) ? `[${key}]` : `.${key}`;
        walk(own(a, key), own(b, key), path + step);
      }
      return;
    }
    const start = typeof a === 'string' && typeof b === 'string' ? firstDifference(a, b) : 0;
    lines.push(`${path}: expected ${excerpt(a, start)}, got ${excerpt(b, start)}`);
  };
  walk(expected, actual, '$');
  return lines;
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function own(node: object, key: string): unknown {
  return Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined;
}

function firstDifference(a: string, b: string): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i += 1;
  return i;
}

function excerpt(value: unknown, start: number): string {
  if (value === undefined) return 'nothing';
  if (typeof value !== 'string') return cut(JSON.stringify(value));
  const from = Math.max(0, start - shownCharacters / 4);
  return (from > 0 ? '…' : '') + cut(JSON.stringify(value.slice(from, from + shownCharacters)));
}

function cut(text: string): string {
  return text.length > 2 * shownCharacters ? `${text.slice(0, 2 * shownCharacters)}…` : text;
}
