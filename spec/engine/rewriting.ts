/**
 * The property of every rewrite rule: on generated databases and plans, the rewritten plan puts out the same
 * columns and the same rows with the same annotations and cells in N[X]; and the same labels, since the label
 * of an answer must not depend on which plan the optimiser chose. Judged by the reference model, so that no
 * fault of the executor can hide one.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import type { Value } from '../../engine/value/value.js';
import { type Semiring, show } from '../../semiring/contract/semiring.js';
import { alternativeIntegrity } from '../../semiring/label/label-semiring.js';
import { Polynomials, token } from '../../semiring/polynomial/polynomial.js';
import { modelAnswer, runs, showValues } from './answers.js';
import { baseOf, type DatabaseDescription, databases, type Loaded, load } from './generated-database.js';
import { allOperators, type Operator, outline, planOf, recipes } from './generated-plan.js';

export interface RewriteCheck {
  /** Which operators the generated plans use. Default: all. */
  readonly operators?: readonly Operator[];
  /** The full length; default 300. */
  readonly numRuns?: number;
  /** Whether labels must stay, too. Default true. */
  readonly labels?: boolean;
  readonly seed?: number;
}

/**
 * @param rewrite the rule, tried anywhere in the plan: the same object, or undefined, where it does not apply
 * @throws AssertionError where a rewritten plan differs, or where the rule never fired
 */
export function assertRewriteKeepsAnnotations(
  name: string,
  rewrite: (plan: LogicalPlan) => LogicalPlan | undefined,
  { operators = allOperators, numRuns = 300, labels = true, seed }: RewriteCheck = {},
): void {
  let fired = 0;
  const property = fc.property(databases(), recipes(operators), (database, recipe) => {
    const loaded = load(database);
    const before = planOf(recipe, loaded.tables, { determinate: true });
    const after = rewrite(before);
    if (after === undefined || after === before) return;
    fired += 1;
    assertSameAnswer(name, before, after, database, loaded, labels);
  });
  fc.assert(property, { ...runs(numRuns), ...(seed === undefined ? {} : { seed }) });
  assert.ok(fired > 0, `${name} never fired in ${numRuns} generated plans`);
}

export function assertSameAnswer(
  name: string,
  before: LogicalPlan,
  after: LogicalPlan,
  database: DatabaseDescription,
  loaded: Loaded,
  labels = true,
  parameters: readonly Value[] = [],
): void {
  const message = `${name}: ${outline(before)} became ${outline(after)}`;
  const ids = (plan: LogicalPlan) => columnsOf(plan).map((column) => column.id);
  assert.deepEqual(ids(after), ids(before), message);
  const text = <K>(plan: LogicalPlan, semiring: Semiring<K>, valuation: (x: number) => K) =>
    modelAnswer(plan, baseOf(database, loaded, semiring.one, valuation), semiring, 'present', parameters)
      .map((row) =>
        [row.ann, ...row.cells].reduce((line, k) => `${line}  ${show(semiring, k)}`, showValues(row.values)),
      )
      .sort();
  assert.deepEqual(text(after, Polynomials, token), text(before, Polynomials, token), message);
  if (!labels) return;
  const label = (x: number) => (x % 5 === 0 ? 'U' : 'T');
  assert.deepEqual(
    text(after, alternativeIntegrity, label),
    text(before, alternativeIntegrity, label),
    message,
  );
}
