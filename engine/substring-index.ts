/**
 * Which texts contain which needles: a q-gram filter over the needles, one pass over each text. The one thing to
 * know: the filter looks at four code units at a time (at fewer for needles shorter than that) and every hit is
 * verified, so it is exact; a text on which verifying costs more than searching is searched needle by needle, so
 * hostile text makes it no slower than the obvious loop.
 *
 * In the manner of Wu and Manber, A fast algorithm for multi-pattern searching, 1994, without the shift table.
 */
import type { Pairs } from './execute/matches.js';
import type { Arena } from './pool.js';

const bits = 16;
const golden = 0x9e3779b1 | 0;
/** With fewer needles than this of a length, the runtime's own search is faster than a filter. */
const fewNeedles = 8;
/** Verifications a code unit of text, beyond which a text is searched needle by needle. */
const verificationsPerUnit = 0.25;
/** A needle is filed under the least crowded of its first grams. */
const gramsTried = 128;

/** Needles of at least `q` code units, filed by one gram of q units each. */
class GramFilter {
  readonly #q: number;
  readonly #mask: number;
  readonly #needles: readonly string[];
  /** Numbers of the needles within all needles. */
  readonly #numbers: readonly number[];
  readonly #occupied = new Uint8Array(1 << bits);
  readonly #heads = new Int32Array(1 << bits).fill(-1);
  readonly #next: Int32Array;
  /** Where in the needle its gram ends. */
  readonly #ends: Int32Array;
  /** The text in which each needle was last found. */
  readonly #foundIn: Int32Array;

  constructor(q: number, needles: readonly string[], numbers: readonly number[]) {
    this.#q = q;
    this.#mask = q === 4 ? -1 : (1 << (8 * q)) - 1;
    this.#needles = needles;
    this.#numbers = numbers;
    this.#next = new Int32Array(needles.length);
    this.#ends = new Int32Array(needles.length);
    this.#foundIn = new Int32Array(needles.length).fill(-1);
    for (const [k, needle] of needles.entries()) this.#file(k, needle);
  }

  #file(k: number, needle: string): void {
    let window = 0;
    let best = -1;
    let bestEnd = 0;
    for (let i = 0; i < needle.length && i < gramsTried; i++) {
      window = (window << 8) | (needle.charCodeAt(i) & 255);
      if (i < this.#q - 1) continue;
      const slot = Math.imul(window & this.#mask, golden) >>> (32 - bits);
      if (best >= 0 && this.#occupied[slot] >= this.#occupied[best]) continue;
      best = slot;
      bestEnd = i;
    }
    this.#ends[k] = bestEnd;
    this.#next[k] = this.#heads[best];
    this.#heads[best] = k;
    this.#occupied[best] = Math.min(255, this.#occupied[best] + 1);
  }

  /** Adds the numbers of the needles that `text` contains, each once, in no order. */
  search(text: string, textNumber: number, found: number[]): void {
    if (this.#needles.length < fewNeedles) {
      this.#searchEach(text, textNumber, found);
      return;
    }
    const occupied = this.#occupied;
    const mask = this.#mask;
    const first = this.#q - 1;
    const n = text.length;
    let left = verificationsPerUnit * n + 16;
    let window = 0;
    for (let i = 0; i < n; i++) {
      window = (window << 8) | (text.charCodeAt(i) & 255);
      const slot = Math.imul(window & mask, golden) >>> (32 - bits);
      if (occupied[slot] === 0 || i < first) continue;
      left -= this.#verify(text, textNumber, i, slot, found);
      if (left < 0) {
        this.#searchEach(text, textNumber, found);
        return;
      }
    }
  }

  /** @returns what it cost */
  #verify(text: string, textNumber: number, end: number, slot: number, found: number[]): number {
    let cost = 0;
    for (let k = this.#heads[slot]; k >= 0; k = this.#next[k]) {
      cost++;
      if (this.#foundIn[k] === textNumber) continue;
      const needle = this.#needles[k];
      const start = end - this.#ends[k];
      if (start < 0 || !text.startsWith(needle, start)) {
        cost += needle.length >> 4;
        continue;
      }
      this.#foundIn[k] = textNumber;
      found.push(this.#numbers[k]);
    }
    return cost;
  }

  #searchEach(text: string, textNumber: number, found: number[]): void {
    const needles = this.#needles;
    for (let k = 0; k < needles.length; k++) {
      if (!text.includes(needles[k]) || this.#foundIn[k] === textNumber) continue;
      this.#foundIn[k] = textNumber;
      found.push(this.#numbers[k]);
    }
  }
}

/** An index over needles; NULL needles are in no text, the empty needle is in every text. */
export class SubstringIndex {
  /** Rows of each different needle, in order. */
  readonly #rows: readonly (readonly number[])[];
  readonly #filters: readonly GramFilter[];
  readonly #empty: number | undefined;
  /** Texts searched so far, in all calls: the number of a text. */
  #searched = 0;

  constructor(needles: readonly (string | null)[]) {
    const known = new Map<string, number[]>();
    for (const [row, needle] of needles.entries()) {
      if (needle === null) continue;
      const rows = known.get(needle);
      if (rows === undefined) known.set(needle, [row]);
      else rows.push(row);
    }
    const distinct = [...known.keys()];
    this.#rows = [...known.values()];
    this.#empty = distinct.includes('') ? distinct.indexOf('') : undefined;
    this.#filters = [1, 2, 3, 4].flatMap((q) => {
      const numbers = [...distinct.keys()].filter((k) => Math.min(4, distinct[k].length) === q);
      return numbers.length === 0
        ? []
        : [
            new GramFilter(
              q,
              numbers.map((k) => distinct[k]),
              numbers,
            ),
          ];
    });
  }

  /** Pairs (text, needle row), in order of the texts, then of the needles. NULL contains nothing. */
  pairs(texts: readonly (string | null)[], arena: Arena): Pairs {
    let left = arena.int32(1024);
    let right = arena.int32(1024);
    let rows = 0;
    const found: number[] = [];
    for (let t = 0; t < texts.length; t++) {
      const text = texts[t];
      if (text === null) continue;
      found.length = 0;
      const number = this.#searched++;
      for (const filter of this.#filters) filter.search(text, number, found);
      if (this.#empty !== undefined) found.push(this.#empty);
      if (found.length === 0) continue;
      const matches = found.flatMap((k) => this.#rows[k]);
      if (matches.length > 1) matches.sort((a, b) => a - b);
      for (const row of matches) {
        if (rows === left.length) left = arena.grow(left);
        if (rows === right.length) right = arena.grow(right);
        left[rows] = t;
        right[rows++] = row;
      }
    }
    return { left, right, rows };
  }
}
