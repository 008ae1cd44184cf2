/**
 * Reading a provenance circuit in a semiring: the unique homomorphism that a valuation of the tokens fixes, applied
 * node by node. The one thing to know: where the semiring has a machine representation that holds the values, a
 * node is one pass over typed arrays; where it has not, or a result leaves the exact range, the generic operations
 * are used. Both give the same answer; sub-circuits that are shared are read once.
 */
import { foldPlus, foldTimes } from '../semiring/fold.js';
import type { Semiring } from '../semiring/semiring.js';
import type { Node } from './circuit.js';
import { missing } from './missing-operation.js';
import { flatIndex } from './packed-index.js';
import type { BufferPool } from './pool.js';
import { readLanes } from './read-lanes.js';
import type { Reading, Valuation } from './reading.js';
import type { Token } from './token.js';
import { topological } from './topological.js';

/**
 * @param pool where buffers come from; without one they are fresh
 * @throws SemiringError `semiring/no-monus`, `semiring/no-delta` where the circuit needs what the semiring lacks
 */
export function read<K>(
  node: Node,
  semiring: Semiring<K>,
  valuation: Valuation<K>,
  pool?: BufferPool,
): Reading<K> {
  const lanes = readLanes(node, semiring, valuation, pool);
  if (lanes !== null) return lanes;
  const values = readGenerically(node, semiring, valuation);
  return {
    length: values.length,
    at: (row) => values[row],
    [Symbol.iterator]: () => values[Symbol.iterator](),
  };
}

/** The generic pass, which defines what a reading is. */
export function readGenerically<K>(root: Node, semiring: Semiring<K>, valuation: Valuation<K>): readonly K[] {
  const dependency = semiring.reads === 'dependency';
  const value = typeof valuation === 'function' ? valuation : () => valuation.every;
  const done = new Map<Node, readonly K[]>();
  const valuesOf = (node: Node): readonly K[] => done.get(node) ?? [];
  for (const node of topological(root, dependency))
    done.set(node, step(node, semiring, value, valuesOf, dependency));
  return valuesOf(root);
}

function step<K>(
  node: Node,
  semiring: Semiring<K>,
  value: (token: Token) => K,
  valuesOf: (node: Node) => readonly K[],
  dependency: boolean,
): readonly K[] {
  const { rows } = node;
  const build = (at: (row: number) => K): K[] => Array.from({ length: rows }, (_, row) => at(row));
  switch (node.kind) {
    case 'one':
      return build(() => semiring.one);
    case 'zero':
      return build(() => semiring.zero);
    case 'range':
      return build((row) => value(node.first + row));
    case 'tokens':
      return build((row) => value(node.tokens[row]));
    case 'gather': {
      const child = valuesOf(node.child);
      const index = flatIndex(node.index);
      return build((row) => (index[row] < 0 ? semiring.one : child[index[row]]));
    }
    case 'spread': {
      const [only] = valuesOf(node.child);
      return build(() => only);
    }
    case 'times': {
      const children = node.children.map(valuesOf);
      return build((row) =>
        foldTimes(
          semiring,
          children.map((child) => child[row]),
        ),
      );
    }
    case 'sumBy':
      return build(
        byGroup(flatIndex(node.group), valuesOf(node.child), rows, (values) => foldPlus(semiring, values)),
      );
    case 'productBy':
      return build(
        byGroup(flatIndex(node.group), valuesOf(node.child), rows, (values) => foldTimes(semiring, values)),
      );
    case 'product':
      return [foldTimes(semiring, valuesOf(node.child))];
    case 'concat':
      return node.children.flatMap(valuesOf);
    case 'monus': {
      if (!semiring.monus) throw missing('monus', 'a difference (∸)', semiring);
      const left = valuesOf(node.left);
      const right = valuesOf(node.right);
      return build((row) => semiring.monus?.(left[row], right[row]) as K);
    }
    case 'delta': {
      if (!semiring.delta) throw missing('delta', 'a grouped row (δ)', semiring);
      const child = valuesOf(node.child);
      return build((row) => semiring.delta?.(child[row]) as K);
    }
    case 'either':
      return valuesOf(dependency ? node.dependency : node.derivation);
  }
}

/** The fold of each group's values, in their order. */
function byGroup<K>(
  group: Int32Array,
  values: readonly K[],
  groups: number,
  fold: (values: readonly K[]) => K,
): (g: number) => K {
  const members: K[][] = Array.from({ length: groups }, () => []);
  for (let i = 0; i < values.length; i++) members[group[i]].push(values[i]);
  return (g) => fold(members[g]);
}
