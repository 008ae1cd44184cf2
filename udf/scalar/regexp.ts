/**
 * Functions of regular expressions, as PostgreSQL has them. Groups are not remembered, which would take going
 * back in the text; a replacement may have the whole match (`\&`), not a group (`\1`).
 */
import type { ScalarFunction } from '../../engine/plan/expression.js';
import { type Match, Regexp } from '../../engine/regexp/index.js';
import type { Value } from '../../engine/value/value.js';
import { badArgument, define } from './define.js';

/**
 * The flags of the call: `g` all matches, `i` without regard to case, `c` with; the later of these two wins.
 */
function flagsOf(name: string, written: Value | undefined, global: boolean) {
  const flags = { all: false, ignoreCase: false };
  for (const flag of written === undefined ? '' : String(written)) {
    if (flag === 'i' || flag === 'c') flags.ignoreCase = flag === 'i';
    else if (flag === 'g' && global) flags.all = true;
    else
      throw badArgument(
        name,
        `the option "${flag.slice(0, 8)}" is not supported: c, i${global ? ', g' : ''} are`,
      );
  }
  return flags;
}

/** The UTF-16 offset of a position that counts code points from 1; past the end where the text is shorter. */
function offsetOf(name: string, text: string, position: Value | undefined): number {
  const wanted = position === undefined ? 1 : Number(position);
  if (wanted < 1) throw badArgument(name, `the start must be 1 or more, not ${wanted}`);
  let offset = 0;
  for (let i = 1; i < wanted && offset <= text.length; i++)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

function likeRegexp([text, pattern, flags]: readonly Value[]): boolean {
  return new Regexp(String(pattern), flagsOf('regexp_like', flags, false)).test(String(text));
}

function countMatches([text, pattern, start, flags]: readonly Value[]): number {
  const regexp = new Regexp(String(pattern), flagsOf('regexp_count', flags, false));
  let count = 0;
  for (const _ of regexp.matches(String(text), offsetOf('regexp_count', String(text), start))) count += 1;
  return count;
}

function nthMatch([given, pattern, start, nth, flags]: readonly Value[]): string | null {
  const text = String(given);
  const wanted = nth === undefined ? 1 : Number(nth);
  if (wanted < 1) throw badArgument('regexp_substr', `which match must be 1 or more, not ${wanted}`);
  const regexp = new Regexp(String(pattern), flagsOf('regexp_substr', flags, false));
  let count = 0;
  for (const match of regexp.matches(text, offsetOf('regexp_substr', text, start)))
    if (++count === wanted) return text.slice(match.start, match.end);
  return null;
}

/** Longer results are refused: a short pattern could otherwise ask for more memory than there is. */
const longestResult = 1 << 26;

function replaceMatches([given, pattern, replacement, flags]: readonly Value[]): string {
  const text = String(given);
  const { all, ...options } = flagsOf('regexp_replace', flags, true);
  const put = replacer(String(replacement));
  let result = '';
  let end = 0;
  for (const match of new Regexp(String(pattern), options).matches(text)) {
    result += text.slice(end, match.start) + put(text, match);
    end = match.end;
    if (result.length > longestResult)
      throw badArgument('regexp_replace', `the result would be longer than ${longestResult} characters`);
    if (!all) break;
  }
  return result + text.slice(end);
}

/** What takes a match's place: `\&` is the match, `\\` a backslash. */
function replacer(written: string): (text: string, match: Match) => string {
  const parts = written.split(/(\\[&\\1-9])/);
  if (parts.some((part, i) => i % 2 === 1 && /\d/.test(part)))
    throw badArgument(
      'regexp_replace',
      'a group (\\1) in the replacement is not supported: \\& is the whole match',
    );
  return (text, match) =>
    parts
      .map((part, i) => (i % 2 === 0 ? part : part === '\\&' ? text.slice(match.start, match.end) : '\\'))
      .join('');
}

export const regexpFunctions: readonly ScalarFunction[] = [
  define('regexp_like', ['text', 'text', 'text'], 'boolean', likeRegexp, 1),
  define('regexp_count', ['text', 'text', 'integer', 'text'], 'integer', countMatches, 2),
  define('regexp_substr', ['text', 'text', 'integer', 'integer', 'text'], 'text', nthMatch, 3),
  define('regexp_replace', ['text', 'text', 'text', 'text'], 'text', replaceMatches, 1),
];
