/**
 * Generated SQL text, with provenance: the optimised plan has the same rows, annotations, cells and labels as
 * the plan that decorrelation alone leaves, and the engine runs it as the reference model does, in N[X].
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import { decorrelate } from '../../planner/query/decorrelate/decorrelate.js';
import { UnsupportedSubquery } from '../../planner/query/decorrelate/unsupported-subquery.js';
import { optimize } from '../../planner/query/optimize/optimize.js';
import { parametersOf } from '../../planner/query/parameters.js';
import { show } from '../../semiring/contract/semiring.js';
import { Polynomials, token } from '../../semiring/polynomial/polynomial.js';
import { type AnswerRow, engineAnswer, modelAnswer, runs, showValues } from './answers.js';
import { boundQuery } from './bound-query.js';
import { baseOf, load } from './generated-database.js';
import { sqlQueries } from './generated-sql.js';
import { sqlDatabases } from './generated-sql-schema.js';
import { assertSameAnswer } from './rewriting.js';

/** Undefined where the query holds a subquery that is refused by name. */
function unlessRefused(rewrite: () => LogicalPlan): LogicalPlan | undefined {
  try {
    return rewrite();
  } catch (error) {
    if (error instanceof UnsupportedSubquery) return undefined;
    throw error;
  }
}

function shown(rows: readonly AnswerRow<typeof Polynomials.one>[]): string[] {
  return rows
    .map((row) =>
      [row.ann, ...row.cells].reduce((line, k) => `${line}  ${show(Polynomials, k)}`, showValues(row.values)),
    )
    .sort();
}

describe('generated SQL', () => {
  it('keeps its annotations and labels through the optimiser and the engine', async () => {
    const property = fc.asyncProperty(
      sqlDatabases(3),
      sqlQueries(60),
      async (database, { text, parameters }) => {
        const loaded = load(database);
        const { plan } = await boundQuery(text, loaded.tables, parameters);
        const { values } = parametersOf(parameters);
        const before = unlessRefused(() => decorrelate(plan));
        if (!before) return;
        const { plan: after } = optimize(plan);
        assertSameAnswer(text, before, after, database, loaded, true, values);
        const base = baseOf(database, loaded, Polynomials.one, token);
        const model = modelAnswer(after, base, Polynomials, 'present', values);
        assert.deepEqual(
          shown(engineAnswer(after, token, Polynomials, 'present', values)),
          shown(model),
          text,
        );
      },
    );
    await fc.assert(property, runs(400));
  });
});
