/**
 * Which texts contain which needles: a q-gram filter over the needles, one pass over each text. The filter
 * looks at four code units at a time (at fewer for needles shorter than that) and every hit is verified, so
 * it is exact. It is never slower than the obvious loop: a needle is filed under a gram that is rare in a
 * sample of the texts, a text on which verifying costs more than searching is searched needle by needle, and
 * a handful of needles is searched for one by one from the start.
 *
 * In the manner of Wu and Manber, A fast algorithm for multi-pattern searching, 1994, without the shift
 * table.
 */

import type { Arena } from '../memory/pool.js';
import type { Pairs } from './join/matches.js';

const bits = 16;
const golden = 0x9e3779b1 | 0;
/** With fewer needles than this, the runtime's own search is faster than a filter. */
const fewNeedles = 16;
/** Verifications a code unit of text, beyond which a text is searched needle by needle. */
const verificationsPerUnit = 0.25;
/** A needle is filed under one of its first grams: the rarest in the sample, of these the least crowded. */
const gramsTried = 128;
const sampledTexts = 64;
const sampledUnits = 256;

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

  /** @param sample texts of the kind that will be searched */
  constructor(q: number, needles: readonly string[], numbers: readonly number[], sample: readonly string[]) {
    this.#q = q;
    this.#mask = q === 4 ? -1 : (1 << (8 * q)) - 1;
    this.#needles = needles;
    this.#numbers = numbers;
    this.#next = new Int32Array(needles.length);
    this.#ends = new Int32Array(needles.length);
    this.#foundIn = new Int32Array(needles.length).fill(-1);
    const frequency = new Uint32Array(1 << bits);
    for (const text of sample) {
      this.#grams(text, sampledUnits, (slot) => {
        frequency[slot]++;
      });
    }
    for (const [k, needle] of needles.entries()) this.#file(k, needle, frequency);
  }

  /** The slots of a text's first grams, with where they end. */
  #grams(text: string, limit: number, visit: (slot: number, end: number) => void): void {
    let window = 0;
    for (let i = 0; i < text.length && i < limit; i++) {
      window = (window << 8) | (text.charCodeAt(i) & 255);
      if (i >= this.#q - 1) visit(Math.imul(window & this.#mask, golden) >>> (32 - bits), i);
    }
  }

  #file(k: number, needle: string, frequency: Uint32Array): void {
    const occupied = this.#occupied;
    let best = -1;
    let bestEnd = 0;
    this.#grams(needle, gramsTried, (slot, end) => {
      const better =
        best < 0 ||
        frequency[slot] < frequency[best] ||
        (frequency[slot] === frequency[best] && occupied[slot] < occupied[best]);
      if (!better) return;
      best = slot;
      bestEnd = end;
    });
    this.#ends[k] = bestEnd;
    this.#next[k] = this.#heads[best];
    this.#heads[best] = k;
    this.#occupied[best] = Math.min(255, this.#occupied[best] + 1);
  }

  /** Adds the numbers of the needles that `text` contains, each once, in no order. */
  search(text: string, textNumber: number, found: number[]): void {
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
  /** The different needles, and the rows of each, in order. */
  readonly #needles: readonly string[];
  readonly #rows: readonly (readonly number[])[];
  readonly #filters: readonly GramFilter[];
  readonly #empty: number | undefined;
  /** Texts searched so far, in all calls: the number of a text. */
  #searched = 0;

  /** @param texts of the kind that will be searched, to learn from which grams are rare; any will do */
  constructor(needles: readonly (string | null)[], texts: readonly (string | null)[] = []) {
    const known = new Map<string, number[]>();
    for (const [row, needle] of needles.entries()) {
      if (needle === null) continue;
      const rows = known.get(needle);
      if (rows === undefined) known.set(needle, [row]);
      else rows.push(row);
    }
    const distinct = [...known.keys()];
    this.#needles = distinct;
    this.#rows = [...known.values()];
    this.#empty = distinct.includes('') ? distinct.indexOf('') : undefined;
    const sample = distinct.length < fewNeedles ? [] : sampleOf(texts);
    this.#filters = [1, 2, 3, 4].flatMap((q) => {
      const numbers = [...distinct.keys()].filter((k) => Math.min(4, distinct[k].length) === q);
      if (numbers.length === 0 || distinct.length < fewNeedles) return [];
      const chosen = numbers.map((k) => distinct[k]);
      return [new GramFilter(q, chosen, numbers, sample)];
    });
  }

  /** Pairs (text, needle row), in order of the texts, then of the needles. NULL contains nothing. */
  pairs(texts: readonly (string | null)[], arena: Arena): Pairs {
    return this.#needles.length < fewNeedles ? this.#oneByOne(texts, arena) : this.#filtered(texts, arena);
  }

  #filtered(texts: readonly (string | null)[], arena: Arena): Pairs {
    const sink = new PairSink(this.#rows, arena);
    const found: number[] = [];
    for (let t = 0; t < texts.length; t++) {
      const text = texts[t];
      if (text === null) continue;
      const number = this.#searched++;
      for (const filter of this.#filters) filter.search(text, number, found);
      if (this.#empty !== undefined) found.push(this.#empty);
      if (found.length > 0) sink.add(t, found);
    }
    return sink.pairs();
  }

  /** The obvious loop. */
  #oneByOne(texts: readonly (string | null)[], arena: Arena): Pairs {
    const sink = new PairSink(this.#rows, arena);
    const needles = this.#needles;
    const found: number[] = [];
    for (let t = 0; t < texts.length; t++) {
      const text = texts[t];
      if (text === null) continue;
      for (let k = 0; k < needles.length; k++) if (text.includes(needles[k])) found.push(k);
      if (found.length > 0) sink.add(t, found);
    }
    return sink.pairs();
  }
}

/** Collects pairs in order. */
class PairSink {
  readonly #rowsOf: readonly (readonly number[])[];
  readonly #arena: Arena;
  #left: Int32Array;
  #right: Int32Array;
  #rows = 0;

  constructor(rowsOf: readonly (readonly number[])[], arena: Arena) {
    this.#rowsOf = rowsOf;
    this.#arena = arena;
    this.#left = arena.int32(1024);
    this.#right = arena.int32(1024);
  }

  /** @param found numbers of needles, in any order; empty afterwards */
  add(text: number, found: number[]): void {
    const matches = found.flatMap((k) => this.#rowsOf[k]);
    found.length = 0;
    if (matches.length > 1) matches.sort((a, b) => a - b);
    for (const row of matches) {
      if (this.#rows === this.#left.length) {
        this.#left = this.#arena.grow(this.#left);
        this.#right = this.#arena.grow(this.#right);
      }
      this.#left[this.#rows] = text;
      this.#right[this.#rows++] = row;
    }
  }

  pairs(): Pairs {
    return { left: this.#left, right: this.#right, rows: this.#rows };
  }
}

function sampleOf(texts: readonly (string | null)[]): string[] {
  const step = Math.max(1, Math.floor(texts.length / sampledTexts));
  const sample: string[] = [];
  for (let t = 0; t < texts.length; t += step) sample.push(texts[t] ?? '');
  return sample;
}
