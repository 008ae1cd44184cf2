/**
 * The cheapest order of a join graph. An order's cost is the sum of the rows of its intermediate results
 * (C_out; Cluet and Moerkotte 1995). Up to ten leaves by dynamic programming over their subsets, beyond that
 * greedily by the smallest next result (Fegaras 1998).
 */
import type { Estimates } from '../estimate.js';
import { connected, type JoinGraph, rowsOfSet } from './join-graph.js';

/** A binary tree of leaf numbers. */
export type JoinTree = number | readonly [JoinTree, JoinTree];

export interface OrderedJoin {
  readonly tree: JoinTree;
  readonly cost: number;
}

/** More leaves are ordered greedily. */
const mostForDynamicProgramming = 10;

export function cheapestOrder(graph: JoinGraph, estimates: Estimates): OrderedJoin {
  return graph.leaves.length <= mostForDynamicProgramming
    ? byDynamicProgramming(graph, estimates)
    : greedily(graph, estimates);
}

/** What a given tree costs. */
export function costOf(tree: JoinTree, graph: JoinGraph, estimates: Estimates): number {
  const visit = (node: JoinTree): { readonly set: number; readonly cost: number } => {
    if (typeof node === 'number') return { set: 1 << node, cost: 0 };
    const [left, right] = [visit(node[0]), visit(node[1])];
    const set = left.set | right.set;
    return { set, cost: left.cost + right.cost + rowsOfSet(graph, estimates, set) };
  };
  return visit(tree).cost;
}

interface Best {
  readonly tree: JoinTree;
  readonly cost: number;
  readonly rows: number;
}

function byDynamicProgramming(graph: JoinGraph, estimates: Estimates): OrderedJoin {
  const n = graph.leaves.length;
  const best = new Map<number, Best>();
  graph.leaves.forEach((leaf, i) => {
    best.set(1 << i, { tree: i, cost: 0, rows: estimates.rows(leaf) });
  });
  for (let set = 1; set < 1 << n; set++) {
    if (best.has(set)) continue;
    const rows = rowsOfSet(graph, estimates, set);
    let found: Best | undefined;
    let foundCross: Best | undefined;
    // Each split once: the part with the lowest leaf is the left one.
    const lowest = set & -set;
    for (let part = (set - 1) & set; part > 0; part = (part - 1) & set) {
      if (!(part & lowest)) continue;
      const [left, right] = [best.get(part), best.get(set ^ part)];
      if (!left || !right) continue;
      const cost = left.cost + right.cost + rows;
      const joined: Best = { tree: [left.tree, right.tree], cost, rows };
      if (connected(graph, part, set ^ part)) {
        if (!found || cost < found.cost) found = joined;
      } else if (!foundCross || cost < foundCross.cost) foundCross = joined;
    }
    const chosen = found ?? foundCross;
    if (chosen) best.set(set, chosen);
  }
  const all = best.get((1 << n) - 1);
  if (!all) throw new TypeError('a join graph without leaves');
  return all;
}

function greedily(graph: JoinGraph, estimates: Estimates): OrderedJoin {
  let parts = graph.leaves.map((_, i) => ({ tree: i as JoinTree, set: 1 << i }));
  let cost = 0;
  while (parts.length > 1) {
    let [first, second, rows, joined] = [0, 1, Number.POSITIVE_INFINITY, false];
    for (let i = 0; i < parts.length; i++) {
      for (let j = i + 1; j < parts.length; j++) {
        const isJoined = connected(graph, parts[i].set, parts[j].set);
        const size = rowsOfSet(graph, estimates, parts[i].set | parts[j].set);
        if (isJoined === joined ? size < rows : isJoined)
          [first, second, rows, joined] = [i, j, size, isJoined];
      }
    }
    const [a, b] = [parts[first], parts[second]];
    const merged = { tree: [a.tree, b.tree] as JoinTree, set: a.set | b.set };
    parts = [...parts.filter((part) => part !== a && part !== b), merged];
    cost += rows;
  }
  return { tree: parts[0].tree, cost };
}
