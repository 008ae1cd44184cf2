/** The rows of tables that a result's rows come from. */

import { read } from '../../../engine/provenance/read.js';
import { slice } from '../../../engine/provenance/slice.js';
import type { Token } from '../../../engine/provenance/token.js';
import { external } from '../../../engine/value/external.js';
import { valueAt } from '../../../engine/value/vector.js';
import { Lin } from '../../../semiring/index.js';
import type { Database, Result } from '../../query/index.js';
import { factOf } from '../../query/why/facts.js';
import { cellText } from '../format/column.js';

/**
 * `[row, token, table, input row, values]`, lazily.
 * @param answerOf what a token of no table stands for
 */
export function* inputsOfRow(
  database: Database,
  result: Result,
  rows: readonly number[],
  nameOf: (token: Token) => string,
  answerOf: (token: Token) => string | undefined = () => undefined,
): Generator<unknown[]> {
  const valuation = database.valuations.of(Lin);
  for (const row of rows) {
    const tokens = read(slice(result.relation.annotation, [row]), Lin, valuation).at(0);
    for (const token of tokens ?? []) {
      const fact = factOf(token, database.tables);
      const values = fact?.row === undefined ? undefined : valuesOf(database, fact.table, fact.row);
      yield [
        row + 1,
        nameOf(token),
        fact?.table ?? null,
        fact?.row === undefined ? null : fact.row + 1,
        values ?? answerOf(token) ?? null,
      ];
    }
  }
}

function valuesOf(database: Database, name: string, row: number): string {
  const table = database.table(name);
  return table.columns
    .map((column, c) => cellText(external(valueAt(table.vector(c), row), column.type)) ?? 'NULL')
    .join(', ');
}
