/**
 * What a shell has open: a database, its tokens' names, and perhaps an agent's session and a policy. `.open`
 * and `.session` replace all of it at once, so nothing of one database is ever read with another's names.
 */

import type { Label } from '../../../semiring/label/label.js';
import { Database, type Result } from '../../query/index.js';
import { cellText } from '../format/column.js';
import { TokenNames } from '../input/token-names.js';
import type { OpenSession } from './open-session.js';
import { Secrets } from './secrets.js';

/** A query that has been run, and its answer. */
export interface LastQuery {
  readonly sql: string;
  readonly result: Result;
}

export class Workspace {
  readonly database: Database;
  readonly tokens: TokenNames;
  /** In the prompt; undefined for a database that is in memory only. */
  readonly name: string | undefined;
  /** The session whose log this is. */
  readonly session: OpenSession | undefined;
  last: LastQuery | undefined;
  /** Labels that were given, by what was typed. */
  readonly labels = new Map<string, Label>();
  /** Values of tokens that were given, by token and semiring. */
  readonly values = new Map<
    string,
    { readonly what: string; readonly semiring: string; readonly value: string }
  >();
  /** What the history must not hold. */
  readonly secrets = new Secrets();

  constructor(database: Database = new Database(), name?: string, session?: OpenSession) {
    this.database = database;
    this.tokens = new TokenNames(database);
    this.name = name;
    this.session = session;
    for (const { value, label } of session?.state.cells ?? []) {
      if (label.readers !== 'everyone') this.secrets.addValue(cellText(value));
    }
  }
}
