/**
 * Provenance circuits as data for a file. A node refers to its children by their numbers, which are smaller
 * than its own, so what is shared stays shared and no file can hold a circle.
 */
import * as v from 'valibot';
import { flatIndex } from '../memory/packed-index.js';
import { childrenOf, type Node } from '../provenance/circuit.js';
import type { Token } from '../provenance/token.js';

const natural = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const int32 = v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(2 ** 31 - 1));

const savedNode = v.variant('kind', [
  v.object({ kind: v.picklist(['one', 'zero']), rows: natural }),
  v.object({ kind: v.literal('range'), rows: natural, first: natural }),
  v.object({ kind: v.literal('tokens'), rows: natural, list: v.array(int32) }),
  v.object({
    kind: v.picklist(['gather', 'sumBy', 'productBy']),
    rows: natural,
    child: natural,
    list: v.array(int32),
  }),
  v.object({ kind: v.picklist(['spread', 'delta', 'product']), rows: natural, child: natural }),
  v.object({ kind: v.picklist(['times', 'concat']), rows: natural, children: v.array(natural) }),
  v.object({ kind: v.picklist(['monus', 'either']), rows: natural, left: natural, right: natural }),
]);

export const savedCircuit = v.array(savedNode);
export type SavedNode = v.InferOutput<typeof savedNode>;

/** The nodes below the roots, children first; `numberOf` a root is its place in `nodes`. */
export function saveCircuit(roots: Iterable<Node>): {
  readonly nodes: readonly SavedNode[];
  readonly numberOf: (root: Node) => number;
} {
  const nodes: SavedNode[] = [];
  const numbers = new Map<Node, number>();
  const at = (node: Node): number => numbers.get(node) ?? -1;
  for (const root of roots) {
    const stack: Node[] = [root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1];
      const missing = numbers.has(node) ? [] : childrenOf(node).filter((child) => !numbers.has(child));
      if (missing.length > 0) {
        for (const child of missing) stack.push(child);
        continue;
      }
      stack.pop();
      if (numbers.has(node)) continue;
      numbers.set(node, nodes.length);
      nodes.push(saved(node, at));
    }
  }
  return { nodes, numberOf: at };
}

function saved(node: Node, at: (node: Node) => number): SavedNode {
  const { rows } = node;
  switch (node.kind) {
    case 'one':
    case 'zero':
      return { kind: node.kind, rows };
    case 'range':
      return { kind: 'range', rows, first: node.first };
    case 'tokens':
      return { kind: 'tokens', rows, list: Array.from(node.tokens.subarray(0, rows)) };
    case 'gather':
      return {
        kind: 'gather',
        rows,
        child: at(node.child),
        list: Array.from(flatIndex(node.index).subarray(0, rows), atLeastMinusOne),
      };
    case 'sumBy':
    case 'productBy':
      return {
        kind: node.kind,
        rows,
        child: at(node.child),
        list: Array.from(flatIndex(node.group).subarray(0, node.child.rows)),
      };
    case 'spread':
    case 'delta':
    case 'product':
      return { kind: node.kind, rows, child: at(node.child) };
    case 'times':
    case 'concat':
      return { kind: node.kind, rows, children: node.children.map(at) };
    case 'monus':
      return { kind: 'monus', rows, left: at(node.left), right: at(node.right) };
    case 'either':
      return { kind: 'either', rows, left: at(node.derivation), right: at(node.dependency) };
  }
}

function atLeastMinusOne(index: number): number {
  return Math.max(-1, index);
}

/**
 * @param tokens how many tokens there are
 * @throws RangeError where the nodes do not fit together
 */
export function loadCircuit(saved: readonly SavedNode[], tokens: number): readonly Node[] {
  const nodes: Node[] = [];
  for (const [number, node] of saved.entries()) nodes.push(loaded(node, nodes, tokens, number));
  return nodes;
}

function loaded(saved: SavedNode, nodes: readonly Node[], tokens: number, number: number): Node {
  const { rows } = saved;
  const fail = (): never => {
    throw new RangeError(`node ${number} of the circuit does not fit`);
  };
  const check = (holds: boolean): void => {
    if (!holds) fail();
  };
  const child = (at: number): Node => nodes[at] ?? fail();
  const sameRows = (at: number): Node => {
    const found = child(at);
    check(found.rows === rows);
    return found;
  };
  const isToken = (token: Token) => token >= 0 && token < tokens;
  switch (saved.kind) {
    case 'one':
    case 'zero':
      return { kind: saved.kind, rows };
    case 'range':
      check(saved.first + rows <= tokens);
      return { kind: 'range', rows, first: saved.first };
    case 'tokens':
      check(saved.list.length === rows && saved.list.every(isToken));
      return { kind: 'tokens', rows, tokens: Int32Array.from(saved.list) };
    case 'gather': {
      const from = child(saved.child);
      check(saved.list.length === rows && saved.list.every((i) => i < from.rows));
      return { kind: 'gather', rows, child: from, index: Int32Array.from(saved.list) };
    }
    case 'sumBy':
    case 'productBy': {
      const from = child(saved.child);
      check(saved.list.length === from.rows && saved.list.every((g) => g >= 0 && g < rows));
      return { kind: saved.kind, rows, child: from, group: Int32Array.from(saved.list) };
    }
    case 'spread': {
      const from = child(saved.child);
      check(from.rows === 1);
      return { kind: 'spread', rows, child: from };
    }
    case 'delta':
      return { kind: 'delta', rows, child: sameRows(saved.child) };
    case 'product':
      check(rows === 1);
      return { kind: 'product', rows: 1, child: child(saved.child) };
    case 'times':
      check(saved.children.length > 0);
      return { kind: 'times', rows, children: saved.children.map(sameRows) };
    case 'concat': {
      const children = saved.children.map(child);
      check(children.reduce((sum, part) => sum + part.rows, 0) === rows);
      return { kind: 'concat', rows, children };
    }
    case 'monus':
      return { kind: 'monus', rows, left: sameRows(saved.left), right: sameRows(saved.right) };
    case 'either':
      return {
        kind: 'either',
        rows,
        derivation: sameRows(saved.left),
        dependency: sameRows(saved.right),
      };
  }
}
