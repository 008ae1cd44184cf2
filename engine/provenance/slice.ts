/**
 * The part of a circuit that some rows of a node need, as a small circuit of its own: what makes the
 * polynomial of one row cheap in an answer of millions.
 */

import { flatIndex, indexAt } from '../memory/packed-index.js';
import type { Node } from './circuit.js';
import { topological } from './topological.js';

/** Rows of one node, in the order of their first need. */
class Needed {
  readonly rows: number[] = [];
  readonly #place = new Map<number, number>();

  add(row: number): number {
    let place = this.#place.get(row);
    if (place === undefined) {
      place = this.rows.length;
      this.#place.set(row, place);
      this.rows.push(row);
    }
    return place;
  }
}

/**
 * @returns a node whose row i is row `rows[i]` of `root`; only the side of `either` that `dependency` names
 */
export function slice(root: Node, rows: readonly number[], dependency = false): Node {
  const order = topological(root, dependency);
  const needs = new Map<Node, Needed>(order.map((node) => [node, new Needed()]));
  const need = (node: Node): Needed => needs.get(node) as Needed;
  const wanted = rows.map((row) => need(root).add(row));
  // Parents before children: each says which rows of its children it needs, and how it will find them.
  const build = new Map<Node, (part: (node: Node) => Node) => Node>();
  for (const node of order.toReversed()) build.set(node, plan(node, need(node).rows, need, dependency));
  const parts = new Map<Node, Node>();
  const part = (node: Node): Node => parts.get(node) as Node;
  for (const node of order) parts.set(node, (build.get(node) as (part: (node: Node) => Node) => Node)(part));
  const inOrder = wanted.every((place, i) => place === i) && need(root).rows.length === rows.length;
  return inOrder
    ? part(root)
    : { kind: 'gather', rows: rows.length, child: part(root), index: Int32Array.from(wanted) };
}

type Build = (part: (node: Node) => Node) => Node;

function plan(node: Node, rows: readonly number[], need: (node: Node) => Needed, dependency: boolean): Build {
  const count = rows.length;
  const same = (child: Node): void => {
    for (const row of rows) need(child).add(row);
  };
  /** The child's part with its rows in this node's order: they may have been needed by others in another. */
  const aligned = (child: Node): Build => {
    const index = Int32Array.from(rows, (row) => need(child).add(row));
    return (part) => ({ kind: 'gather', rows: count, child: part(child), index });
  };
  switch (node.kind) {
    case 'one':
    case 'zero':
      return () => ({ kind: node.kind, rows: count });
    case 'range':
      return () => ({
        kind: 'tokens',
        rows: count,
        tokens: Int32Array.from(rows, (row) => node.first + row),
      });
    case 'tokens':
      return () => ({
        kind: 'tokens',
        rows: count,
        tokens: Int32Array.from(rows, (row) => node.tokens[row]),
      });
    case 'gather': {
      const index = Int32Array.from(rows, (row) => {
        const at = indexAt(node.index, row);
        return at < 0 ? -1 : need(node.child).add(at);
      });
      return (part) => ({ kind: 'gather', rows: count, child: part(node.child), index });
    }
    case 'spread': {
      need(node.child).add(0);
      return (part) => ({ kind: 'spread', rows: count, child: part(node.child) });
    }
    case 'times': {
      const children = node.children.map(aligned);
      return (part) => ({ kind: 'times', rows: count, children: children.map((child) => child(part)) });
    }
    case 'sumBy':
    case 'productBy': {
      const { kind, child } = node;
      const { members, groups } = membersOf(flatIndex(node.group), child.rows, rows, node.rows);
      const index = Int32Array.from(members, (row) => need(child).add(row));
      return (part) => ({
        kind,
        rows: count,
        group: groups,
        child: { kind: 'gather', rows: index.length, child: part(child), index },
      });
    }
    case 'product': {
      if (count === 0) return () => ({ kind: 'one', rows: 0 });
      for (let row = 0; row < node.child.rows; row++) need(node.child).add(row);
      return (part) => ({ kind: 'product', rows: 1, child: part(node.child) });
    }
    case 'concat': {
      const starts: number[] = [];
      let start = 0;
      for (const child of node.children) {
        starts.push(start);
        start += child.rows;
      }
      const places = rows.map((row) => {
        let c = starts.length - 1;
        while (starts[c] > row) c--;
        return { c, place: need(node.children[c]).add(row - starts[c]) };
      });
      return (part) => {
        const children = node.children.map(part);
        const offsets: number[] = [];
        let total = 0;
        for (const child of children) {
          offsets.push(total);
          total += child.rows;
        }
        const all: Node = { kind: 'concat', rows: total, children };
        return {
          kind: 'gather',
          rows: count,
          child: all,
          index: Int32Array.from(places, ({ c, place }) => offsets[c] + place),
        };
      };
    }
    case 'monus': {
      const left = aligned(node.left);
      const right = aligned(node.right);
      return (part) => ({ kind: 'monus', rows: count, left: left(part), right: right(part) });
    }
    case 'delta': {
      const child = aligned(node.child);
      return (part) => ({ kind: 'delta', rows: count, child: child(part) });
    }
    case 'either': {
      const side = dependency ? node.dependency : node.derivation;
      same(side);
      return aligned(side);
    }
  }
}

/** The rows in the wanted groups, and the wanted groups' places. */
function membersOf(
  group: Int32Array,
  rows: number,
  wanted: readonly number[],
  groups: number,
): { members: number[]; groups: Int32Array } {
  const place = new Int32Array(groups).fill(-1);
  for (const [i, g] of wanted.entries()) place[g] = i;
  const members: number[] = [];
  const places: number[] = [];
  for (let row = 0; row < rows; row++) {
    if (place[group[row]] < 0) continue;
    members.push(row);
    places.push(place[group[row]]);
  }
  return { members, groups: Int32Array.from(places) };
}
