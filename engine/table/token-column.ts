/** The tokens of a table's rows, or of a column's cells: a range while they are consecutive, a list after. */
import { type Node, one, range, tokenList } from '../provenance/circuit.js';
import type { Token } from '../provenance/token.js';

export class TokenColumn {
  #first: Token = 0;
  #length = 0;
  #list: Int32Array | null = null;

  get length(): number {
    return this.#length;
  }

  at(row: number): Token {
    return this.#list === null ? this.#first + row : this.#list[row];
  }

  pushRange(first: Token, count: number): void {
    if (this.#length === 0) this.#first = first;
    if (this.#list === null && first === this.#first + this.#length) {
      this.#length += count;
      return;
    }
    const list = this.#listFor(this.#length + count);
    for (let i = 0; i < count; i++) list[this.#length + i] = first + i;
    this.#length += count;
  }

  pushAll(tokens: readonly Token[]): void {
    for (const token of tokens) this.pushRange(token, 1);
  }

  /** One token a row; later pushes do not change the node. @param length only the tokens of so many rows */
  node(length = this.#length): Node {
    if (length === 0) return one(0);
    return this.#list === null ? range(this.#first, length) : tokenList(this.#list, length);
  }

  #listFor(length: number): Int32Array {
    const old = this.#list;
    if (old !== null && old.length >= length) return old;
    const list = new Int32Array(Math.max(16, 2 * length));
    if (old !== null) list.set(old);
    else for (let i = 0; i < this.#length; i++) list[i] = this.#first + i;
    this.#list = list;
    return list;
  }
}
