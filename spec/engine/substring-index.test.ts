/** The substring index answers what the obvious loop answers. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { SubstringIndex } from '../../engine/execute/substring-index.js';
import { Arena, BufferPool } from '../../engine/memory/pool.js';
import { runs } from './answers.js';

const text = (most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u{161}', '\u{1f600}', '\0'), maxLength: most });

it('finds the pairs of the nested loop, in its order, also when used twice', () => {
  const texts = fc.array(fc.option(text(30)), { maxLength: 12 });
  const needles = fc.array(fc.option(text(7)), { maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(texts, needles, fc.boolean(), (from, search, sampled) => {
      const expected = from.flatMap((t, i) =>
        search.flatMap((needle, k) => (t?.includes(needle ?? '\u{ffff}') && needle !== null ? [[i, k]] : [])),
      );
      const index = new SubstringIndex(search, sampled ? from : []);
      for (let use = 0; use < 2; use++) {
        const pairs = index.pairs(from, new Arena(new BufferPool()));
        const found = Array.from({ length: pairs.rows }, (_, i) => [pairs.left[i], pairs.right[i]]);
        assert.deepEqual(found, expected);
      }
    }),
    runs(100),
  );
});
