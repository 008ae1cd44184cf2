/** Distinct: the sum over the equal rows of ann · P(all columns); cells 1. */
import { sumBy } from '../circuit.js';
import { type Factor, type Frame, productNode, select } from '../frame.js';
import type { Distinct } from '../plan.js';
import type { Context } from './context.js';
import { groupRows } from './grouping.js';
import { membershipOfWhole } from './membership.js';

export function distinct({ bindings }: Distinct, input: Frame, context: Context): Frame {
  const { arena, capture } = context;
  const { group, count, first } = groupRows(input.columns, input.rows, arena);
  const frame = select({ ...input, annotation: [] }, arena, first, count);
  const bare = frame.columns.map((column) => ({ ...column, provenance: [], reach: [], tensor: undefined }));
  if (!capture || bindings) {
    arena.free(group);
    return { ...frame, columns: bare, membership: [], present: null };
  }
  return {
    ...frame,
    columns: bare,
    annotation: sumOver(
      input,
      input.columns.flatMap((column) => column.provenance),
      group,
      count,
    ),
    membership: membershipOfWhole(input),
    present: presentGroups(input.present, group, input.rows, count),
  };
}

/** Σ over each group of ann · cells. What is the same in every row stays outside of the sum. */
export function sumOver(
  input: Frame,
  cells: readonly Factor[],
  group: Int32Array,
  groups: number,
): readonly Factor[] {
  const factors = [...input.annotation, ...cells];
  const constant = factors.filter((factor) => factor.constant === true);
  const varying = factors.filter((factor) => factor.constant !== true);
  return [...constant, { node: sumBy(productNode(varying, input.rows), group, groups), selection: null }];
}

/** A group is present where one of its rows is. */
export function presentGroups(
  present: Uint8Array | null,
  group: Int32Array,
  rows: number,
  groups: number,
): Uint8Array | null {
  if (present === null) return null;
  const flags = new Uint8Array(groups);
  for (let i = 0; i < rows; i++) flags[group[i]] |= present[i];
  return flags;
}
