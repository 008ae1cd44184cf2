/**
 * The substring join alone: 1,000 needles against 100,000 texts of 100 code units (10 MB), index built,
 * against the obvious loop; ordinary text, and hostile text in which every gram is a hit.
 *
 *     npx tsx bench/query/contains.ts
 */

import { SubstringIndex } from '../../engine/execute/substring-index.js';
import { Arena, BufferPool } from '../../engine/memory/pool.js';

const letters = 'abcdefghijklmnopqrstuvwxyz     ';

function randomText(length: number, random: () => number): string {
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** A linear congruential generator (Numerical Recipes). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function naive(texts: readonly string[], needles: readonly string[]): number {
  let pairs = 0;
  for (const text of texts) for (const needle of needles) pairs += text.includes(needle) ? 1 : 0;
  return pairs;
}

const random = generator(7);
const texts = Array.from({ length: 100_000 }, () => randomText(100, random));
const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'ordinary',
    texts,
    Array.from({ length: 1000 }, (_, i) =>
      i % 2 ? randomText(8, random) : texts[i * 90].slice(20, 20 + 6 + (i % 9)),
    ),
  ],
  ['short needles', texts.slice(0, 10_000), Array.from({ length: 1000 }, () => randomText(3, random))],
  ['few needles', texts, Array.from({ length: 4 }, () => randomText(8, random))],
  [
    'hostile',
    Array.from({ length: 2000 }, () => 'a'.repeat(100)),
    Array.from({ length: 1000 }, (_, i) => `${'a'.repeat(20 + (i % 60))}b${i}`),
  ],
];
for (const [name, from, needles] of cases) {
  const index = new SubstringIndex(needles, from);
  const times: [number, number][] = [];
  const pairs = new Set<number>();
  // In turns, on the same tenth of the texts, so that the ratio holds on a busy machine; then the whole by
  // the index.
  const tenth = from.slice(0, from.length / 10);
  for (let i = 0; i < 15; i++) {
    const start = performance.now();
    pairs.add(index.pairs(tenth, new Arena(new BufferPool())).rows);
    const middle = performance.now();
    pairs.add(naive(tenth, needles));
    times.push([middle - start, performance.now() - middle]);
  }
  if (pairs.size !== 1) throw new Error(`${name}: the index and the loop differ`);
  const [ours, loop] = [0, 1].map((side) => Math.min(...times.map((pair) => pair[side as 0 | 1])));
  let whole = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    index.pairs(from, new Arena(new BufferPool()));
    whole = Math.min(whole, performance.now() - start);
  }
  process.stdout.write(
    `${name}: ${whole.toFixed(0)} ms for all; on a tenth ${ours.toFixed(1)} ms, loop ${loop.toFixed(1)} ms: ${(loop / ours).toFixed(2)} times as fast\n`,
  );
}
