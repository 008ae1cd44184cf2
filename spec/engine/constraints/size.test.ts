/** Sizes of columns: what fits, what is cut, what is rounded. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fit } from '../../../engine/constraints/size.js';
import { roundDecimal } from '../../../engine/value/decimal.js';
import { runs } from '../answers.js';

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(' ', 'a', 'ä', '😀', '\t'), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

describe('the size of a column', () => {
  it('varchar(n): n characters; what is past them must be spaces', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 6 }), (value, length) => {
        const characters = [...value];
        const past = characters.slice(length);
        const expected = past.every((one) => one === ' ') ? characters.slice(0, length).join('') : undefined;
        assert.equal(fit(value, { kind: 'varying', length }), expected);
      }),
      runs(500),
    );
  });

  it('char(n): the same, kept without the spaces at its end', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 6 }), (value, length) => {
        const varying = fit(value, { kind: 'varying', length });
        const expected = typeof varying === 'string' ? varying.replace(/(?<! ) +$/, '') : undefined;
        assert.equal(fit(value, { kind: 'fixed', length }), expected);
      }),
      runs(500),
    );
  });

  it('numeric(p, s): decimals of up to fifteen digits are exact', () => {
    // The decimal is `digits` · 10^-places; the definition is in whole numbers.
    const decimal = fc.record({
      digits: fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
      places: fc.integer({ min: 0, max: 15 }),
      precision: fc.integer({ min: 1, max: 15 }),
      scale: fc.integer({ min: -3, max: 18 }),
    });
    fc.assert(
      fc.property(decimal, ({ digits, places, precision, scale }) => {
        const drop = BigInt(Math.max(0, places - scale));
        const half = drop === 0n ? 0n : 5n * 10n ** (drop - 1n);
        const size = digits < 0n ? -digits : digits;
        const kept = ((size + half) / 10n ** drop) * 10n ** BigInt(Math.max(0, scale - places));
        const expected = Number(`${digits < 0n ? -kept : kept}e${-scale}`) + 0;
        const value = Number(`${digits}e${-places}`);
        const fitted = fit(value, { kind: 'decimal', precision, scale });
        assert.equal(fitted, kept < 10n ** BigInt(precision) ? expected : undefined);
      }),
      runs(2000),
    );
  });

  it('numbers of any magnitude are rounded, and NaN is a numeric while Infinity is none', () => {
    const size = { kind: 'decimal', precision: 5, scale: 2 } as const;
    assert.equal(roundDecimal(1e-7, 2), 0);
    assert.equal(roundDecimal(1e300, 2), 1e300);
    assert.equal(roundDecimal(1.5e21, -21), 2e21);
    assert.equal(roundDecimal(-2.675, 2), -2.68);
    assert.ok(Object.is(roundDecimal(-0.001, 2), 0));
    assert.deepEqual(fit(Number.NaN, size), Number.NaN);
    assert.equal(fit(Number.POSITIVE_INFINITY, size), undefined);
    assert.equal(fit(999.994, size), 999.99);
    assert.equal(fit(999.995, size), undefined);
  });

  it('takes time in proportion to a long text, not to its square', () => {
    const spaces = ' '.repeat(10_000_000);
    assert.equal(fit(`${spaces}x`, { kind: 'fixed', length: 3 }), undefined);
    assert.equal(fit(`a${spaces}`, { kind: 'varying', length: 3 }), 'a  ');
  });
});
