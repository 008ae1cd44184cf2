/** Packed indexes and selections are the index vectors that they stand for. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Selection } from '../../engine/frame/selection.js';
import { flatIndex, indexAt, indexBytes, PackedIndex } from '../../engine/memory/packed-index.js';
import { Arena } from '../../engine/memory/pool.js';
import { runs } from './answers.js';
import { PoisonedPool } from './poisoned-pool.js';

const arena = (): Arena => new Arena(new PoisonedPool());

describe('a packed index', () => {
  const entries = fc
    .integer({ min: 0, max: 30 })
    .chain((bits) => fc.array(fc.integer({ min: -1, max: 2 ** bits - 1 }), { maxLength: 200 }));

  it('has the entries that were packed, row by row and all at once', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const packed = PackedIndex.of(Int32Array.from(list), list.length, arena());
        assert.deepEqual(Array.from(flatIndex(packed)), list);
        assert.deepEqual(
          list.map((_, row) => indexAt(packed, row)),
          list,
        );
      }),
      runs(500),
    );
  });

  it('takes the bits of its largest entry, with one value for "no row"', () => {
    const index = Int32Array.from({ length: 3200 }, (_, i) => i % 7);
    const packed = PackedIndex.of(index, 3200, arena());
    assert.equal(packed.bits, 3);
    assert.equal(indexBytes(packed, 3200), (3200 * 3) / 8);
    assert.equal(indexBytes(index, 3200), 12_800);
  });
});

describe('a selection', () => {
  /** Index vectors, each over the rows of the one before. */
  const chains = fc
    .tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
    )
    .map(([base, seeds, nullable]) => {
      let rows = base;
      return seeds.map((seed) => {
        const below = rows;
        rows = seed.length;
        return seed.map((n) => (nullable && n % 5 === 0 ? -1 : n % below));
      });
    });

  it('is the composition of its chain, in whichever order the links are read', () => {
    fc.assert(
      fc.property(chains, fc.infiniteStream(fc.nat()), (chain, order) => {
        const own = arena();
        const selections: Selection[] = [];
        for (const index of chain)
          selections.push(
            new Selection(own, selections.at(-1) ?? null, Int32Array.from(index), index.length, true),
          );
        const expected = chain.reduce<number[][]>((all, index) => {
          const below = all.at(-1);
          all.push(index.map((i) => (i < 0 || below === undefined ? i : below[i])));
          return all;
        }, []);
        for (let k = 0; k < 3; k++) {
          const at = order.next().value % chain.length;
          const resolved = Array.from(selections[at].resolve().subarray(0, chain[at].length));
          assert.deepEqual(resolved, expected[at]);
        }
        for (const [at, selection] of selections.entries())
          assert.deepEqual(Array.from(selection.resolve().subarray(0, chain[at].length)), expected[at]);
      }),
      runs(500),
    );
  });
});
