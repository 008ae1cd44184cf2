/**
 * The end of a query: what its answer does not need goes back to the pool. An answer keeps its columns, its
 * circuit and the inputs of its aggregates, so an index over a million rows of which ten are left is composed
 * down to ten, and every buffer that nothing reaches any more is free for the next query.
 */

import { type Index, PackedIndex } from '../memory/packed-index.js';
import type { Arena } from '../memory/pool.js';
import { indexesOf, type Node } from '../provenance/circuit.js';
import { byConstancy, type Factor, type Frame, type FrameColumn, productNode } from './frame.js';
import { IndexPacking, indexesOfProduct, mostUnpacked } from './packing.js';

export function settle(frame: Frame, arena: Arena): Frame {
  for (const { selection } of frame.columns) if (selection?.isLoose) selection.composed();
  const settled = { ...frame, annotation: settledAnnotation(frame, arena) };
  arena.keepOnly(buffersOf(settled));
  return settled;
}

/**
 * One factor for all that varies, read at its bases; packed where the columns do not keep its indexes anyway.
 */
function settledAnnotation({ annotation, columns, rows }: Frame, arena: Arena): readonly Factor[] {
  const { constant, varying } = byConstancy(annotation);
  if (varying.length === 0) return annotation;
  const node = packedBeside(columns, productNode(varying, rows), arena);
  return [...constant, { node, selection: null }];
}

function packedBeside(columns: readonly FrameColumn[], product: Node, arena: Arena): Node {
  const indexes = [...indexesOfProduct(product)];
  if (indexes.length <= mostUnpacked) return product;
  const shared = new Set(columns.flatMap(({ selection }) => (selection ? [selection.composed()] : [])));
  const own = indexes.filter((index) => !shared.has(index));
  return own.length > mostUnpacked ? new IndexPacking(arena, shared).product(product) : product;
}

/** Every buffer that reading the frame can touch. */
function buffersOf(frame: Frame): ReadonlySet<unknown> {
  const buffers = new Set<unknown>();
  const nodes = new Set<Node>();
  const keepIndex = (index: Index): void => {
    buffers.add(index instanceof PackedIndex ? index.words : index);
  };
  const keepFactor = ({ node, selection }: Factor): void => {
    nodes.add(node);
    for (const index of selection?.indexes() ?? []) keepIndex(index);
  };
  const keepFrame = ({ columns, annotation, membership }: Frame): void => {
    annotation.forEach(keepFactor);
    for (const node of membership) nodes.add(node);
    for (const { vector, selection, provenance, reach, tensor } of columns) {
      buffers.add(vector.data).add(vector.nulls);
      for (const index of selection?.indexes() ?? []) keepIndex(index);
      provenance.forEach(keepFactor);
      for (const node of reach) nodes.add(node);
      if (tensor === undefined) continue;
      if (tensor.group !== null) keepIndex(tensor.group);
      keepFrame(tensor.input);
    }
  };
  keepFrame(frame);
  for (const index of indexesOf(nodes).keys()) keepIndex(index);
  return buffers;
}
