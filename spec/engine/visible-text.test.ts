/**
 * Properties: (1) the output holds no character of the hidden classes; (2) a reader can decode it: two texts
 * that look the same are the same; (3) ordinary text is unchanged; (4) widths and folds are exact; (5) time
 * is linear.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { displayWidth, pad, shorten, visibleText, wrap } from '../../semiring/message/visible-text.js';
import { runs } from '../runs.js';

const numRuns = runs(500);

/** Written out class by class, not by the property names that the code uses. */
function isHidden(point: number): boolean {
  const between = (from: number, to: number) => point >= from && point <= to;
  return (
    between(0x00, 0x1f) ||
    between(0x7f, 0xa0) ||
    point === 0xad ||
    point === 0x34f ||
    point === 0x61c ||
    between(0x115f, 0x1160) ||
    between(0x17b4, 0x17b5) ||
    between(0x180b, 0x180f) ||
    point === 0x1680 ||
    between(0x2000, 0x200f) ||
    between(0x2028, 0x202f) ||
    between(0x205f, 0x206f) ||
    point === 0x2800 ||
    point === 0x3000 ||
    point === 0x3164 ||
    between(0xd800, 0xf8ff) ||
    between(0xfe00, 0xfe0f) ||
    point === 0xfeff ||
    point === 0xffa0 ||
    between(0xfff0, 0xfffb) ||
    between(0xfffe, 0xffff) ||
    between(0x1d173, 0x1d17a) ||
    between(0xe0000, 0x10ffff)
  );
}

/** Inverse of `visibleText`. */
function decode(visible: string): string {
  return visible.replace(/\\(?:x([0-9a-f]{2})|u\{([0-9a-f]+)\}|([\\nrt]))/g, (_, byte, point, letter) => {
    if (letter !== undefined) return { '\\': '\\', n: '\n', r: '\r', t: '\t' }[letter as 'n'];
    return String.fromCodePoint(Number.parseInt(byte ?? point, 16));
  });
}

/** Any UTF-16, lone surrogates included, with the nasty characters drawn often. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'\\\\xnu{}01b \n\r\t\x1b\x07\x7f\x9b\u00a0\u00ad\u0301\u0338\u20dd\u061c\u115f\u200b\u200d\u200e\u2028\u202e',
      ),
      fc.constantFrom(
        '\u2066',
        '\u2800',
        '\u3000',
        '\u3164',
        '\ufe0f',
        '\ufeff',
        '\ufff9',
        '\ud800',
        '\udc00',
        '\ue000',
      ),
      fc.constantFrom(
        '\u{1f600}',
        '\u{e0041}',
        '\u{e0100}',
        '\u{1d173}',
        '\u{10ffff}',
        '漢',
        'é',
        'א',
        '│',
        '─',
        'a',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('visibleText', () => {
  it('holds no hidden character, and with newlines kept no other than those', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const character of visibleText(text)) {
          assert.ok(!isHidden(character.codePointAt(0)!), JSON.stringify(visibleText(text)));
        }
        for (const character of visibleText(text, { newlines: 'keep' })) {
          assert.ok(character === '\n' || !isHidden(character.codePointAt(0)!));
        }
      }),
      { numRuns },
    );
  });

  it('escapes every hidden code point there is', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      if (!isHidden(point)) continue;
      const visible = visibleText(`a${String.fromCodePoint(point)}`);
      assert.match(visible, /^a\\/, point.toString(16));
    }
  });

  it('can be decoded: texts that look the same are the same', () => {
    fc.assert(
      fc.property(hostile, (text) => assert.equal(decode(visibleText(text)), text)),
      { numRuns },
    );
  });

  it('never starts with a mark, nor piles up more than four', () => {
    fc.assert(
      fc.property(hostile, (text) => assert.doesNotMatch(visibleText(text), /^\p{M}|\p{M}{5}/u)),
      { numRuns },
    );
  });

  it('leaves ordinary text as it is', () => {
    for (const text of [
      '',
      'plain',
      'Grüße, 漢字, שלום, ไม่ได้, हिन्दी, 한국어',
      '€ 12.50 → “ok” 😀',
      '\\d+ \\w \\ ',
    ]) {
      assert.equal(visibleText(text), text);
    }
  });

  it('shows codes as string literals do', () => {
    assert.equal(
      visibleText('a\n\r\tb\x1b[2J\u202e\u{e0041}\ud800'),
      'a\\n\\r\\tb\\x1b[2J\\u{202e}\\u{e0041}\\u{d800}',
    );
    assert.equal(visibleText('a\nb', { newlines: 'keep' }), 'a\nb');
    assert.equal(visibleText('a real \\n, a real \\x1b'), 'a real \\\\n, a real \\\\x1b');
  });

  it('takes linear time on text made of one nasty character', { timeout: 30_000 }, () => {
    for (const bad of ['\x1b', '\\', 'a\u0301', '\u0301', '\ud800', ' ']) {
      assert.ok(visibleText(bad.repeat(1_000_000)).length >= 1_000_000);
    }
  });
});

describe('widths', () => {
  it('counts columns as a terminal does', () => {
    assert.equal(displayWidth('abc'), 3);
    assert.equal(displayWidth('漢字'), 4);
    assert.equal(displayWidth('e\u0301'), 1);
    assert.equal(displayWidth('ｗ😀'), 4);
    assert.equal(pad('漢', 4), '漢  ');
    assert.equal(pad('漢', 5, 'right'), '   漢');
    assert.equal(pad('ab', 5, 'center'), ' ab  ');
    assert.equal(pad('too long', 3), 'too long');
  });

  it('wrap drops nothing, keeps to the width, and starts no line with a mark', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 10, max: 40 }), (text, width) => {
        const visible = visibleText(text);
        const lines = wrap(visible, width);
        assert.equal(lines.join(''), visible);
        for (const line of lines) {
          assert.ok(displayWidth(line) <= width, JSON.stringify(line));
          assert.doesNotMatch(line, /^\p{M}/u);
        }
      }),
      { numRuns },
    );
  });
});

describe('shorten', () => {
  it('gives short text whole and long text with its length and hash', () => {
    assert.equal(shorten('short\n', 20), 'short\\n');
    const long = 'The invoice '.repeat(100);
    const hash = createHash('sha256').update(long).digest('hex').slice(0, 16);
    assert.equal(
      shorten(long, 70, { hash: true }),
      `The invoice The invoice T… (1200 characters, sha256 ${hash}…)`,
    );
    assert.equal(shorten(long, 40), 'The invoice The invoi… (1200 characters)');
    assert.equal(shorten(long, 5), '… (1200 characters)');
  });

  it('is one visible line, at most as wide as asked or as its remark', () => {
    fc.assert(
      fc.property(hostile, fc.nat(60), fc.boolean(), (text, width, hash) => {
        const line = shorten(text, width, { hash });
        for (const character of line) assert.ok(!isHidden(character.codePointAt(0)!));
        const remark = /… \(\d+ characters(, sha256 [0-9a-f]{16}…)?\)$/.exec(line)?.[0] ?? '';
        assert.ok(displayWidth(line) <= Math.max(width, displayWidth(remark)), JSON.stringify(line));
        if (displayWidth(visibleText(text)) <= width) assert.equal(line, visibleText(text));
      }),
      { numRuns },
    );
  });
});
