/**
 * Properties, with two Markdown renderers as oracles: after defusing, every address that a rendered answer
 * links to or loads stands in one stretch that the planner wrote; what was readable still is; trusted answers
 * are unchanged.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { marked } from 'marked';
import { micromark } from 'micromark';
import { gfmAutolinkLiteral, gfmAutolinkLiteralHtml } from 'micromark-extension-gfm-autolink-literal';
import { type AnswerPart, defuse } from '../../../../planner/agent/answer/index.js';
import { bottom, top } from '../../../../semiring/label/label.js';
import { runs } from '../../../runs.js';

const numRuns = runs(1000);

const trusted = (text: string): AnswerPart => ({ text, label: bottom });
const untrusted = (text: string): AnswerPart => ({ text, label: top });

function render(text: string): string[] {
  return [
    marked.parse(text, { async: false, gfm: true }),
    micromark(text, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfmAutolinkLiteral()],
      htmlExtensions: [gfmAutolinkLiteralHtml()],
    }),
  ];
}

/**
 * Every address in a tag of rendered HTML, decoded; mail addresses that the renderer itself linked left out.
 */
function addressesOf(html: string): string[] {
  return [
    ...html.matchAll(
      /<[a-z][^<>]*?\b(?:href|src|srcset|action|data|style|on\w+)\s*=\s*("[^"]*"?|'[^']*'?|[^\s>]+)/gi,
    ),
  ]
    .map(([, value]) => decode(value.replace(/^["']|["']$/g, '')))
    .filter((url) => !/^mailto:[\w.+-]+@[\w.-]+$/.test(url));
}

function decode(text: string): string {
  const entities = text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => {
    return { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }[name as 'lt'];
  });
  try {
    return decodeURIComponent(entities);
  } catch {
    return entities;
  }
}

describe('defuse', () => {
  it('leaves what the planner wrote', () => {
    const text =
      '![a](https://good.com/a.png) <b>x</b> [r][1] https://good.com www.good.com\n\n[1]: https://good.com';
    assert.deepEqual(defuse([trusted(text)]), { text, defused: [] });
    assert.deepEqual(
      defuse([trusted(`${text}\n\n`), untrusted('plain data'), trusted(` ${text}`)]).defused,
      [],
    );
  });

  it('leaves data without links', () => {
    for (const text of [
      'a < b, c: d',
      'see [1], (x)',
      'report.md at 12:30',
      '// comment',
      'a/b//c',
      'bob@x.com',
      '👩‍👩‍👧 ❤️',
      'note: x',
    ]) {
      assert.deepEqual(defuse([untrusted(text)]), { text, defused: [] });
    }
  });

  const examples: [string, AnswerPart[], string][] = [
    ['a bare link', [untrusted('see https://evil.com/x.y?q=1')], 'see https[:]//evil[.]com/x.y?q=1'],
    [
      'an image that would load',
      [untrusted('![x](https://evil.com/p.png)')],
      '![x] (https[:]//evil[.]com/p.png)',
    ],
    ['an image on the own origin', [untrusted('![x](/logout)')], '![x] (/logout)'],
    [
      'a reference-style image',
      [trusted('![x][r]\n\n'), untrusted('[r]: //evil.com')],
      '![x][r]\n\n[r] : [//]evil[.]com',
    ],
    [
      'data in the query of a trusted link',
      [trusted('[a](https://good.com/?q='), untrusted('secret'), trusted(')')],
      '[a] (https[:]//good[.]com/?q=secret)',
    ],
    [
      'data that lengthens a trusted host',
      [trusted('https://good.com'), untrusted('.evil.com')],
      'https[:]//good[.]com[.]evil[.]com',
    ],
    ['data that starts an address', [untrusted('javascript:'), trusted('alert(1)')], 'javascript[:]alert(1)'],
    ['brackets that would make a link', [untrusted('javascript:(alert(1))')], 'javascript[:] (alert(1))'],
    ['an image tag', [untrusted('<img src=x onerror=y>')], '&lt;img src=x onerror=y>'],
    [
      'data that leaves a trusted attribute',
      [trusted('<a title="'), untrusted('" onclick="x'), trusted('">')],
      '&lt;a title="" onclick="x">',
    ],
    [
      'data in a style element',
      [trusted('<style>'), untrusted('a{background:url(x)}'), trusted('</style>')],
      '&lt;style>a{background:url(x)}</style>',
    ],
    ['an autolink', [untrusted('<https://evil.com>')], '&lt;https[:]//evil[.]com>'],
    ['a protocol-relative address', [untrusted('go //evil.com')], 'go [//]evil[.]com'],
    ['www', [untrusted('WWW.evil.com')], 'WWW[.]evil.com'],
    ['a data address', [untrusted('data:text/html,x')], 'data[:]text/html,x'],
    [
      'a link split over parts',
      [untrusted('[a]'), trusted('(x)'), untrusted('h'), trusted('ttps://good.com')],
      '[a] (x)https[:]//good[.]com',
    ],
    [
      'hidden characters',
      [untrusted('a\u202eb\u200bc\u{e0041}\x1b]8;;x\x07')],
      'a\\u{202e}b\\u{200b}c\\u{e0041}\\x1b]8;;x\\x07',
    ],
    ['an open trusted bracket', [trusted('[a]('), untrusted('x'), trusted(')')], '[a] (x)'],
  ];
  for (const [title, parts, expected] of examples) {
    it(`defuses ${title}`, () => {
      const { text, defused } = defuse(parts);
      assert.equal(text, expected);
      assert.ok(defused.length > 0);
    });
  }

  it('says what it defused and where', () => {
    assert.deepEqual(defuse([trusted('a '), untrusted('b ![x](y)')]).defused, [
      { what: 'link', where: { part: 1, offset: 6 } },
    ]);
  });

  // Signs tell the author: the planner writes t and g, data writes 7 and 9.
  const syntax = fc.constantFrom(
    '![',
    '[',
    '](',
    ')',
    ']',
    '][',
    ']: ',
    ':',
    '://',
    '//',
    '<',
    '>',
    '"',
    "'",
    ' ',
    '\n',
    '\n\n',
    '\\',
    '`',
    '(',
    '.',
    '/',
    '<img src=',
    '<a href="',
    '<!--',
    '-->',
    '<style>',
    '\t',
    '|',
    '&colon;',
    '&#58;',
    '=',
    '?',
    '@',
    '*',
    '_',
    '~',
    '\u200b',
    '\r',
    '\0',
  );
  const planner = fc.oneof(
    { weight: 3, arbitrary: syntax },
    fc.constantFrom(
      't',
      'g',
      'https:',
      'www.',
      'http://g.tg/',
      '[t](http://g.tg)',
      '![t](g.tg)',
      '[g]: http://g.tg/g\n',
      '<a href="http://g.tg">',
      '[g]',
      '![g][g]',
    ),
  );
  const data = fc.oneof(
    { weight: 3, arbitrary: syntax },
    fc.constantFrom(
      '7',
      '9',
      'https://9.77/',
      'www.9.77',
      'javascript:9',
      '//9.77',
      '[7](9)',
      '![g](9.77)',
      '[g]: 9',
      '<img src=9>',
      '<tt:7>',
      '9@7.97',
      'mailto:9@7.97',
      '[g]',
    ),
  );
  const part = fc.oneof(
    fc.array(planner, { maxLength: 6 }).map((all) => trusted(all.join(''))),
    fc.array(data, { maxLength: 6 }).map((all) => untrusted(all.join(''))),
  );

  it('leaves no address that data built, under either renderer', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const { text } = defuse(parts);
        for (const html of render(text)) {
          for (const url of addressesOf(html)) {
            assert.doesNotMatch(url, /[79]/, JSON.stringify({ text, html }));
          }
        }
      }),
      { numRuns },
    );
  });

  it('keeps every word, in order', () => {
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const letters = (text: string) =>
      words(text.replace(/\\(?:u\{[0-9a-f]+\}|x[0-9a-f]{2})/g, '').replaceAll('&lt;', '<')).join('');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const before = parts.map(({ text }) => text).join('');
        assert.equal(letters(defuse(parts).text), letters(before));
      }),
      { numRuns },
    );
  });

  it('changes nothing in an answer that is all trusted, and finds nothing twice', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const all = parts.map(({ text }) => trusted(text));
        assert.equal(defuse(all).text, parts.map(({ text }) => text).join(''));
        const once = defuse([untrusted(parts.map(({ text }) => text).join(''))]).text;
        assert.equal(defuse([untrusted(once)]).text, once);
      }),
      { numRuns },
    );
  });

  it('takes linear time', { timeout: 30_000 }, () => {
    for (const bad of [
      '](',
      ']:',
      '<a ',
      '<a b="',
      'a://',
      '//',
      'www.',
      '[',
      '\u200b',
      '<!--',
      '](a "',
      'javascript:',
      '.',
      '/',
    ]) {
      const text = bad.repeat(200_000 / bad.length);
      defuse([trusted(text), untrusted(text), trusted(text)]);
    }
  });
});
