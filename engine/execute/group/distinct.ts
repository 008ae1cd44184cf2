/** Distinct: the sum over the equal rows of ann · P(all columns); cells 1. */
import { type Frame, select } from '../../frame/frame.js';
import type { Distinct } from '../../plan/plan.js';
import type { Context } from '../context.js';
import { membershipOfWhole } from '../membership.js';
import { Collapsed } from './collapse.js';
import { groupRows } from './grouping.js';

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
    annotation: new Collapsed(
      input,
      input.columns.flatMap((column) => column.provenance),
      group,
      arena,
    ).sum(count),
    membership: membershipOfWhole(input),
    present: presentGroups(input.present, group, input.rows, count),
  };
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
