/**
 * How deep JSON may be nested. It is checked once, where a value comes in, so that what walks JSON later
 * (comparing, printing, saving) may recurse.
 */
import { AssayError } from '../../semiring/message/error.js';
import { shorten } from '../../semiring/message/visible-text.js';

/** Levels of arrays and objects; what a program hands over in a circle has no end of them. */
export const deepestJson = 500;

/**
 * @param place what holds the value, for the message
 * @throws AssayError `engine/too-deep` where it is nested deeper than {@link deepestJson}, or in a circle
 */
export function checkJsonDepth(value: unknown, place: string | (() => string)): void {
  const path = tooDeep(value, 0);
  if (path === undefined) return;
  const shown = shorten(path.reverse().join(''), 60);
  throw new AssayError(
    'engine/too-deep',
    `${typeof place === 'string' ? place : place()}: JSON is nested deeper than ${deepestJson} levels, or in a circle, at $${shown}`,
  );
}

/** Whether {@link checkJsonDepth} would refuse it. */
export function isTooDeep(value: unknown): boolean {
  return tooDeep(value, 0) !== undefined;
}

/** The steps to the first value that is too deep, last step first. */
function tooDeep(value: unknown, depth: number): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === deepestJson) return [];
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const path = tooDeep(value[i], depth + 1);
      if (path) return [...path, `[${i}]`];
    }
    return undefined;
  }
  for (const [key, inner] of Object.entries(value)) {
    const path = tooDeep(inner, depth + 1);
    if (path) return [...path, `[${JSON.stringify(key.slice(0, 40))}]`];
  }
  return undefined;
}
