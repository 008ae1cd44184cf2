/**
 * Factoring: a·c + a·d + b·c + b·d is (a + b)·(c + d). Atoms that never stand together must be in one factor,
 * so the factors are the components of the graph of those pairs, and whether the parts are all combinations
 * of them is a matter of counting (the read-once test of Golumbic, Mintz, Rotics 2006, without its need for
 * tokens). It serves a product of sums as it serves a sum of products.
 */
import type { NodeId } from './lineage.js';

/** More pairs of atoms that stand together are not looked through. */
const mostPairs = 1_000_000;

/**
 * @param parts distinct sets of atoms, at least two
 * @param tokensOf atoms with a common token must be in one factor
 * @returns for each factor its alternatives, so that the parts are all choices of one from each; undefined
 *   where there are no two factors
 */
export function factor(
  parts: readonly (readonly NodeId[])[],
  tokensOf: (atom: NodeId) => readonly number[],
): NodeId[][][] | undefined {
  let pairs = 0;
  for (const { length } of parts) pairs += length * length;
  if (pairs > mostPairs) return undefined;
  const componentOf = components(together(parts), tokensOf);
  if (componentOf.count < 2) return undefined;
  const alternatives = Array.from({ length: componentOf.count }, () => new Map<string, NodeId[]>());
  for (const part of parts) {
    const chosen: NodeId[][] = alternatives.map(() => []);
    for (const atom of part) chosen[componentOf.of(atom)].push(atom);
    for (const [i, choice] of chosen.entries()) alternatives[i].set(choice.join(), choice);
  }
  let combinations = 1;
  for (const { size } of alternatives) combinations *= size;
  if (combinations !== parts.length) return undefined;
  return alternatives.map((choices) => [...choices.values()]);
}

/** For each atom those that stand in some part with it. */
function together(parts: readonly (readonly NodeId[])[]): ReadonlyMap<NodeId, ReadonlySet<NodeId>> {
  const neighbours = new Map<NodeId, Set<NodeId>>();
  for (const part of parts) {
    for (const atom of part) {
      let own = neighbours.get(atom);
      if (own === undefined) {
        own = new Set();
        neighbours.set(atom, own);
      }
      for (const other of part) own.add(other);
    }
  }
  return neighbours;
}

/** The components of "never together, or with a common token". */
function components(
  neighbours: ReadonlyMap<NodeId, ReadonlySet<NodeId>>,
  tokensOf: (atom: NodeId) => readonly number[],
): { readonly count: number; of(atom: NodeId): number } {
  const found = new Map<NodeId, number>();
  const parent: number[] = [];
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i];
    return i;
  };
  // Each test either takes an atom out of `rest` or finds a pair that stands together.
  const rest = new Set(neighbours.keys());
  for (const start of neighbours.keys()) {
    if (!rest.delete(start)) continue;
    const component = parent.length;
    parent.push(component);
    const reached = [start];
    for (let atom = reached.pop(); atom !== undefined; atom = reached.pop()) {
      found.set(atom, component);
      const own = neighbours.get(atom);
      for (const other of rest) {
        if (own?.has(other)) continue;
        rest.delete(other);
        reached.push(other);
      }
    }
  }
  const owner = new Map<number, number>();
  for (const [atom, component] of found) {
    for (const token of tokensOf(atom)) {
      const other = owner.get(token);
      if (other === undefined) owner.set(token, component);
      else parent[root(component)] = root(other);
    }
  }
  const numbers = new Map<number, number>();
  for (const i of parent.keys()) if (parent[i] === i) numbers.set(i, numbers.size);
  return { count: numbers.size, of: (atom) => numbers.get(root(found.get(atom) as number)) as number };
}
