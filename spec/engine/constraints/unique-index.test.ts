/** The index of keys holds just the keys that were added and not removed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { UniqueIndex } from '../../../engine/constraints/unique-index.js';
import type { Value } from '../../../engine/value/value.js';
import { runs } from '../answers.js';

/** Values that could be mistaken for one another when they are written next to each other. */
const value: fc.Arbitrary<Value> = fc.constantFrom<Value>(
  null,
  1,
  -0,
  0,
  Number.NaN,
  2n ** 60n,
  2 ** 60,
  true,
  '1',
  "'1",
  'true',
  'null',
  '',
  '1:1',
  '\0i0',
  '\0j{}',
  { months: 1, days: 0, milliseconds: 0 },
  { months: 0, days: 30, milliseconds: 0 },
  { a: 1, b: [2] },
  { b: [2], a: 1 },
);

/** Equal as SQL has it, by definition. */
function equal(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  if (typeof a === 'object' && typeof b === 'object') return meaning(a) === meaning(b);
  if (typeof a === 'number' && typeof b === 'bigint') return equal(b, a);
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a double are compared by value
  if (typeof a === 'bigint' && typeof b === 'number') return a == BigInt(Number.isFinite(b) ? b : 0);
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function meaning(value: object): string {
  if ('months' in value) return 'a month';
  return JSON.stringify(Object.entries(value).sort());
}

describe('an index of keys', () => {
  it('takes in a key once', () => {
    const step = fc.record({ row: fc.tuple(value, value, value), removed: fc.boolean() });
    const columns = fc.shuffledSubarray([0, 1, 2], { minLength: 1 });
    fc.assert(
      fc.property(columns, fc.boolean(), fc.array(step, { maxLength: 30 }), (key, nullsDistinct, steps) => {
        const index = new UniqueIndex({ columns: key, nullsDistinct });
        let rows: (readonly Value[])[] = [];
        for (const { row, removed } of steps) {
          const keyless = nullsDistinct && key.some((c) => row[c] === null);
          const same = (other: readonly Value[]) => key.every((c) => equal(row[c], other[c]));
          const there = rows.some(same);
          assert.equal(index.has(row, key), !keyless && there);
          assert.equal(index.add(row), keyless || !there);
          if (keyless) continue;
          rows = [...rows.filter((other) => !same(other)), ...(removed ? [] : [row])];
          if (removed) index.remove(row);
        }
      }),
      runs(400),
    );
  });

  it('looks a key up by other columns, in its own order', () => {
    const index = new UniqueIndex({ columns: [2, 0], nullsDistinct: true });
    index.add(['a', 'b', 'c']);
    assert.equal(index.has(['c', 'a'], [0, 1]), true);
    assert.equal(index.has(['a', 'c'], [0, 1]), false);
  });
});
