/**
 * Regular expressions: the machine finds what the definition says (a pattern is the set of stretches of a
 * text that it fits), and no pattern and no text makes it take long. What patterns mean is held to PostgreSQL
 * by pglite.test.ts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mostSteps, Regexp } from '../../engine/regexp/index.js';
import { type Pattern, parsePattern } from '../../engine/regexp/parse.js';
import { Database } from '../../planner/query/index.js';
import { AssayError } from '../../semiring/message/error.js';
import { runs } from '../runs.js';

/** Where a stretch that the pattern fits may end, if it begins at `from`. Texts are ASCII. */
function ends(pattern: Pattern, text: string, from: number): ReadonlySet<number> {
  const isWord = (at: number) => /\w/.test(text[at] ?? '');
  switch (pattern.kind) {
    case 'empty':
      return new Set([from]);
    case 'test':
      return new Set(from < text.length && pattern.test(text.charCodeAt(from)) ? [from + 1] : []);
    case 'assert': {
      const [before, after] = [from > 0 && isWord(from - 1), isWord(from)];
      const holds = {
        start: from === 0,
        end: from === text.length,
        'word start': !before && after,
        'word end': before && !after,
        'word edge': before !== after,
        'no word edge': before === after,
      };
      return new Set(holds[pattern.assertion] ? [from] : []);
    }
    case 'alternatives':
      return new Set(pattern.parts.flatMap((part) => [...ends(part, text, from)]));
    case 'sequence': {
      let starts: ReadonlySet<number> = new Set([from]);
      for (const part of pattern.parts)
        starts = new Set([...starts].flatMap((at) => [...ends(part, text, at)]));
      return starts;
    }
    case 'repeat': {
      const found = new Set<number>(pattern.least === 0 ? [from] : []);
      let starts = new Set([from]);
      // Past as many turns as there are characters nothing new can come.
      for (let turn = 1; turn <= Math.min(pattern.most, pattern.least + text.length + 1); turn++) {
        starts = new Set([...starts].flatMap((at) => [...ends(pattern.part, text, at)]));
        if (turn >= pattern.least) for (const at of starts) found.add(at);
      }
      return found;
    }
  }
}

const atom = fc.constantFrom(
  'a',
  'b',
  'A',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\d',
  '\\mA',
  '^',
  '$',
  '\\y',
  '(ab|a)',
  '(?:b)',
);
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '*?', '+?', '??', '{0,2}?');
const branch = fc
  .array(fc.tuple(atom, quantifier), { maxLength: 4 })
  .map((parts) => parts.map(([one, many]) => (/^(\^|\$|\\m.|\\y)$/.test(one) ? one : one + many)).join(''));
const patterns = fc.oneof(
  branch,
  fc.tuple(branch, branch).map(([a, b]) => `${a}|${b}`),
  fc.tuple(branch, branch, quantifier).map(([a, b, many]) => `(${a}|${b})${many}${b}`),
);
const texts = fc
  .array(fc.constantFrom('a', 'b', 'A', '1', ' '), { maxLength: 7 })
  .map((list) => list.join(''));

describe('a regular expression', () => {
  it('matches first what begins first, of these the longest or the shortest', () => {
    fc.assert(
      fc.property(patterns, texts, fc.boolean(), (written, text, ignoreCase) => {
        const { pattern, longest } = parsePattern(written, ignoreCase);
        let expected: { readonly start: number; readonly end: number } | undefined;
        for (let start = 0; start <= text.length && !expected; start++) {
          const found = [...ends(pattern, text, start)];
          if (found.length > 0) expected = { start, end: longest ? Math.max(...found) : Math.min(...found) };
        }
        const regexp = new Regexp(written, { ignoreCase });
        assert.deepEqual(regexp.matches(text).next().value, expected);
        assert.equal(regexp.test(text), expected !== undefined);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('that would explode by going back does not', () => {
    const long = 'a'.repeat(50_000);
    for (const pattern of ['(a+)+$', '(a|a)*b', '(a*)*b', '(.*)*x', '^(a?){200}a{200}$'])
      assert.equal(new Regexp(pattern).test(`${long.slice(0, 5_000)}!`), false, pattern);
    assert.equal(new Regexp('(a|aa)+$').test(long), true);
  });

  it('is refused by name when it would take too long, is too large, or cannot be bounded', () => {
    const code = (wanted: string) => (error: unknown) => error instanceof AssayError && error.code === wanted;
    const quadratic = new Regexp('a|a.*b');
    assert.throws(
      () => [...quadratic.matches('a'.repeat(Math.sqrt(mostSteps)))],
      code('engine/regexp-steps'),
    );
    for (const pattern of [
      '(((a{255}){255}){255}){255}',
      '('.repeat(100_000),
      '(a)\\1',
      'a(?=b)',
      '(?<!a)b',
      'a**',
      '*',
      '[a',
      '(',
      'a)',
      'a{2,1}',
      'a{256}',
      '\\q',
      '[[:nothing:]]',
      '[b-a]',
      '***=a',
    ])
      assert.throws(() => new Regexp(pattern), code('engine/regexp'), pattern.slice(0, 40));
  });

  it('takes any text for a pattern, or refuses it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (pattern, text) => {
        try {
          for (const { start, end } of new Regexp(pattern).matches(text)) assert.ok(start <= end);
        } catch (error) {
          assert.ok(error instanceof AssayError, String(error));
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('is called from SQL', async () => {
    const db = new Database();
    const sql = `SELECT 'Straße 12' ~ '\\d+$', 'ABC' ~* 'b', 'ABC' !~ 'b', NULL ~ 'a', regexp_count('a1b22', '\\d'),
      regexp_substr('a1b22', '\\d+', 1, 2), regexp_replace('a1b22', '\\d+', '<\\&>', 'g'), regexp_like('é😀', '^..$')`;
    assert.deepEqual((await db.query(sql)).rows(), [[true, true, true, null, 3, '22', 'a<1>b<22>', true]]);
    await assert.rejects(db.query("SELECT regexp_replace('a', '(a)', '\\1')"), /a group/);
  });
});
