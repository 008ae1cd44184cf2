/**
 * What stays of many rows that become few (distinct, group by, the matches of a semi-join): each row's
 * annotation, and the group that it went into. Nothing but provenance reads these any more, so they are
 * packed where they are many.
 */

import {
  byConstancy,
  type Factor,
  type Frame,
  type FrameColumn,
  guard,
  productNode,
  productOverRows,
} from '../../frame/frame.js';
import { IndexPacking, indexesOfProduct, mostUnpacked } from '../../frame/packing.js';
import type { Index } from '../../memory/packed-index.js';
import type { Arena } from '../../memory/pool.js';
import { type Node, productBy, sumBy } from '../../provenance/circuit.js';

export class Collapsed {
  readonly rows: number;
  /** Each row's annotation: what is the same in every row, and one factor for the rest. */
  readonly annotation: readonly Factor[];
  /** The group of each row; null: all in one. */
  readonly group: Index | null;
  readonly #packing: IndexPacking | undefined;

  /** @param cells what each row's annotation is multiplied with */
  constructor(
    { annotation, rows }: Pick<Frame, 'annotation' | 'rows'>,
    cells: readonly Factor[],
    group: Int32Array | null,
    arena: Arena,
  ) {
    const { constant, varying } = byConstancy([...annotation, ...cells]);
    const node = productNode(varying, rows);
    const vectors = indexesOfProduct(node).size + (group === null ? 0 : 1);
    if (vectors > mostUnpacked) this.#packing = new IndexPacking(arena);
    this.rows = rows;
    this.group = group === null ? null : (this.#packing?.index(group, rows) ?? group);
    this.annotation = [...constant, { node: this.#kept(node), selection: null }];
  }

  /** Σ over each group. What is the same in every row stays outside of the sum. */
  sum(groups: number): readonly Factor[] {
    const { group } = this;
    if (group === null) return this.annotation;
    return this.annotation.map((factor) =>
      factor.constant ? factor : { ...factor, node: sumBy(factor.node, group, groups) },
    );
  }

  /** Factors of the rows, in the form that is kept. */
  factors(factors: readonly Factor[]): readonly Factor[] {
    return factors.map((factor) => {
      if (factor.constant || this.#packing === undefined) return factor;
      const node = productNode([{ ...factor, dependency: false }], this.rows);
      return { ...factor, node: this.#kept(node), selection: null };
    });
  }

  /** For label semirings: the product over each group of these factors of the rows; none of none. */
  product(factors: readonly Factor[], groups: number): readonly Factor[] {
    if (factors.length === 0) return [];
    if (this.group === null) return guard(productOverRows(factors, this.rows));
    const node = productNode(
      factors.map((factor) => ({ ...factor, dependency: false })),
      this.rows,
    );
    return [{ node: productBy(this.#kept(node), this.group, groups), selection: null, dependency: true }];
  }

  /** A column of the rows, in the form that is kept. */
  column(column: FrameColumn): FrameColumn {
    return this.#packing?.column(column) ?? column;
  }

  #kept(product: Node): Node {
    return this.#packing?.product(product) ?? product;
  }
}
