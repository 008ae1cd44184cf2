/** What a tool answered: a plain copy, or a failure in fixed words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainResult } from '../../udf/tool-result.js';

test('a result becomes JSON: a copy, dates as text, undefined left out, own keys kept', () => {
  const hostile = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}');
  const given = { when: new Date(0), none: undefined, list: [undefined, 1, -0], hostile };
  const plain = plainResult(given);
  const expected = { when: '1970-01-01T00:00:00.000Z', list: [null, 1, 0], hostile };
  assert.deepEqual(plain, expected);
  given.list.push(2);
  assert.deepEqual(plain, expected);
  assert.equal(plainResult(undefined), null);
  class Row {
    readonly id = 7;
  }
  assert.deepEqual(plainResult(new Row()), { id: 7 });
});

test('what is no JSON is refused, without a word of it', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const bad = [
    1n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    () => 1,
    Symbol('s'),
    new Map(),
    new Set(),
    /x/,
    cyclic,
  ];
  for (const value of [...bad, new Uint8Array(2), new Error('secret')]) {
    assert.throws(
      () => plainResult({ secret: value }),
      (error) =>
        error instanceof Error &&
        /^The tool's result is not JSON: /.test(error.message) &&
        !error.message.includes('secret'),
    );
  }
});
