/**
 * The provenance circuit: a DAG with one node for each operator, not for each row. The one thing to know: a
 * node stands for a vector of `rows` annotations, and the index vectors inside are those that the operators
 * made to do their work, so keeping them is the whole cost of provenance.
 *
 * `either` holds the two meanings of a non-monotone operator: `derivation` is read by ordinary semirings
 * (monus, delta), `dependency` by label semirings (`reads: 'dependency'`), whose answer depends on all it was
 * compared with.
 */
import { type Index, indexAt, indexBytes } from '../memory/packed-index.js';
import type { Token } from './token.js';

export type Node =
  /** 1 in every row. */
  | { readonly kind: 'one'; readonly rows: number }
  /** 0 in every row. */
  | { readonly kind: 'zero'; readonly rows: number }
  /** Row i is the token `first + i`. */
  | { readonly kind: 'range'; readonly rows: number; readonly first: Token }
  /** Row i is the token `tokens[i]`. */
  | { readonly kind: 'tokens'; readonly rows: number; readonly tokens: Int32Array }
  /** Row i is row `index[i]` of the child; a negative index reads 1. */
  | { readonly kind: 'gather'; readonly rows: number; readonly child: Node; readonly index: Index }
  /** Every row is the one row of the child. */
  | { readonly kind: 'spread'; readonly rows: number; readonly child: Node }
  /** Row by row product; two or more children, all of `rows` rows. */
  | { readonly kind: 'times'; readonly rows: number; readonly children: readonly Node[] }
  /** Row g is the sum of the child's rows i with `group[i]` = g. */
  | { readonly kind: 'sumBy'; readonly rows: number; readonly child: Node; readonly group: Index }
  /** Row g is the product of the child's rows i with `group[i]` = g. */
  | { readonly kind: 'productBy'; readonly rows: number; readonly child: Node; readonly group: Index }
  /** One row: the product of all rows of the child. */
  | { readonly kind: 'product'; readonly rows: 1; readonly child: Node }
  /** The children's rows one after the other. */
  | { readonly kind: 'concat'; readonly rows: number; readonly children: readonly Node[] }
  /** left ∸ right */
  | { readonly kind: 'monus'; readonly rows: number; readonly left: Node; readonly right: Node }
  | { readonly kind: 'delta'; readonly rows: number; readonly child: Node }
  | {
      readonly kind: 'either';
      readonly rows: number;
      readonly derivation: Node;
      readonly dependency: Node;
    };

export function one(rows: number): Node {
  return { kind: 'one', rows };
}

export function zero(rows: number): Node {
  return { kind: 'zero', rows };
}

export function range(first: Token, rows: number): Node {
  return { kind: 'range', rows, first };
}

/** @param tokens may be longer than `rows` */
export function tokenList(tokens: Int32Array, rows = tokens.length): Node {
  return { kind: 'tokens', rows, tokens };
}

/** @param index may be longer than `rows` */
export function gather(child: Node, index: Int32Array, rows = index.length): Node {
  if (child.kind === 'one') return one(rows);
  if (child.kind === 'spread')
    return noNegative(index, rows) ? spread(child.child, rows) : plainGather(child, index, rows);
  return plainGather(child, index, rows);
}

/**
 * As `gather`; but where a product has more rows than are read of it, its factors are gathered one by one, at
 * their bases, so that the product's own indexes can go: four bytes a factor and row read are kept, whatever
 * came between.
 */
export function gatherThrough(
  child: Node,
  index: Int32Array,
  rows: number,
  composed = new Map<Index, Int32Array>(),
): Node {
  if (child.rows === 1 && noNegative(index, rows)) return spread(child, rows);
  if (rows >= child.rows || !isNarrow(child)) return gather(child, index, rows);
  if (child.kind === 'times')
    return times(...child.children.map((factor) => gatherThrough(factor, index, rows, composed)));
  if (child.kind !== 'gather') return gather(child, index, rows);
  let through = composed.get(child.index);
  if (through === undefined) {
    through = new Int32Array(rows);
    for (let i = 0; i < rows; i++) through[i] = index[i] < 0 ? -1 : indexAt(child.index, index[i]);
    composed.set(child.index, through);
  }
  return gatherThrough(child.child, through, rows);
}

/**
 * Whether a product has few factors, those of products inside it counted: what is shared in it would be
 * repeated.
 */
function isNarrow(product: Node): boolean {
  let left = mostFactors;
  const visit = (node: Node): boolean => {
    if (node.kind === 'times') return node.children.every(visit);
    if (node.kind === 'gather') return visit(node.child);
    return --left >= 0;
  };
  return visit(product);
}

function plainGather(child: Node, index: Int32Array, rows: number): Node {
  return { kind: 'gather', rows, child, index };
}

function noNegative(index: Int32Array, rows: number): boolean {
  for (let i = 0; i < rows; i++) if (index[i] < 0) return false;
  return true;
}

export function spread(child: Node, rows: number): Node {
  if (child.kind === 'one') return one(rows);
  if (rows === 1) return child;
  return { kind: 'spread', rows, child };
}

/**
 * Longer products are not taken apart: a relation joined with itself again and again has a circuit that is
 * small only as long as both sides share theirs.
 */
export const mostFactors = 16;

function isShortProduct(node: Node): node is Extract<Node, { kind: 'times' }> {
  return node.kind === 'times' && node.children.length <= mostFactors;
}

/** The product; ones are left out and short nested products flattened. At least one child. */
export function times(...children: readonly Node[]): Node {
  const rows = children[0].rows;
  const factors = children.flatMap((child) =>
    child.kind === 'one' ? [] : isShortProduct(child) ? child.children : [child],
  );
  if (factors.length === 0) return one(rows);
  if (factors.length === 1) return factors[0];
  return { kind: 'times', rows, children: factors };
}

/** @param group a group in 0 … groups-1 for each row of the child; may be longer */
export function sumBy(child: Node, group: Index, groups: number): Node {
  return { kind: 'sumBy', rows: groups, child, group };
}

export function productBy(child: Node, group: Index, groups: number): Node {
  if (child.kind === 'one') return one(groups);
  return { kind: 'productBy', rows: groups, child, group };
}

export function product(child: Node): Node {
  if (child.kind === 'one' || child.rows === 0) return one(1);
  if (child.rows === 1) return child;
  if (child.kind === 'times') return times(...child.children.map(product));
  return { kind: 'product', rows: 1, child };
}

export function concat(children: readonly Node[]): Node {
  if (children.length === 1) return children[0];
  const rows = children.reduce((sum, child) => sum + child.rows, 0);
  if (children.every((child) => child.kind === 'one')) return one(rows);
  return { kind: 'concat', rows, children };
}

export function monus(left: Node, right: Node): Node {
  if (right.kind === 'zero') return left;
  return { kind: 'monus', rows: left.rows, left, right };
}

export function delta(child: Node): Node {
  if (child.kind === 'one' || child.kind === 'zero' || child.kind === 'delta') return child;
  return { kind: 'delta', rows: child.rows, child };
}

export function either(derivation: Node, dependency: Node): Node {
  if (derivation === dependency) return derivation;
  if (derivation.kind === 'one' && dependency.kind === 'one') return derivation;
  return { kind: 'either', rows: derivation.rows, derivation, dependency };
}

/** The nodes that a node reads. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'one':
    case 'zero':
    case 'range':
    case 'tokens':
      return [];
    case 'times':
    case 'concat':
      return node.children;
    case 'monus':
      return [node.left, node.right];
    case 'either':
      return [node.derivation, node.dependency];
    default:
      return [node.child];
  }
}

/**
 * The index vectors that some nodes keep, with the rows that are used of each; token lists of base tables are
 * none.
 */
export function indexesOf(roots: Iterable<Node>): Map<Index, number> {
  const seen = new Set<Node>();
  const indexes = new Map<Index, number>();
  const stack = [...roots];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    stack.push(...childrenOf(node));
    if (node.kind === 'gather') indexes.set(node.index, node.rows);
    else if (node.kind === 'sumBy' || node.kind === 'productBy') indexes.set(node.group, node.child.rows);
  }
  return indexes;
}

/** Bytes of index vectors of which so many rows are used. */
export function bytesOf(indexes: ReadonlyMap<Index, number>): number {
  let bytes = 0;
  for (const [index, rows] of indexes) bytes += indexBytes(index, rows);
  return bytes;
}
