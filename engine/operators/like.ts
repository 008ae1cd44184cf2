/**
 * LIKE and ILIKE. The one thing to know: the matcher is greedy over literal runs between `%`s and never goes back
 * further than the last one, so it takes at most |text| · |run| steps and no pattern can make it explode.
 */
import { AssayError } from '../../semiring/error.js';
import type { ScalarFunction } from '../expression.js';
import type { Type } from '../value.js';
import { scalar } from './define.js';

const any = -1;
const percent = -2;

/** A pattern as code points; `any` stands for `_`, `percent` for a run of `%`. */
export function parseLike(pattern: string, escapeWith = '\\'): readonly number[] {
  if ([...escapeWith].length > 1)
    throw new AssayError('engine/like-escape', 'invalid escape string: it must be empty or one character');
  const parts: number[] = [];
  let escaped = false;
  for (const character of pattern) {
    const point = character.codePointAt(0) ?? 0;
    if (escaped) {
      parts.push(point);
      escaped = false;
    } else if (character === escapeWith) escaped = true;
    else if (character === '%') {
      if (parts.at(-1) !== percent) parts.push(percent);
    } else parts.push(character === '_' ? any : point);
  }
  if (escaped) throw new AssayError('engine/like-escape', 'LIKE pattern must not end with escape character');
  return parts;
}

/** Whether the whole of `text` matches. */
export function matchLike(text: string, pattern: readonly number[]): boolean {
  let t = 0;
  let p = 0;
  let retryText = -1;
  let retryPattern = -1;
  while (t < text.length) {
    const point = text.codePointAt(t) ?? 0;
    const part = pattern[p];
    if (part === percent) {
      retryPattern = ++p;
      retryText = t;
      if (p === pattern.length) return true;
    } else if (p < pattern.length && (part === any || part === point)) {
      t += point > 0xffff ? 2 : 1;
      p++;
    } else {
      if (retryPattern < 0) return false;
      retryText += (text.codePointAt(retryText) ?? 0) > 0xffff ? 2 : 1;
      t = retryText;
      p = retryPattern;
    }
  }
  while (pattern[p] === percent) p++;
  return p === pattern.length;
}

function likeFunction(name: string, negative: boolean, fold: (text: string) => string): ScalarFunction {
  let lastPattern: string | undefined;
  let lastEscape: string | undefined;
  let parsed: readonly number[] = [];
  return scalar(
    name,
    resolve,
    ([text, pattern, escapeWith]) => {
      const own = escapeWith === undefined ? '\\' : String(escapeWith);
      if (pattern !== lastPattern || own !== lastEscape) {
        parsed = parseLike(fold(String(pattern)), own);
        lastPattern = String(pattern);
        lastEscape = own;
      }
      return matchLike(fold(String(text)), parsed) !== negative;
    },
    { cost: 5 },
  );
}

function resolve(types: readonly Type[]): Type | undefined {
  const fits = types.every((type) => type === 'text' || type === 'null');
  return fits && (types.length === 2 || types.length === 3) ? 'boolean' : undefined;
}

/** text LIKE pattern [ESCAPE escape] */
export const like = likeFunction('like', false, (text) => text);
export const notLike = likeFunction('not like', true, (text) => text);
export const ilike = likeFunction('ilike', false, (text) => text.toLowerCase());
export const notIlike = likeFunction('not ilike', true, (text) => text.toLowerCase());
