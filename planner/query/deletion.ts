/**
 * What is gone when some tokens are. Only rows and labelled cells can be deleted, and rows that a query made
 * from them go when their last derivation does.
 */

import type { LogicalPlan } from '../../engine/plan/plan.js';
import type { Token, Tokens } from '../../engine/provenance/token.js';
import type { Catalog } from '../../engine/table/catalog.js';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { type Snapshot, tablesOf } from './snapshot.js';
import type { Valuations } from './valuations.js';

/**
 * Says of every token whether it is gone; undefined where none is.
 * @throws AssayError `engine/unknown-token`, `query/no-row-token`
 */
export function deletionOf(
  deleted: ReadonlySet<Token>,
  { catalog, valuations }: { readonly catalog: Catalog; readonly valuations: Valuations },
): ((token: Token) => boolean) | undefined {
  if (deleted.size === 0) return undefined;
  for (const token of deleted) catalog.tokens.checkIssued(token);
  for (const { name, membership } of catalog.tables) {
    if (membership === undefined || !deleted.has(membership)) continue;
    throw new AssayError(
      'query/no-row-token',
      `${catalog.tokens.nameOf(membership)} stands for who may add or remove rows of ${JSON.stringify(visibleText(name))}, not for a row: give its rows' tokens`,
    );
  }
  const remains = valuations.remaining(deleted);
  return (token) => !remains(token);
}

/**
 * A model's answer is no row of a database: without it nobody knows what the query would say.
 * @param plan the model's answers are tables in it that the snapshot does not know
 * @throws AssayError `query/no-row-token`
 */
export function checkAnswersStay(
  plan: LogicalPlan,
  snapshot: Snapshot,
  isDeleted: (token: Token) => boolean,
  tokens: Tokens,
): void {
  for (const table of tablesOf(plan)) {
    if (snapshot.has(table)) continue;
    for (let row = 0; row < table.rowCount; row++) {
      const token = table.rowToken(row);
      if (!isDeleted(token)) continue;
      throw new AssayError(
        'query/no-row-token',
        `${tokens.nameOf(token)} is an answer of the model, not a row: delete the rows that it was asked about`,
      );
    }
  }
}
