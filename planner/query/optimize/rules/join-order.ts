/**
 * A cheap order of a join graph. No two parts are multiplied while a condition connects some others: leaves
 * that conditions connect make a component, and components meet last. A component of few leaves gets the
 * cheapest of all its orders, by dynamic programming over its connected subsets (Moerkotte and Neumann 2006);
 * a larger one is joined greedily by the smallest next result (Fegaras 1998).
 */
import type { JoinGraph, JoinOrder } from './join-graph.js';
import { Joining, mostRows } from './joining.js';

/**
 * Components of more leaves are ordered greedily: the number of splits of a clique is 3 to the power of it.
 */
const mostForDynamicProgramming = 12;

export function cheapOrder(graph: JoinGraph): JoinOrder {
  const joining = new Joining(graph);
  const neighbours = neighboursOf(graph);
  for (const component of componentsOf(neighbours)) {
    if (component.length > 1 && component.length <= mostForDynamicProgramming)
      joinCheapest(component, neighbours, graph, joining);
  }
  joinGreedily(graph, neighbours, joining);
  const bySize = [...joining.parts].sort((a, b) => joining.rows(a) - joining.rows(b));
  bySize.reduce((joined, part) => joining.join(joined, part).part);
  return joining.steps;
}

/**
 * For each leaf those that a condition connects it with. A condition over three or more connects them only
 * where those over two leave them apart, since it is true of no two of them alone.
 */
function neighboursOf({ leaves, conditions }: JoinGraph): readonly ReadonlySet<number>[] {
  const neighbours = leaves.map(() => new Set<number>());
  const connect = (read: readonly number[]): void => {
    for (const a of read) for (const b of read) if (a !== b) neighbours[a].add(b);
  };
  for (const { leaves: read } of conditions) if (read.length === 2) connect(read);
  const component = new Map<number, number>();
  componentsOf(neighbours).forEach((members, i) => {
    for (const leaf of members) component.set(leaf, i);
  });
  for (const { leaves: read } of conditions)
    if (read.length > 2 && read.some((leaf) => component.get(leaf) !== component.get(read[0]))) connect(read);
  return neighbours;
}

function componentsOf(neighbours: readonly ReadonlySet<number>[]): readonly (readonly number[])[] {
  const seen = new Set<number>();
  const components: (readonly number[])[] = [];
  for (let leaf = 0; leaf < neighbours.length; leaf++) {
    if (seen.has(leaf)) continue;
    seen.add(leaf);
    const members = [leaf];
    // The list grows while it is walked.
    for (const member of members) {
      for (const next of neighbours[member]) {
        if (seen.has(next)) continue;
        seen.add(next);
        members.push(next);
      }
    }
    components.push(members.sort((a, b) => a - b));
  }
  return components;
}

/** Joins the leaves of a component in the cheapest of all orders without a product. */
function joinCheapest(
  component: readonly number[],
  neighbours: readonly ReadonlySet<number>[],
  graph: JoinGraph,
  joining: Joining,
): void {
  const rows = rowsOfSubsets(component, graph);
  const adjacent = component.map((leaf) =>
    component.reduce((mask, other, i) => (neighbours[leaf].has(other) ? mask | (1 << i) : mask), 0),
  );
  const sets = 1 << component.length;
  /** Infinite where the set is not connected. */
  const cost = new Float64Array(sets).fill(Number.POSITIVE_INFINITY);
  const left = new Int32Array(sets);
  const around = new Int32Array(sets);
  for (let set = 1; set < sets; set++) {
    const lowest = set & -set;
    around[set] = around[set ^ lowest] | adjacent[31 - Math.clz32(lowest)];
    if (set === lowest) {
      cost[set] = 0;
      continue;
    }
    // Each split once: the part with the lowest leaf is the left one.
    for (let part = (set - 1) & set; part > 0; part = (part - 1) & set) {
      if ((part & lowest) === 0 || (around[part] & (set ^ part)) === 0) continue;
      const sum = cost[part] + cost[set ^ part] + rows[set];
      if (sum < cost[set]) [cost[set], left[set]] = [sum, part];
    }
  }
  const join = (set: number): number =>
    left[set] === 0
      ? component[31 - Math.clz32(set)]
      : joining.join(join(left[set]), join(set ^ left[set])).part;
  join(sets - 1);
}

/** Estimated rows of the join of every subset of the leaves, the same for every order. */
function rowsOfSubsets(component: readonly number[], graph: JoinGraph): Float64Array {
  const position = new Map(component.map((leaf, i) => [leaf, i]));
  /** By their lowest leaf. */
  const conditions = component.map((): { readonly mask: number; readonly selectivity: number }[] => []);
  for (const { leaves, selectivity } of graph.conditions) {
    const places = leaves.map((leaf) => position.get(leaf));
    const mask = places.reduce<number>((sum, place) => (place === undefined ? sum : sum | (1 << place)), 0);
    if (mask !== 0) conditions[31 - Math.clz32(mask & -mask)].push({ mask, selectivity });
  }
  const rows = new Float64Array(1 << component.length);
  rows[0] = 1;
  for (let set = 1; set < rows.length; set++) {
    const lowest = 31 - Math.clz32(set & -set);
    let product = rows[set & (set - 1)] * graph.rows[component[lowest]];
    for (const { mask, selectivity } of conditions[lowest]) if ((mask & set) === mask) product *= selectivity;
    rows[set] = Math.min(product, mostRows);
  }
  return rows;
}

/** Joins connected parts, those with the smallest result first, until none are connected. */
function joinGreedily(graph: JoinGraph, neighbours: readonly ReadonlySet<number>[], joining: Joining): void {
  for (;;) {
    const next = smallestJoin(graph, neighbours, joining);
    if (next === undefined) return;
    joining.join(...next);
  }
}

function smallestJoin(
  { conditions }: JoinGraph,
  neighbours: readonly ReadonlySet<number>[],
  joining: Joining,
): readonly [number, number] | undefined {
  /** By pair: what share of it the conditions leave that would be placed. */
  const shares = new Map<number, Map<number, number>>();
  const count = (a: number, b: number, share: number): void => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const ofLow = shares.get(low) ?? new Map<number, number>();
    ofLow.set(high, (ofLow.get(high) ?? 1) * share);
    shares.set(low, ofLow);
  };
  for (const { leaves, selectivity } of conditions) {
    if (leaves.length < 2) continue;
    const reads = [...new Set(leaves.map((leaf) => joining.partOf(leaf)))];
    if (reads.length === 2) count(reads[0], reads[1], selectivity);
    else if (reads.length > 2 && neighbours[leaves[0]].has(leaves[1]))
      for (const a of reads) for (const b of reads) if (a < b) count(a, b, 1);
  }
  let best: readonly [number, number] | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [a, others] of shares) {
    for (const [b, share] of others) {
      const rows = joining.rows(a) * joining.rows(b) * share;
      if (best !== undefined && !(rows < fewest)) continue;
      [best, fewest] = [[a, b], rows];
    }
  }
  return best;
}
