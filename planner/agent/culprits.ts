/**
 * What stands in a call's way: the cells that made the context untrusted, or unreadable for a recipient. The one
 * thing to know: it is a query on the session's relations, and the cells are the witnesses of its rows, read in Why.
 */
import { from } from '../../engine/builder.js';
import { and, col, eq, isIn, lt, not, type Term } from '../../engine/term.js';
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

/**
 * The cells, seen before `turn`, that brought a violation's label into the context; none for a violation that labels
 * do not explain. A cell that only took over the label of its call is a consequence, and is not listed.
 */
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
    .filter(and(lt(col('seen.turn'), turn), guilty('seen')))
    .join(from(relations.calls), and(eq(col('seen.call'), col('calls.call')), not(guilty('calls'))))
    .project({ call: col('seen.call'), tool: col('seen.tool'), field: col('seen.field') })
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

/** The condition on the label columns of a relation under which they explain the violation. */
function guiltyLabel(
  state: SessionState,
  violation: Violation,
  user: string,
): ((relation: string) => Term) | undefined {
  switch (violation.kind) {
    case 'untrusted':
    case 'link':
      return (relation) => eq(col(`${relation}.integrity`), 'U');
    case 'unreadable': {
      const recipients: Readers =
        violation.recipients === 'everyone' ? 'everyone' : new Set(violation.recipients);
      const narrow = new Set<string>();
      for (const { label } of state.cells) {
        if (!mayRead(recipients, label.readers, user)) narrow.add(showReaders(label.readers));
      }
      if (narrow.size === 0) return undefined;
      return (relation) => isIn(col(`${relation}.readers`), ...narrow);
    }
    case 'consequential':
    case 'unresolved':
      return undefined;
  }
}
