/** Sets of tokens as ranges agree with plain sets, and marks with what a circuit reads. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TokenRanges } from '../../engine/provenance/token-ranges.js';
import { runs } from '../runs.js';

const rangeLists = fc.array(fc.record({ first: fc.nat(40), count: fc.nat(8) }), { maxLength: 12 });

function tokensOf(ranges: Iterable<{ readonly first: number; readonly count: number }>): Set<number> {
  const tokens = new Set<number>();
  for (const { first, count } of ranges) for (let i = 0; i < count; i++) tokens.add(first + i);
  return tokens;
}

describe('ranges of tokens', () => {
  it('are the set of their tokens, in order, and never touch', () => {
    fc.assert(
      fc.property(rangeLists, (list) => {
        const ranges = new TokenRanges(list);
        const tokens = tokensOf(list);
        assert.deepEqual(
          [...tokensOf(ranges)],
          [...tokens].sort((a, b) => a - b),
        );
        assert.equal(ranges.size, tokens.size);
        let end = -1;
        for (const { first, count } of ranges) {
          assert.ok(first > end && count > 0);
          end = first + count;
        }
        for (let token = 0; token < 50; token++) assert.equal(ranges.has(token), tokens.has(token));
      }),
      { numRuns: runs(300) },
    );
  });

  it('cover a range where they have all of it, and differ by what the other has not', () => {
    fc.assert(
      fc.property(rangeLists, rangeLists, fc.nat(45), fc.nat(6), (a, b, first, count) => {
        const [left, right] = [new TokenRanges(a), new TokenRanges(b)];
        const wanted = [...tokensOf([{ first, count }])];
        assert.equal(
          left.covers(first, count),
          wanted.every((token) => tokensOf(a).has(token)),
        );
        const rest = [...tokensOf(left)].filter((token) => !tokensOf(b).has(token));
        assert.deepEqual([...tokensOf(left.without(right))], rest);
      }),
      { numRuns: runs(300) },
    );
  });
});
