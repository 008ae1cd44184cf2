/**
 * Which tokens of dropped tables something still refers to. This marks, it forgets nothing; only tokens of
 * dropped tables are ever in doubt, every other token is live.
 */
import { childrenOf, type Node } from '../provenance/circuit.js';
import type { Token } from '../provenance/token.js';
import { TokenRanges } from '../provenance/token-ranges.js';
import type { Table } from './table.js';

export class LiveTokens {
  readonly #doubtful: readonly { readonly first: Token; readonly marks: Uint8Array }[];
  readonly #seen = new Set<Node>();
  #listed = 0;

  /** @param doubtful tokens of dropped tables @param tables those that are left */
  constructor(doubtful: TokenRanges, tables: Iterable<Table>) {
    this.#doubtful = [...doubtful].map(({ first, count }) => ({ first, marks: new Uint8Array(count) }));
    if (this.#doubtful.length === 0) return;
    for (const table of tables) for (const node of table.tokenNodes()) this.markIn(node);
  }

  has(token: Token): boolean {
    const range = this.#doubtful[this.#firstEndingAfter(token)];
    return range === undefined || token < range.first || range.marks[token - range.first] === 1;
  }

  /** Whether one of `first` … `first + count - 1` is live. */
  hasAny(first: Token, count: number): boolean {
    let at = first;
    for (let i = this.#firstEndingAfter(first); at < first + count; i++) {
      const range = this.#doubtful[i];
      if (range === undefined || at < range.first) return true;
      const end = Math.min(first + count, range.first + range.marks.length);
      for (; at < end; at++) if (range.marks[at - range.first] === 1) return true;
    }
    return false;
  }

  /** Every token that the circuit reads is live. */
  markIn(root: Node): void {
    if (this.#doubtful.length === 0) return;
    const stack = [root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (this.#seen.has(node)) continue;
      this.#seen.add(node);
      if (node.kind === 'range') this.#markRange(node.first, node.rows);
      else if (node.kind === 'tokens') {
        this.#listed += node.rows;
        for (let i = 0; i < node.rows; i++) this.#markRange(node.tokens[i], 1);
      } else for (const child of childrenOf(node)) stack.push(child);
    }
  }

  /** How many nodes, and tokens in lists, were looked at. */
  get visited(): number {
    return this.#seen.size + this.#listed;
  }

  /** The tokens that nothing refers to. */
  dead(): TokenRanges {
    const dead = new TokenRanges();
    for (const { first, marks } of this.#doubtful) {
      for (let i = 0; i < marks.length; ) {
        const start = i;
        while (i < marks.length && marks[i] === 0) i++;
        dead.add(first + start, i - start);
        while (i < marks.length && marks[i] === 1) i++;
      }
    }
    return dead;
  }

  #markRange(first: Token, count: number): void {
    const end = first + count;
    for (let i = this.#firstEndingAfter(first); i < this.#doubtful.length; i++) {
      const { first: start, marks } = this.#doubtful[i];
      if (start >= end) return;
      marks.fill(1, Math.max(0, first - start), end - start);
    }
  }

  #firstEndingAfter(token: Token): number {
    let low = 0;
    let high = this.#doubtful.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { first, marks } = this.#doubtful[middle];
      if (first + marks.length <= token) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
