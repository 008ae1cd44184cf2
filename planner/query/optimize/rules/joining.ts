/**
 * A join order while it is carried out: which parts there are, how many rows each is estimated to have, and
 * which conditions wait for which parts. A condition belongs to the first join that has all that it reads.
 */
import type { JoinGraph, JoinOrder } from './join-graph.js';

/** Estimates end here, so that a sum of them is still a number. */
export const mostRows = 1e300;

export class Joining {
  readonly #graph: JoinGraph;
  /** Estimated rows of every part, those that are joined already included. */
  readonly #rows: number[];
  /** The part that a part was joined into; its own number while it stands. */
  readonly #into: number[];
  /** For each condition the number of parts that it reads. */
  readonly #reads: number[];
  /** The conditions that wait, by part that stands. */
  readonly #waiting = new Map<number, Set<number>>();
  readonly #steps: (readonly [number, number])[] = [];

  constructor(graph: JoinGraph) {
    this.#graph = graph;
    this.#rows = [...graph.rows];
    this.#into = graph.leaves.map((_, leaf) => leaf);
    const waiting = graph.leaves.map(() => new Set<number>());
    this.#reads = graph.conditions.map(({ leaves }, condition) => {
      // What reads no leaf belongs to the first one.
      for (const leaf of leaves.length > 0 ? leaves : [0]) waiting[leaf].add(condition);
      return Math.max(1, leaves.length);
    });
    waiting.forEach((conditions, leaf) => {
      this.#waiting.set(leaf, conditions);
    });
  }

  get steps(): JoinOrder {
    return this.#steps;
  }

  /** The parts that are not joined yet. */
  get parts(): readonly number[] {
    return [...this.#waiting.keys()];
  }

  rows(part: number): number {
    return this.#rows[part];
  }

  /** The part that a leaf is in. */
  partOf(leaf: number): number {
    let part = leaf;
    while (this.#into[part] !== part) {
      this.#into[part] = this.#into[this.#into[part]];
      part = this.#into[part];
    }
    return part;
  }

  /** Joins two parts. @returns the part that they make, and the conditions of this join */
  join(left: number, right: number): { readonly part: number; readonly conditions: readonly number[] } {
    const part = this.#rows.length;
    const waitingFor = (side: number): Set<number> => this.#waiting.get(side) ?? new Set();
    const [a, b] = [waitingFor(left), waitingFor(right)];
    const [fewer, waiting] = a.size < b.size ? [a, b] : [b, a];
    const conditions: number[] = [];
    const placed = (condition: number): void => {
      waiting.delete(condition);
      conditions.push(condition);
    };
    for (const condition of this.#onlyHere(left)) placed(condition);
    for (const condition of this.#onlyHere(right)) placed(condition);
    for (const condition of fewer) {
      if (!waiting.has(condition)) waiting.add(condition);
      else if (--this.#reads[condition] === 1) placed(condition);
    }
    const rows = conditions.reduce(
      (product, condition) => product * this.#graph.conditions[condition].selectivity,
      this.#rows[left] * this.#rows[right],
    );
    for (const side of [left, right]) {
      this.#waiting.delete(side);
      this.#into[side] = part;
    }
    this.#into.push(part);
    this.#waiting.set(part, waiting);
    this.#rows.push(Math.min(rows, mostRows));
    this.#steps.push([left, right]);
    return { part, conditions: conditions.sort((x, y) => x - y) };
  }

  /** Takes out the conditions that wait for a leaf alone. */
  #onlyHere(part: number): readonly number[] {
    if (part >= this.#graph.leaves.length) return [];
    const waiting = this.#waiting.get(part) ?? new Set<number>();
    const here = [...waiting].filter((condition) => this.#reads[condition] === 1);
    for (const condition of here) waiting.delete(condition);
    return here;
  }
}

export interface OrderCost {
  /** Joins without a condition. */
  readonly products: number;
  /** The sum of the rows of the intermediate results (C_out; Cluet and Moerkotte 1995). */
  readonly rows: number;
}

export function costOf(order: JoinOrder, graph: JoinGraph): OrderCost {
  const joining = new Joining(graph);
  let [products, rows] = [0, 0];
  for (const [left, right] of order) {
    const { part, conditions } = joining.join(left, right);
    if (conditions.length === 0) products += 1;
    rows += joining.rows(part);
  }
  return { products, rows };
}
