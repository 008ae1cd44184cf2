/**
 * Tokens: the indeterminates X of N[X]. The one thing to know: a token is a small integer from creation to
 * evaluation; its name exists only where a person reads or writes.
 */
export type Token = number;

/** Issues tokens and names them. One per database; two databases share nothing. */
export class Tokens {
  #next = 0;
  /** Ranges in order of `first`; a lookup is a binary search. */
  readonly #ranges: {
    readonly first: Token;
    readonly count: number;
    readonly name: (offset: number) => string;
  }[] = [];
  readonly #named = new Map<string, Token>();
  readonly #names = new Map<Token, string>();

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
