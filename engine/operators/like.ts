/**
 * LIKE and ILIKE. The matcher is greedy over literal runs between `%`s and never goes back further than the
 * last one, so it takes at most |text| · |run| steps and no pattern can make it explode.
 */
import { AssayError } from '../../semiring/message/error.js';
import type { ScalarFunction } from '../plan/expression.js';
import type { Type } from '../value/value.js';
import { scalar } from './define.js';

const any = -1;
const percent = -2;
const dangling = -3;

/**
 * A pattern as code points; `any` stands for `_`, `percent` for a run of `%`, `dangling` for an escape at its
 * end.
 */
export function parseLike(pattern: string): readonly number[] {
  const parts: number[] = [];
  let escaped = false;
  for (const character of pattern) {
    const point = character.codePointAt(0) ?? 0;
    if (escaped) {
      parts.push(point);
      escaped = false;
    } else if (character === '\\') escaped = true;
    else if (character === '%') {
      if (parts.at(-1) !== percent) parts.push(percent);
    } else parts.push(character === '_' ? any : point);
  }
  if (escaped) parts.push(dangling);
  return parts;
}

/**
 * Whether the whole of `text` matches.
 * @throws AssayError `engine/like-escape` where a character is compared with an escape that escapes nothing
 */
export function matchLike(text: string, pattern: readonly number[]): boolean {
  let t = 0;
  let p = 0;
  let retryText = -1;
  let retryPattern = -1;
  while (t < text.length) {
    const point = text.codePointAt(t) ?? 0;
    const part = pattern[p];
    if (part === dangling)
      throw new AssayError('engine/like-escape', 'LIKE pattern must not end with escape character');
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
  let parsed: readonly number[] = [];
  return scalar(
    name,
    resolve,
    ([text, pattern]) => {
      if (pattern !== lastPattern) {
        parsed = parseLike(fold(String(pattern)));
        lastPattern = String(pattern);
      }
      return matchLike(fold(String(text)), parsed) !== negative;
    },
    { cost: 5, ...(!negative && { share: () => 0.1 }) },
  );
}

function resolve(types: readonly Type[]): Type | undefined {
  return takesTexts(types) ? 'boolean' : undefined;
}

function takesTexts(types: readonly Type[]): boolean {
  return types.length === 2 && types.every((type) => type === 'text' || type === 'null');
}

/**
 * A pattern whose escape character is another than the backslash, with backslashes; the empty one escapes
 * nothing.
 */
function withBackslashes(pattern: string, escapeWith: string): string {
  if ([...escapeWith].length > 1)
    throw new AssayError('engine/like-escape', 'invalid escape string: it must be empty or one character');
  let result = '';
  let escaped = false;
  for (const character of pattern) {
    const escapes: boolean = character === escapeWith && !escaped;
    result += escapes ? '\\' : character === '\\' && !escaped ? '\\\\' : character;
    escaped = escapes;
  }
  return result;
}

/** The pattern of `LIKE pattern ESCAPE character`. */
export const likeEscape = scalar(
  'like_escape',
  (types) => (takesTexts(types) ? 'text' : undefined),
  ([pattern, escapeWith]) => withBackslashes(String(pattern), String(escapeWith)),
);

/** text LIKE pattern */
export const like = likeFunction('like', false, (text) => text);
export const notLike = likeFunction('not like', true, (text) => text);
export const ilike = likeFunction('ilike', false, (text) => text.toLowerCase());
export const notIlike = likeFunction('not ilike', true, (text) => text.toLowerCase());
