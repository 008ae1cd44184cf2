/**
 * Tokens: the indeterminates X of N[X]. The one thing to know: a token is a small integer from creation to
 * evaluation; its name exists only where a person reads or writes.
 */
import { describeValue } from '../../semiring/message/describe-value.js';
import { AssayError } from '../../semiring/message/error.js';
import { TokenRanges } from './token-ranges.js';

export type Token = number;

/** Issues tokens and names them. One per database; two databases share nothing. */
export class Tokens {
  #next = 0;
  /** Ranges in order of `first`; a lookup is a binary search. */
  #ranges: {
    readonly first: Token;
    readonly count: number;
    readonly name: (offset: number) => string;
  }[] = [];
  readonly #named = new Map<string, Token>();
  readonly #names = new Map<Token, string>();
  #dropped = new TokenRanges();
  #collected = new TokenRanges();
  readonly #retired = new TokenRanges();

  /** How many have been issued: tokens are 0 … count-1. */
  get count(): number {
    return this.#next;
  }

  /**
   * Issues `count` consecutive tokens and returns the first.
   * @param name the default name of the token at `offset` in this range
   */
  issue(count: number, name: (offset: number) => string): Token {
    const first = this.#next;
    if (count > 0) this.#ranges.push({ first, count, name });
    this.#next += count;
    return first;
  }

  /** Gives a token a name of its own, which must be free. */
  rename(token: Token, name: string): void {
    this.#names.set(token, name);
    this.#named.set(name, token);
  }

  /** Tokens that were given a name of their own. */
  get renamed(): Iterable<Token> {
    return this.#names.keys();
  }

  /**
   * @param place where the token stands, as the beginning of a message
   * @throws AssayError `engine/unknown-token` for what this database has not issued
   */
  checkIssued(token: Token, place = ''): void {
    const isIssued = Number.isInteger(token) && token >= 0 && token < this.#next;
    if (isIssued && !this.#retired.has(token)) return;
    if (isIssued) {
      throw new AssayError(
        'engine/unknown-token',
        `${place === '' ? '' : `${place}: `}token ${token} is of a table that was dropped, and nothing refers to it any more`,
      );
    }
    const issued = this.#next === 0 ? 'none has been issued yet' : `issued are 0 to ${this.#next - 1}`;
    throw new AssayError(
      'engine/unknown-token',
      `${place === '' ? '' : `${place}: `}${describeValue(token)} is no token of this database: ${issued}`,
    );
  }

  /** Tokens of tables that were dropped, but for retired ones: something may still refer to them. */
  get dropped(): TokenRanges {
    return this.#dropped;
  }

  /** Those of `dropped` to whose table nothing in memory refers any more. */
  get collected(): TokenRanges {
    return this.#collected;
  }

  /** Tokens that are none any more. Their numbers are not issued again. */
  get retired(): TokenRanges {
    return this.#retired;
  }

  drop(tokens: TokenRanges): void {
    for (const { first, count } of tokens) this.#dropped.add(first, count);
  }

  collect(tokens: TokenRanges): void {
    for (const { first, count } of tokens) this.#collected.add(first, count);
  }

  /** Forgets tokens that nothing refers to. */
  retire(tokens: TokenRanges): void {
    if (tokens.size === 0) return;
    this.#dropped = this.#dropped.without(tokens);
    this.#collected = this.#collected.without(tokens);
    for (const { first, count } of tokens) this.#retired.add(first, count);
    this.#ranges = this.#ranges.filter(({ first, count }) => !this.#retired.covers(first, count));
    for (const [token, name] of this.#names) {
      if (!tokens.has(token)) continue;
      this.#names.delete(token);
      if (this.#named.get(name) === token) this.#named.delete(name);
    }
  }

  /** Issues tokens that are retired from the beginning: a file has none of their number. */
  skip(count: number): void {
    this.#retired.add(this.#next, count);
    this.#next += count;
  }

  nameOf(token: Token): string {
    const own = this.#names.get(token);
    if (own !== undefined) return own;
    let low = 0;
    let high = this.#ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = this.#ranges[middle];
      if (token < range.first) high = middle - 1;
      else if (token >= range.first + range.count) low = middle + 1;
      else return range.name(token - range.first);
    }
    return `x${token}`;
  }
}
