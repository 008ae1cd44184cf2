/**
 * What stands in a call's way: the cells that made the context untrusted, or unreadable for a recipient. The one
 * thing to know: it is a query on the session's relations, and the cells are the witnesses of its rows, read in Why.
 */
import { from } from '../../engine/builder.js';
import { and, col, eq, isIn, lt } from '../../engine/term.js';
import { type Readers, showReaders } from '../../semiring/label.js';
import { Why, witness } from '../../semiring/why.js';
import type { Violation } from './decide.js';
import { mayRead } from './principals.js';
import type { SessionRelations } from './session-relations.js';
import type { Cell, SessionState } from './session-state.js';

/** Cells of one field of one call's result. */
export interface Culprit {
  readonly call: number;
  readonly tool: string;
  readonly field: string;
  readonly cells: readonly Cell[];
}

/** The cells, seen before `turn`, whose label is the reason for a violation; none for one that labels do not explain. */
export function culprits(
  state: SessionState,
  relations: SessionRelations,
  turn: number,
  violation: Violation,
  user: string,
): Culprit[] {
  const guilty = guiltyLabel(state, violation, user);
  if (guilty === undefined) return [];
  const rows = from(relations.seen)
    .filter(and(lt(col('turn'), turn), guilty))
    .project(['call', 'tool', 'field'])
    .distinct()
    .run();
  const reading = rows.annotate(Why, (token) => witness(token));
  return rows.rows().map((row, at) => ({
    call: Number(row[0]),
    tool: String(row[1]),
    field: String(row[2]),
    cells: reading.at(at).flatMap((tokens) => tokens.flatMap((token) => relations.cellOf(token) ?? [])),
  }));
}

/** The condition on a seen cell's label under which it explains the violation. */
function guiltyLabel(state: SessionState, violation: Violation, user: string) {
  switch (violation.kind) {
    case 'untrusted':
    case 'link':
      return eq(col('integrity'), 'U');
    case 'unreadable': {
      const recipients: Readers =
        violation.recipients === 'everyone' ? 'everyone' : new Set(violation.recipients);
      const narrow = new Set<string>();
      for (const { label } of state.cells) {
        if (!mayRead(recipients, label.readers, user)) narrow.add(showReaders(label.readers));
      }
      return narrow.size === 0 ? undefined : isIn(col('readers'), ...narrow);
    }
    case 'consequential':
    case 'unresolved':
      return undefined;
  }
}
