/** A set of tokens as ranges. Ranges are in order and never touch, so neighbours cost nothing. */
import type { Token } from './token.js';

export interface TokenRange {
  readonly first: Token;
  readonly count: number;
}

export class TokenRanges {
  /** `#bounds[2i]` … `#bounds[2i + 1] - 1` is the range number i. */
  readonly #bounds: Token[] = [];
  #size = 0;

  constructor(ranges: Iterable<TokenRange> = []) {
    for (const { first, count } of ranges) this.add(first, count);
  }

  /** How many tokens there are. */
  get size(): number {
    return this.#size;
  }

  /** Adds the tokens `first` … `first + count - 1`; some may be there already. */
  add(first: Token, count: number): void {
    if (count <= 0) return;
    // The ranges `from` … `to - 1` overlap the new one or touch it.
    const from = this.#firstEnding(first);
    let to = from;
    let [start, end] = [first, first + count];
    while (2 * to < this.#bounds.length && this.#bounds[2 * to] <= end) {
      start = Math.min(start, this.#bounds[2 * to]);
      end = Math.max(end, this.#bounds[2 * to + 1]);
      this.#size -= this.#bounds[2 * to + 1] - this.#bounds[2 * to];
      to += 1;
    }
    this.#bounds.splice(2 * from, 2 * (to - from), start, end);
    this.#size += end - start;
  }

  has(token: Token): boolean {
    const range = this.#firstEnding(token + 1);
    return 2 * range < this.#bounds.length && this.#bounds[2 * range] <= token;
  }

  /** Whether all of `first` … `first + count - 1` are in it. */
  covers(first: Token, count: number): boolean {
    if (count <= 0) return true;
    const range = this.#firstEnding(first + 1);
    return (
      2 * range < this.#bounds.length &&
      this.#bounds[2 * range] <= first &&
      this.#bounds[2 * range + 1] >= first + count
    );
  }

  /** Those of this set that are not in the other. */
  without(other: TokenRanges): TokenRanges {
    const rest = new TokenRanges();
    for (const { first, count } of this) {
      let at = first;
      for (const cut of other.#from(first)) {
        if (cut.first >= first + count) break;
        rest.add(at, cut.first - at);
        at = cut.first + cut.count;
      }
      rest.add(at, first + count - at);
    }
    return rest;
  }

  *[Symbol.iterator](): Generator<TokenRange> {
    yield* this.#from(0);
  }

  *#from(token: Token): Generator<TokenRange> {
    for (let i = 2 * this.#firstEnding(token + 1); i < this.#bounds.length; i += 2)
      yield { first: this.#bounds[i], count: this.#bounds[i + 1] - this.#bounds[i] };
  }

  /** Number of the first range whose end is not below `token`. */
  #firstEnding(token: Token): number {
    let low = 0;
    let high = this.#bounds.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#bounds[2 * middle + 1] < token) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
