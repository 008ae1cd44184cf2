/** Text functions, as PostgreSQL has them: positions count code points from 1. */

import { toText } from '../../engine/operators/cast.js';
import { scalar } from '../../engine/operators/define.js';
import type { ScalarFunction } from '../../engine/plan/expression.js';
import type { Type, Value } from '../../engine/value/value.js';
import { pointCount, pointSlice, pointsBefore } from './code-points.js';
import { badArgument, define, ofTexts } from './define.js';

/** Longer results are refused: a few nested calls could otherwise ask for more memory than there is. */
const longestText = 1 << 26;

const count = (value: Value): number => Number(value);

function checkLength(name: string, length: number): void {
  if (length > longestText)
    throw badArgument(name, `the result would be longer than ${longestText} characters`);
}

/** The part of `text` from position `from` (may be before the text) and `length` long. */
function substring(text: string, from: number, length: number | undefined): string {
  if (length === undefined) return pointSlice(text, Math.max(0, from - 1));
  if (length < 0) throw badArgument('substring', 'negative substring length not allowed');
  return pointSlice(text, Math.max(0, from - 1), Math.max(0, from - 1 + length));
}

function evaluateSubstring([text, from, length]: readonly Value[]): Value {
  return substring(String(text), count(from), length === undefined ? undefined : count(length));
}

/** Without the characters of `set` at the chosen ends. */
function trim(text: string, set: string, start: boolean, end: boolean): string {
  const unwanted = new Set(set);
  const points = [...text];
  let first = 0;
  let last = points.length;
  while (start && first < last && unwanted.has(points[first])) first += 1;
  while (end && last > first && unwanted.has(points[last - 1])) last -= 1;
  return points.slice(first, last).join('');
}

function trimmer(name: string, start: boolean, end: boolean): ScalarFunction {
  return define(
    name,
    ['text', 'text'],
    'text',
    ([text, set]) => trim(String(text), set === undefined ? ' ' : String(set), start, end),
    1,
  );
}

function padder(name: string, atStart: boolean): ScalarFunction {
  return define(
    name,
    ['text', 'integer', 'text'],
    'text',
    ([value, width, fill]) => {
      const text = String(value);
      const filler = [...(fill === undefined ? ' ' : String(fill))];
      const length = pointCount(text);
      const wanted = Math.max(0, count(width));
      checkLength(name, wanted);
      if (length >= wanted) return pointSlice(text, 0, wanted);
      if (filler.length === 0) return text;
      let padding = '';
      for (let i = 0; i < wanted - length; i++) padding += filler[i % filler.length];
      return atStart ? padding + text : text + padding;
    },
    1,
  );
}

function position(text: string, needle: string): number {
  const offset = text.indexOf(needle);
  return offset < 0 ? 0 : pointsBefore(text, offset) + 1;
}

function splitPart(text: string, delimiter: string, field: number): string {
  if (field === 0) throw badArgument('split_part', 'field position must not be zero');
  const parts = delimiter === '' ? [text] : text.split(delimiter);
  return parts[field > 0 ? field - 1 : parts.length + field] ?? '';
}

function translate(text: string, from: string, to: string): string {
  const targets = [...to];
  const map = new Map<string, string>();
  [...from].forEach((character, i) => {
    if (!map.has(character)) map.set(character, targets[i] ?? '');
  });
  return [...text].map((character) => map.get(character) ?? character).join('');
}

/** Values as `concat` writes them: booleans are `t` and `f`. */
function shown(value: Value, type: Type): string {
  return typeof value === 'boolean' && type === 'boolean' ? (value ? 't' : 'f') : toText(value, type);
}

function joinShown(
  values: readonly Value[],
  types: readonly Type[],
  from: number,
  separator: string,
): string {
  const parts: string[] = [];
  for (let i = from; i < values.length; i++) if (values[i] !== null) parts.push(shown(values[i], types[i]));
  return parts.join(separator);
}

const lax = { strict: false };

export const textFunctions: readonly ScalarFunction[] = [
  ofTexts('lower', 1, 'text', (text) => text.toLowerCase()),
  ofTexts('upper', 1, 'text', (text) => text.toUpperCase()),
  ofTexts('initcap', 1, 'text', (text) =>
    text.toLowerCase().replace(/[\p{L}\p{N}]+/gu, (word) => {
      const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
      return first.toUpperCase() + word.slice(first.length);
    }),
  ),
  ...['length', 'char_length', 'character_length'].map((name) => ofTexts(name, 1, 'integer', pointCount)),
  ofTexts('octet_length', 1, 'integer', (text) => Buffer.byteLength(text, 'utf8')),
  ...['substring', 'substr'].map((name) =>
    define(name, ['text', 'integer', 'integer'], 'text', evaluateSubstring, 1),
  ),
  define(
    'overlay',
    ['text', 'text', 'integer', 'integer'],
    'text',
    ([text, part, from, length]) => {
      const start = count(from);
      if (start < 1) throw badArgument('overlay', 'the position must be at least 1');
      const replaced = length === undefined ? pointCount(String(part)) : count(length);
      return (
        substring(String(text), 1, start - 1) +
        String(part) +
        substring(String(text), start + replaced, undefined)
      );
    },
    1,
  ),
  trimmer('btrim', true, true),
  trimmer('ltrim', true, false),
  trimmer('rtrim', false, true),
  ofTexts('replace', 3, 'text', (text, from, to) => {
    if (from === '') return text;
    const parts = text.split(from);
    checkLength('replace', text.length + (parts.length - 1) * (to.length - from.length));
    return parts.join(to);
  }),
  ofTexts('translate', 3, 'text', translate),
  ofTexts('position', 2, 'integer', position),
  ofTexts('strpos', 2, 'integer', position),
  { ...ofTexts('starts_with', 2, 'boolean', (text, prefix) => text.startsWith(prefix)), share: () => 0.1 },
  ofTexts('reverse', 1, 'text', (text) => [...text].reverse().join('')),
  ofTexts('ascii', 1, 'integer', (text) => text.codePointAt(0) ?? 0),
  define('chr', ['integer'], 'text', ([point]) => {
    const code = count(point);
    if (code < 1 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      throw badArgument('chr', `${code} is no character`);
    return String.fromCodePoint(code);
  }),
  define('left', ['text', 'integer'], 'text', ([text, n]) => pointSlice(String(text), 0, count(n))),
  define('right', ['text', 'integer'], 'text', ([text, n]) => {
    const wanted = count(n);
    return wanted === 0 ? '' : pointSlice(String(text), 0 - wanted);
  }),
  padder('lpad', true),
  padder('rpad', false),
  define('repeat', ['text', 'integer'], 'text', ([text, times]) => {
    const n = Math.max(0, count(times));
    checkLength('repeat', n * String(text).length);
    return String(text).repeat(n);
  }),
  define('split_part', ['text', 'text', 'integer'], 'text', ([text, delimiter, field]) =>
    splitPart(String(text), String(delimiter), count(field)),
  ),
  scalar(
    'concat',
    () => 'text',
    (values, types) => joinShown(values, types, 0, ''),
    lax,
  ),
  scalar(
    'concat_ws',
    ([separator]) => (separator === 'text' || separator === 'null' ? 'text' : undefined),
    (values, types) => (values[0] === null ? null : joinShown(values, types, 1, String(values[0]))),
    lax,
  ),
];
