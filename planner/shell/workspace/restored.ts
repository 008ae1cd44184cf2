/**
 * What a saved database says about its tokens, as the shell lists it: labels and values that were given, and
 * what the history must not hold. A table that was labelled as a whole is found again as one line, with its
 * exceptions after it.
 */
import type { Token } from '../../../engine/provenance/token.js';
import { show, showLabel } from '../../../semiring/index.js';
import type { Database } from '../../query/index.js';
import { tokensOf } from '../../query/table-tokens.js';
import { rowTokensOf } from '../input/token-names.js';
import type { Workspace } from './workspace.js';

/** Fills the lists of a workspace whose database has been opened. */
export function restoreLists({ database, labels, values, secrets, tokens }: Workspace): void {
  const given = database.valuations.labels;
  const shown = new Map([...given].map(([token, label]) => [token, showLabel(label)]));
  const byText = new Map([...given.values()].map((label) => [showLabel(label), label]));
  for (const [what, text] of listed(database, shown, tokensOf, tokens.nameOf)) {
    const label = byText.get(text);
    if (label) labels.set(what, label);
  }
  secrets.addWhere(database, (token) => (given.get(token)?.readers ?? 'everyone') !== 'everyone');
  for (const [semiring, worth] of database.valuations.values) {
    const texts = new Map([...worth].map(([token, value]) => [token, show(semiring, value)]));
    for (const [what, value] of listed(database, texts, rowTokensOf, tokens.nameOf))
      values.set(`${what} ${semiring.name}`, { what, semiring: semiring.name, value });
  }
}

/**
 * Names with what is said of them: a table for most of its tokens, where something is said of all of them.
 */
function* listed(
  { tables }: Database,
  said: ReadonlyMap<Token, string>,
  ofTable: (table: Database['tables'][number]) => Iterable<Token>,
  nameOf: (token: Token) => string,
): Iterable<readonly [what: string, text: string]> {
  const rest = new Map(said);
  for (const table of tables) {
    const own = [...ofTable(table)];
    if (own.length === 0 || !own.every((token) => said.has(token))) continue;
    const usual = mostFrequent(own.map((token) => said.get(token) ?? ''));
    yield [table.name, usual];
    for (const token of own) if (said.get(token) === usual) rest.delete(token);
  }
  for (const [token, text] of rest) yield [nameOf(token), text];
}

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  let best = texts[0];
  for (const text of texts) {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count > (counts.get(best) ?? 0)) best = text;
  }
  return best;
}
