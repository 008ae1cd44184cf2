/**
 * What stands in a call's way: the cells that made the context untrusted, or unreadable for a recipient. It
 * is a query on the session's relations, and the cells are the witnesses of its rows, read in Why.
 */
import { from, type Query } from '../../../engine/builder/query.js';
import { and, col, eq, isIn, lt, not, type Term } from '../../../engine/builder/term.js';
import { Why, witness } from '../../../semiring/instances/why.js';
import { type Readers, showReaders } from '../../../semiring/label/label.js';
import { evaluate } from '../../../semiring/polynomial/polynomial.js';
import type { Violation } from '../decision/decide.js';
import { mayRead } from '../label/principals.js';
import type { SessionRelations } from '../session/session-relations.js';
import type { Cell, SessionState } from '../session/session-state.js';

/** Cells of one field of one call's result. */
export interface Culprit {
  /** `read_file #2`, or the name of a quarantined answer. */
  readonly source: string;
  /** 0 for a quarantined answer. */
  readonly call: number;
  readonly tool: string;
  readonly field: string;
  readonly cells: readonly Cell[];
}

/**
 * The cells, seen before `turn`, that brought a violation's label into the context; none for a violation that
 * labels do not explain. A cell that only took over the label of its call is a consequence, and is not
 * listed.
 */
export function culprits(
  state: SessionState,
  relations: SessionRelations,
  turn: number,
  violation: Violation,
  user: string,
): Culprit[] {
  const guilty = guiltyCells(state, relations, turn, violation, user);
  if (guilty === undefined) return [];
  const untrusted = violation.kind !== 'unreadable';
  const rows = guilty.project(['call', 'tool', 'field']).distinct().run();
  const found = rows.rows().map((row, at) => ({
    source: row[0] === 0 ? String(row[2]) : `${row[1]} #${row[0]}`,
    call: Number(row[0]),
    tool: String(row[1]),
    field: String(row[2]),
    // Read when somebody looks: a result may have thousands of cells, of which a few are shown.
    get cells() {
      const witnesses = evaluate(rows.polynomial(at), Why, (token) => witness(token));
      const cells = witnesses.flatMap((tokens) => tokens.flatMap((token) => relations.cellOf(token) ?? []));
      return untrusted ? cells.filter((cell) => !state.isCertified(cell)) : cells;
    },
  }));
  // What a human has certified is no reason any more.
  return untrusted && state.endorsed.size > 0 ? found.filter(({ cells }) => cells.length > 0) : found;
}

/** The calls of {@link culprits} alone: `read_file #2`. Cheaper, since no cell is looked at. */
export function sources(
  state: SessionState,
  relations: SessionRelations,
  turn: number,
  violation: Violation,
  user: string,
): string[] {
  if (state.endorsed.size > 0) {
    return [...new Set(culprits(state, relations, turn, violation, user).map(({ source }) => source))];
  }
  const names = (calls: readonly number[]) =>
    calls.map((call) => {
      const record = state.call(call);
      return record ? `${record.tool} #${call}` : 'an answer of the quarantined model';
    });
  if (violation.kind !== 'unreadable') {
    const untrusted =
      violation.kind === 'untrusted' || violation.kind === 'link' ? state.untrustedBefore(turn) : [];
    return names(untrusted.filter((call) => state.call(call)?.label.integrity !== 'U'));
  }
  const query = guiltyCells(state, relations, turn, violation, user);
  if (query === undefined) return [];
  const calls = query.project(['call']).distinct().run({ capture: false, pool: relations.pool });
  const found = names(calls.rows().map(([call]) => Number(call)));
  calls.release();
  return found;
}

/** What was seen before `turn` and brought the violation's label into the context. */
function guiltyCells(
  state: SessionState,
  relations: SessionRelations,
  turn: number,
  violation: Violation,
  user: string,
): Query | undefined {
  const guilty = guiltyLabel(state, violation, user);
  if (guilty === undefined) return undefined;
  return from(relations.seen).filter(
    and(lt(col('turn'), turn), guilty('integrity', 'readers'), not(guilty('call_integrity', 'call_readers'))),
  );
}

/** The condition on two label columns under which they explain the violation. */
function guiltyLabel(
  state: SessionState,
  violation: Violation,
  user: string,
): ((integrity: string, readers: string) => Term) | undefined {
  switch (violation.kind) {
    case 'untrusted':
    case 'link':
      return (integrity) => eq(col(integrity), 'U');
    case 'unreadable': {
      const recipients: Readers =
        violation.recipients === 'everyone' ? 'everyone' : new Set(violation.recipients);
      const narrow = new Set<string>();
      for (const { label } of state.cells) {
        if (!mayRead(recipients, label.readers, user)) narrow.add(showReaders(label.readers));
      }
      if (narrow.size === 0) return undefined;
      return (_, readers) => isIn(col(readers), ...narrow);
    }
    case 'consequential':
    case 'unresolved':
      return undefined;
  }
}
