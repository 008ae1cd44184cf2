/**
 * Selections: index vectors over index vectors. A chain is composed when something reads through it, and
 * never at more rows than are read: a link with many more rows than those over it is passed by, so that ten
 * rows out of a million cost ten.
 */
import { flatIndex, type Index } from '../memory/packed-index.js';
import type { Arena } from '../memory/pool.js';

/** An index vector over the rows of `parent` (or of the base where there is none); -1 is "no row". */
export class Selection {
  readonly rows: number;
  /** Whether -1 may occur. */
  readonly nullable: boolean;
  readonly #arena: Arena;
  #parent: Selection | null;
  #index: Index;

  constructor(arena: Arena, parent: Selection | null, index: Index, rows: number, nullable: boolean) {
    this.#arena = arena;
    this.#parent = parent;
    this.#index = index;
    this.rows = rows;
    this.nullable = nullable || (parent?.nullable ?? false);
  }

  /** The index into the base, as an array. May be longer than `rows`. */
  resolve(): Int32Array {
    return flatIndex(this.composed());
  }

  /** The index into the base, packed if it was. */
  composed(): Index {
    const chain: Selection[] = [];
    for (let link: Selection = this; link.#parent !== null; link = link.#parent) {
      const { rows } = chain[chain.length - 1] ?? link;
      if (link.rows <= 2 * rows) chain.push(link);
    }
    for (let link = chain.pop(); link !== undefined; link = chain.pop()) link.#compose();
    return this.#index;
  }

  /** This selection with another form of the index into the base. */
  withIndex(index: Index): Selection {
    return new Selection(this.#arena, null, index, this.rows, this.nullable);
  }

  /** Whether it keeps more than twice its own rows of other selections alive. */
  get isLoose(): boolean {
    return this.#parent !== null && this.#parent.rows > 2 * this.rows;
  }

  /** The indexes of the chain, this one's first. */
  *indexes(): Generator<Index> {
    for (let link: Selection | null = this; link !== null; link = link.#parent) yield link.#index;
  }

  #compose(): void {
    let index = flatIndex(this.#index);
    for (let parent = this.#parent; parent !== null; parent = parent.#parent) {
      const composed = this.#arena.int32(this.rows);
      const inner = flatIndex(parent.#index);
      if (this.nullable) composeNullable(composed, inner, index, this.rows);
      else compose(composed, inner, index, this.rows);
      // The first is shared by all selections that one operator made.
      if (index !== this.#index) this.#arena.free(index);
      index = composed;
    }
    this.#index = index;
    this.#parent = null;
  }
}

// Loops of their own; see execute/key-codes.ts.

function compose(out: Int32Array, inner: Int32Array, outer: Int32Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = inner[outer[i]];
}

function composeNullable(out: Int32Array, inner: Int32Array, outer: Int32Array, n: number): void {
  for (let i = 0; i < n; i++) out[i] = outer[i] < 0 ? -1 : inner[outer[i]];
}
