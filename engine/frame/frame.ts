/**
 * Frames: what an operator hands to the next. The one thing to know: a frame holds no values of its own; a
 * column is a base vector seen through a selection (a chain of index vectors), an annotation is a list of
 * factors seen through the same selections. Indexes are composed only when something reads through them, and
 * once for all columns and factors that share them: that is late materialisation and the provenance circuit
 * in one.
 */

import type { Index } from '../memory/packed-index.js';
import type { Arena } from '../memory/pool.js';
import type { BlindSpot } from '../plan/blind-spots.js';
import type { Column, ColumnId } from '../plan/expression.js';
import {
  either,
  gatherThrough,
  mostFactors,
  type Node,
  one,
  product,
  spread,
  times,
} from '../provenance/circuit.js';
import type { Vector } from '../value/vector.js';
import { Selection } from './selection.js';

/** A part of a product of annotations. */
export interface Factor {
  readonly node: Node;
  /** Which row of `node` each row reads; null: the same. Ignored where `constant`. */
  readonly selection: Selection | null;
  /** `node` has one row, which every row reads. */
  readonly constant?: boolean;
  /** Counts for label semirings only (1 in a derivation). */
  readonly dependency?: boolean;
}

export interface FrameColumn {
  readonly column: Column;
  readonly vector: Vector;
  readonly selection: Selection | null;
  /** The product is the provenance of the cells; empty: 1. */
  readonly provenance: readonly Factor[];
  /**
   * For label semirings: one-row nodes whose product is that of all base cells that the column is made from.
   */
  readonly reach: readonly Node[];
  /** How an aggregate's value came about, while it is still the bare value. */
  readonly tensor?: TensorSource;
}

/** The groups and arguments behind an aggregate's column; row g of the column's vector is group g. */
export interface TensorSource {
  /** The annotation and argument of each input row, and its group (null: all in group 0). */
  inputs(): TensorInputs;
  /** What `inputs` reads: kept as long as the column is. */
  readonly input: Frame;
  readonly group: Index | null;
}

export interface TensorInputs {
  readonly function: string;
  readonly rows: number;
  readonly annotation: Node;
  readonly group: Index | null;
  readonly arguments: readonly Vector[];
  /** Whether rows with a NULL argument count too. */
  readonly takesNull: boolean;
  /** Where a deletion of input rows is not told by their annotations. */
  blindSpots(): readonly BlindSpot[];
  /** 1 where the row takes part (a FILTER clause); null: all. */
  readonly takesPart: Uint8Array | null;
  /** The aggregate of some rows, by number. */
  aggregate(rows: Int32Array): import('../value/value.js').Value;
}

export interface Frame {
  readonly rows: number;
  readonly columns: readonly FrameColumn[];
  /** The product is the rows' annotation; empty: 1. */
  readonly annotation: readonly Factor[];
  /**
   * For label semirings: one-row nodes whose product is the label of "these are the rows that there are". See
   * execute/membership.ts.
   */
  readonly membership: readonly Node[];
  /** 0 where a row is not in the plain answer, only possible under some deletion; null: all present. */
  readonly present: Uint8Array | null;
}

export function frameColumn(frame: Frame, id: ColumnId): FrameColumn | undefined {
  return frame.columns.find((column) => column.column.id === id);
}

/** The frame's rows `index[0 … rows-1]`; -1 makes a row of NULLs annotated 1 (where `nullable`). */
export function select(frame: Frame, arena: Arena, index: Int32Array, rows: number, nullable = false): Frame {
  const step = new SelectionStep(arena, index, rows, nullable);
  return {
    rows,
    columns: frame.columns.map((column) => step.column(column)),
    annotation: step.annotation(frame),
    membership: frame.membership,
    present: frame.present === null ? null : presentOf(frame.present, index, rows),
  };
}

function presentOf(present: Uint8Array, index: Int32Array, rows: number): Uint8Array {
  const result = new Uint8Array(rows);
  for (let i = 0; i < rows; i++) result[i] = index[i] < 0 ? 1 : present[index[i]];
  return result;
}

/** Applies one index vector to columns and factors, making one new selection for each old one. */
class SelectionStep {
  readonly #arena: Arena;
  readonly #index: Int32Array;
  readonly #rows: number;
  readonly #nullable: boolean;
  readonly #made = new Map<Selection | null, Selection>();

  constructor(arena: Arena, index: Int32Array, rows: number, nullable: boolean) {
    this.#arena = arena;
    this.#index = index;
    this.#rows = rows;
    this.#nullable = nullable;
  }

  column(column: FrameColumn): FrameColumn {
    const provenance =
      column.provenance.length === 0
        ? column.provenance
        : column.provenance.map((factor) => this.factor(factor));
    return { ...column, selection: this.selection(column.selection), provenance };
  }

  factor(factor: Factor): Factor {
    return factor.constant === true ? factor : { ...factor, selection: this.selection(factor.selection) };
  }

  /**
   * Whatever keeps fewer entries: each factor indexed at its base, so that the intermediate indexes can go;
   * or, where rows multiply, their product made a node of its own, with its old indexes, and indexed once.
   */
  annotation(frame: Frame): readonly Factor[] {
    const { annotation, rows } = frame;
    const { constant, varying } = byConstancy(annotation);
    const distinct = new Set(varying.map((factor) => factor.selection)).size;
    if (distinct * this.#rows <= distinct * rows + this.#rows)
      return annotation.map((factor) => this.factor(factor));
    return [...constant, { node: productNode(varying, rows), selection: this.selection(null) }];
  }

  selection(parent: Selection | null): Selection {
    let made = this.#made.get(parent);
    if (made === undefined) {
      made = new Selection(this.#arena, parent, this.#index, this.#rows, this.#nullable);
      this.#made.set(parent, made);
    }
    return made;
  }
}

/** The factors that are the same in every row, and the others. */
export function byConstancy(factors: readonly Factor[]): {
  readonly constant: readonly Factor[];
  readonly varying: readonly Factor[];
} {
  return {
    constant: factors.filter((factor) => factor.constant === true),
    varying: factors.filter((factor) => factor.constant !== true),
  };
}

/** The factor as a node of `rows` rows. */
export function factorNode(factor: Factor, rows: number): Node {
  const { node, selection, constant, dependency } = factor;
  const seen = constant
    ? spread(node, rows)
    : selection === null
      ? node
      : gatherThrough(node, selection.resolve(), rows);
  return dependency ? either(one(rows), seen) : seen;
}

/** The product of factors as a node of `rows` rows. */
export function productNode(factors: readonly Factor[], rows: number): Node {
  if (factors.length === 0) return one(rows);
  return times(...factors.map((factor) => factorNode(factor, rows)));
}

/** The frame with the product in the place of many factors, so that all who read the frame share one node. */
export function withFewFactors(frame: Frame): Frame {
  const { annotation, columns, rows } = frame;
  if (annotation.length <= mostFactors && columns.every(({ provenance }) => provenance.length <= mostFactors))
    return frame;
  return {
    ...frame,
    annotation: fewFactors(annotation, rows),
    columns: columns.map((column) => ({ ...column, provenance: fewFactors(column.provenance, rows) })),
  };
}

function fewFactors(factors: readonly Factor[], rows: number): readonly Factor[] {
  if (factors.length <= mostFactors) return factors;
  const { constant, varying } = byConstancy(factors);
  const together = [false, true].flatMap((dependency): Factor[] => {
    const nodes = constant.filter((factor) => (factor.dependency ?? false) === dependency);
    if (nodes.length === 0) return [];
    return [{ node: times(...nodes.map(({ node }) => node)), selection: null, constant: true, dependency }];
  });
  return varying.length === 0
    ? together
    : [...together, { node: productNode(varying, rows), selection: null }];
}

/** One-row nodes whose product is the product of `factors` over all `rows` rows. */
export function productOverRows(factors: readonly Factor[], rows: number): Node[] {
  if (rows === 0) return [];
  return factors.flatMap((factor) => {
    const whole = factor.constant ? factor.node : product(factorNode({ ...factor, dependency: false }, rows));
    return whole.kind === 'one' ? [] : [whole];
  });
}

/** A factor that every row has in its dependency reading, from one-row nodes; none where there are none. */
export function guard(nodes: readonly Node[]): readonly Factor[] {
  const distinct = [...new Set(nodes)].filter((node) => node.kind !== 'one');
  if (distinct.length === 0) return [];
  return [{ node: times(...distinct), selection: null, constant: true, dependency: true }];
}

/** The product over the columns that an expression reads, of their provenance. */
export function provenanceOf(frame: Frame, ids: Iterable<ColumnId>): readonly Factor[] {
  const factors: Factor[] = [];
  for (const id of ids) factors.push(...(frameColumn(frame, id)?.provenance ?? []));
  return factors;
}
