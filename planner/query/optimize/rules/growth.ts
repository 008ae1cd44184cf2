/**
 * How much an expression grows where columns are replaced by what they are made of. A rule that merges or
 * pushes without end would double an expression at every projection of a chain, or nest it past every stack.
 */
import type { ColumnId, Expression } from '../../../../engine/plan/expression.js';
import { operandsOf } from '../../../../engine/plan/traverse-expression.js';

/** What a rule makes is nested no deeper, unless it was before. */
const deepest = 100;

/** So many nodes may come in by one substitution. */
const mostAdded = 1000;

interface Extent {
  /** Nodes, each occurrence counted. */
  readonly size: number;
  /** A column or a literal has 1. */
  readonly depth: number;
}

const extents = new WeakMap<Expression, Extent>();

function extentOf(expression: Expression): Extent {
  const known = extents.get(expression);
  if (known) return known;
  let [size, depth] = [1, 1];
  for (const operand of operandsOf(expression)) {
    const inner = extentOf(operand);
    size += inner.size;
    depth = Math.max(depth, inner.depth + 1);
  }
  const extent = { size, depth };
  extents.set(expression, extent);
  return extent;
}

/** Whether `substitute(expression, made)` stays within bounds. */
export function staysSmall(expression: Expression, made: ReadonlyMap<ColumnId, Expression>): boolean {
  let added = 0;
  let depth = 0;
  const visit = (node: Expression, above: number): void => {
    if (node.kind === 'column') {
      const extent = extentOf(made.get(node.id) ?? node);
      added += extent.size - 1;
      depth = Math.max(depth, above + extent.depth);
    }
    for (const operand of operandsOf(node)) visit(operand, above + 1);
  };
  visit(expression, 0);
  return added <= mostAdded && (depth <= deepest || depth <= extentOf(expression).depth);
}
