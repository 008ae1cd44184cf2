/**
 * Packing the index vectors of a circuit that only provenance reads. Three vectors a derivation (12 bytes)
 * stay as they are, since packing takes time that a query would rather not spend; from four on all of them
 * are packed, so that a derivation over many relations keeps little more than one over two.
 */

import { type Index, PackedIndex } from '../memory/packed-index.js';
import type { Arena } from '../memory/pool.js';
import type { Node } from '../provenance/circuit.js';
import type { FrameColumn } from './frame.js';

/** Index vectors of a product that are kept unpacked. */
export const mostUnpacked = 3;

/**
 * The index vectors through which the factors of a product are read; deeper ones are not the product's own.
 */
export function indexesOfProduct(product: Node): ReadonlySet<Index> {
  const indexes = new Set<Index>();
  const seen = new Set<Node>();
  const visit = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'gather') indexes.add(node.index);
    else if (node.kind === 'times') node.children.forEach(visit);
    else if (node.kind === 'either') {
      visit(node.derivation);
      visit(node.dependency);
    }
  };
  visit(product);
  return indexes;
}

/** Packs each index vector once, whoever shares it. */
export class IndexPacking {
  readonly #arena: Arena;
  readonly #packed = new Map<Int32Array, PackedIndex>();
  readonly #products = new Map<Node, Node>();
  readonly #except: ReadonlySet<Index>;

  /** @param except vectors that are kept anyway and so are not packed */
  constructor(arena: Arena, except: ReadonlySet<Index> = new Set()) {
    this.#arena = arena;
    this.#except = except;
  }

  index(index: Index, rows: number): Index {
    if (index instanceof PackedIndex || this.#except.has(index)) return index;
    let packed = this.#packed.get(index);
    if (packed === undefined) {
      packed = PackedIndex.of(index, rows, this.#arena);
      this.#packed.set(index, packed);
    }
    return packed;
  }

  /** The same product over packed indexes; what is shared in it stays shared. */
  product(node: Node): Node {
    const known = this.#products.get(node);
    if (known !== undefined) return known;
    const packed = this.#over(node);
    this.#products.set(node, packed);
    return packed;
  }

  /** The column, read through a packed index. */
  column(column: FrameColumn): FrameColumn {
    const { selection } = column;
    if (selection === null) return column;
    return { ...column, selection: selection.withIndex(this.index(selection.composed(), selection.rows)) };
  }

  #over(node: Node): Node {
    switch (node.kind) {
      case 'gather':
        return { ...node, index: this.index(node.index, node.rows) };
      case 'times':
        return { ...node, children: node.children.map((child) => this.product(child)) };
      case 'either':
        return {
          ...node,
          derivation: this.product(node.derivation),
          dependency: this.product(node.dependency),
        };
      default:
        return node;
    }
  }
}
