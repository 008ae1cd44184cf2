/** Project: a bare column stays what it is, provenance included; anything else is computed, with P(r, e). */
import { compile } from '../evaluate/compile.js';
import { materialise } from '../evaluate/materialise.js';
import { type Frame, type FrameColumn, frameColumn } from '../frame/frame.js';
import type { Column, Expression } from '../plan/expression.js';
import type { Project } from '../plan/plan.js';
import type { Context } from './context.js';
import { cellsOf, reachOf } from './membership.js';

export function project({ columns, expressions }: Project, input: Frame, context: Context): Frame {
  return { ...input, columns: columns.map((column, i) => computed(column, expressions[i], input, context)) };
}

/** The expression over every row of the frame, as a column. */
export function computed(
  column: Column,
  expression: Expression,
  frame: Frame,
  context: Context,
): FrameColumn {
  if (expression.kind === 'column') {
    const source = frameColumn(frame, expression.id);
    if (source !== undefined) return { ...source, column };
  }
  const vector = materialise(compile(expression, frame, context.parameters), null, frame.rows, context.arena);
  return {
    column,
    vector,
    selection: null,
    provenance: cellsOf(frame, [expression]),
    reach: reachOf(frame, [expression]),
  };
}
