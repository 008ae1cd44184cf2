/** Which texts contain which needles. */
import type { Arena } from './pool.js';
import type { Pairs } from './execute/matches.js';

/** Pairs (text, needle) in order of the texts, then of the needles. NULLs meet nothing. */
export function containedPairs(texts: readonly (string | null)[], needles: readonly (string | null)[], arena: Arena): Pairs {
  let left = arena.int32(1024);
  let right = arena.int32(1024);
  let rows = 0;
  for (let t = 0; t < texts.length; t++) {
    const text = texts[t];
    if (text === null) continue;
    for (let k = 0; k < needles.length; k++) {
      const needle = needles[k];
      if (needle === null || !text.includes(needle)) continue;
      if (rows === left.length) left = arena.grow(left);
      if (rows === right.length) right = arena.grow(right);
      left[rows] = t;
      right[rows++] = k;
    }
  }
  return { left, right, rows };
}
