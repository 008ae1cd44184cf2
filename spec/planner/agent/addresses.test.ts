/**
 * What counts as an address: one corpus and one property, held to by permitted flow and by the sink of the
 * answer, so that neither knows a spelling that the other does not.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { defuse } from '../../../planner/agent/answer/index.js';
import { holdsLink } from '../../../planner/agent/decision/links.js';
import { top } from '../../../semiring/label/label.js';
import { runs } from '../../runs.js';

const found = (text: string) => defuse([{ text, label: top }]).defused.some(({ what }) => what === 'address');

const addresses = [
  'https://evil.example/?q=1',
  'see x://y',
  'WWW.evil.example',
  'www\u3002evil.example',
  '//host/x',
  '![a](//host/x)',
  '[a]: //host',
  '<a href=//host/x>',
  '"//host/x"',
  'https:/host',
  'https:\\\\host',
  'https:\\/\\/host',
  'https:/\\host',
  'https:host.example',
  'https\\://host',
  '\\\\host\\share',
  '\\\\evil.example',
  '/\\evil.example/x',
  'https&colon;//host',
  'https&colon;&sol;&sol;host',
  'https&#58;//host',
  'https&#x3a//host',
  'https&amp;#58;//host',
  'https&amp;amp;colon;//host',
  '&#104;ttps:&#x2F;/host',
  'java&Tab;script&colon;alert(1)',
  'java&NewLine;script:alert(1)',
  'https\u200b://host',
  'https:\u2060/\u200b/host',
  'ht\u00adtps:/host',
  'w\u200bww.evil.example',
  'java\u0001script:alert(1)',
  'mailto:eve@evil.example',
  'MAILTO:eve@evil.example?body=x',
  'javascript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'tel:+1',
  'file:///etc/passwd',
  'https：//host',
  'https：／／host',
  'ｈｔｔｐｓ://host',
  '／／host/x',
  'mailto：eve@evil.example',
  'ｊavascript:x',
];

const twins = [
  'evil.example/path',
  'bob@example.org',
  ' ://nothing before it',
  'https: the protocol of the web',
  'mailto: the scheme',
  'note: x, data: y',
  'report.md at 12:30',
  '// comment',
  'a/b//c',
  'C:\\Users\\ann',
  'C:\\\\Users',
  'one \\\\ two',
  '"\\\\d+"',
  '/\\d+/',
  '\\section{x} \\\\ \\hline',
  'R&D; AT&T &amp; co &lt;x&gt; &#64;',
  'ａ：ｂ, 第1章：はじめに',
  'naïve café — “quoted” 👩‍👩‍👧',
  '{"a":"b","c":["d"]}',
  'key:value, std::vector, 10:00/11:00',
  '1/2 and 3 // 4',
  'wwwx',
];

describe('an address', () => {
  for (const text of addresses) {
    it(`${JSON.stringify(text)} is one to permitted flow and to the answer`, () => {
      assert.ok(holdsLink({ deep: [{ [`see ${text}`]: 1 }] }));
      assert.ok(holdsLink(text));
      assert.ok(found(`see ${text}`));
    });
  }

  for (const text of twins) {
    it(`${JSON.stringify(text)} is none`, () => {
      assert.equal(holdsLink(text), false);
      assert.equal(
        defuse([{ text: text.replace('://', ''), label: top }]).defused.length,
        /<|\]\(/.test(text) ? 1 : 0,
      );
    });
  }

  const colon = fc.constantFrom(':', '：', '&colon;', '&#58;', '&#x3A;', '&amp;colon;', '\\:');
  const slash = fc.constantFrom('/', '\\', '／', '&sol;', '&#47;', '&#x2f;', '&bsol;');
  const unseen = fc.constantFrom(
    '',
    '',
    '',
    '\u200b',
    '\u2060',
    '\u00ad',
    '\ufeff',
    '&Tab;',
    '&#8203;',
    '\u{e0020}',
  );
  const letters = (word: string) =>
    fc
      .tuple(
        ...[...word].map((letter) =>
          fc
            .tuple(
              unseen,
              fc.constantFrom(
                letter,
                letter.toUpperCase(),
                String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
                `&#${letter.charCodeAt(0)};`,
              ),
            )
            .map((pair) => pair.join('')),
        ),
      )
      .map((all) => all.join(''));
  const web = fc.tuple(
    fc.constantFrom('http', 'https', 'ftp', 'wss').chain(letters),
    unseen,
    colon,
    unseen,
    fc
      .array(
        fc.tuple(slash, unseen).map((pair) => pair.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => all.join('')),
    fc.constantFrom('h', 'evil.example', 'h/x'),
  );
  const other = fc.tuple(
    fc.constantFrom('javascript', 'mailto', 'tel').chain(letters),
    unseen,
    colon,
    unseen,
    fc.constant('x'),
  );

  it('is found in every spelling', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'a ', '![a](', '"', '\n'), fc.oneof(web, other), (before, pieces) => {
        const text = before + pieces.join('');
        assert.ok(holdsLink(text), JSON.stringify(text));
        assert.ok(found(text), JSON.stringify(text));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('is looked for in linear time', { timeout: 30_000 }, () => {
    for (const bad of [
      '&amp;',
      '&#58',
      '&colon',
      '\\\\a.',
      '\\\\a-',
      '/\\',
      'www',
      ':',
      'https',
      'ms-',
      'data:',
      '\u200b',
      '：',
    ]) {
      holdsLink(bad.repeat(400_000 / bad.length));
    }
  });
});
