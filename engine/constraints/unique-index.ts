/**
 * The keys of a table's rows, hashed: it grows with the table, so a row is checked in constant time. It holds
 * keys, not rows, so it can say that a key is there and nothing of the row that has it.
 */
import { keyOf } from '../operators/compare.js';
import type { Value } from '../value/value.js';
import type { Key } from './definition.js';

type HashKey = ReturnType<typeof keyOf>;

/** A Set of the run-time takes 2^24 members and no more; the rest go into further ones. */
const largestSet = 2 ** 24 - 1;

export class UniqueIndex {
  readonly #columns: readonly number[];
  readonly #nullsDistinct: boolean;
  readonly #sets: Set<HashKey>[] = [new Set()];

  constructor({ columns, nullsDistinct }: Pick<Key, 'columns' | 'nullsDistinct'>) {
    this.#columns = columns;
    this.#nullsDistinct = nullsDistinct;
  }

  /** Takes in the row's key; false where it is there already. */
  add(row: readonly Value[]): boolean {
    const key = this.#keyOf(row, this.#columns);
    if (key === undefined) return true;
    if (this.#has(key)) return false;
    let last = this.#sets[this.#sets.length - 1];
    if (last.size === largestSet) {
      last = new Set();
      this.#sets.push(last);
    }
    last.add(key);
    return true;
  }

  /** Takes back what {@link add} took in. */
  remove(row: readonly Value[]): void {
    const key = this.#keyOf(row, this.#columns);
    if (key !== undefined) for (const set of this.#sets) set.delete(key);
  }

  /** Whether a row has this key. @param columns of `row`, in the order of the index's own */
  has(row: readonly Value[], columns: readonly number[]): boolean {
    const key = this.#keyOf(row, columns);
    return key !== undefined && this.#has(key);
  }

  #has(key: HashKey): boolean {
    return this.#sets.some((set) => set.has(key));
  }

  /** Undefined where the row has no key, having a NULL in it. */
  #keyOf(row: readonly Value[], columns: readonly number[]): HashKey | undefined {
    if (this.#nullsDistinct && columns.some((column) => row[column] === null)) return undefined;
    return columns.length === 1
      ? keyOf(row[columns[0]])
      : columns.map((column) => part(row[column])).join('');
  }
}

/**
 * One of several values of a key as text, its length before it: two lists of parts join to one text only
 * where they are equal.
 */
function part(value: Value): string {
  const key = keyOf(value);
  const text = `${typeof key === 'string' ? "'" : ''}${String(key)}`;
  return `${text.length}:${text}`;
}
