/**
 * An agent's log as a database. The log is enough, its policy is not needed; every cell keeps the label that
 * it had, so the label semirings read the session as the guard did.
 */
import { Catalog } from '../../../engine/table/catalog.js';
import type { Design } from '../../agent/decision/design.js';
import { LabelSpace } from '../../agent/label/label-space.js';
import { type ReadLog, readLogFile } from '../../agent/log/index.js';
import type { SessionEvent } from '../../agent/session/event.js';
import { mapLabels } from '../../agent/session/event.js';
import { SessionRelations } from '../../agent/session/session-relations.js';
import { SessionState } from '../../agent/session/session-state.js';
import { Database } from '../../query/index.js';

export interface OpenSession {
  readonly design: Design;
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
  /** Bytes at the end that a killed process left. */
  readonly truncated: number;
}

/** @throws LogError, errors of the file system */
export function openSession(path: string): OpenSession {
  return sessionFromLog(readLogFile(path));
}

export function sessionFromLog({
  header,
  events,
  truncated,
}: Pick<ReadLog, 'header' | 'events' | 'truncated'>): OpenSession {
  return sessionFromEvents(header.design, events, truncated);
}

export function sessionFromEvents(
  design: Design,
  events: readonly SessionEvent[],
  truncated = 0,
): OpenSession {
  const space = new LabelSpace();
  const state = new SessionState(space, design);
  for (const event of events) state.apply(mapLabels(event, (label) => space.intern(label)));
  return { design, events, state, truncated };
}

/** The session's tables, its cells labelled. */
export function databaseOf({ state }: OpenSession): Database {
  const relations = new SessionRelations(state);
  const tables = relations.tables();
  const catalog = new Catalog(relations.tokens);
  for (const table of tables.values()) catalog.add(table);
  const database = new Database({}, catalog);
  for (let token = 0; token < relations.tokens.count; token++)
    database.valuations.label([token], relations.labelOf(token));
  return database;
}
