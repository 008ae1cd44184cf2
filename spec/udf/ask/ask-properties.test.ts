/**
 * Laws of `ask` over generated plans with calls anywhere in them. The model here is a function of its input,
 * so that the plan with that function in place of `ask` says what must come out. Properties:
 * 1. the same values;
 * 2. the provenance is that of the plain plan times answers' tokens: with those read as 1 it is the same;
 * 3. noninterference: what is trusted of the answer does not depend on what is not;
 * 4. 1 and 2 also where the engine runs the stages and the resolved plan;
 * 5. an estimate of a plan whose questions do not depend on answers is exact.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Expression, freshColumn, type ScalarFunction } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { mapOperands } from '../../../engine/plan/traverse-expression.js';
import { mapPlanExpressions } from '../../../engine/plan/traverse-plan.js';
import { Tokens } from '../../../engine/provenance/token.js';
import type { Table } from '../../../engine/table/table.js';
import type { Type, Value } from '../../../engine/value/value.js';
import { optimize } from '../../../planner/query/optimize/optimize.js';
import { Natural } from '../../../semiring/instances/natural.js';
import type { Integrity } from '../../../semiring/label/label.js';
import { alternativeIntegrity } from '../../../semiring/label/label-semiring.js';
import { AskError } from '../../../udf/ask/ask-error.js';
import { AskFunctions } from '../../../udf/ask/ask-functions.js';
import { type RunPlan, runByEngine } from '../../../udf/ask/run-plan.js';
import type { AnswerType } from '../../../udf/model/answer-type.js';
import { type AnswerRow, engineAnswer, modelAnswer, runs, showValues } from '../../engine/answers.js';
import { databases, load } from '../../engine/generated-database.js';
import { planOf, recipes } from '../../engine/generated-plan.js';
import { loadLabelled, type Observer, twins, visiblePart } from '../../engine/generated-twins.js';
import { type Asked, baseOfTable, computingModel, runReference, text } from './ask-scene.js';

/** One-to-one in every type, so that an order by answers is total where that by inputs is. */
function transform(value: Value, type: Type): Value {
  if (value === null) return null;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return type === 'date' ? value + 1 : -value;
  return `${String(value)}!`;
}

const answerTypes = new Map<Type, AnswerType>([
  ['boolean', { kind: 'boolean' }],
  ['integer', { kind: 'integer' }],
  ['float', { kind: 'number' }],
  ['text', { kind: 'text' }],
  ['date', { kind: 'date' }],
]);

/** The same function as the model sees it: the question names the type, dates are text. */
function transformJson({ question, inputs }: Asked): unknown {
  const [value] = inputs.values();
  if (question !== 'date') return transform(value as Value, question as Type);
  return new Date(Date.parse(String(value)) + 86_400_000).toISOString().slice(0, 10);
}

const plain: ScalarFunction = {
  name: 'transform',
  resolve: ([type]) => type,
  evaluate: ([value], [type]) => transform(value, type),
};

/** Every column reference that `pick` picks becomes `over` of it. */
function wrap(
  plan: LogicalPlan,
  picks: readonly boolean[],
  over: (column: Expression) => Expression,
): LogicalPlan {
  let at = 0;
  const change = (expression: Expression): Expression => {
    if (expression.kind !== 'column') return mapOperands(expression, change);
    at += 1;
    return picks[at % picks.length] && answerTypes.has(expression.type) ? over(expression) : expression;
  };
  return mapPlanExpressions(plan, change);
}

const picks = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });

function withAsks(plan: LogicalPlan, chosen: readonly boolean[], asks: AskFunctions): LogicalPlan {
  return wrap(plan, chosen, (column) =>
    asks.vocabulary.call(text(column.type), [column], answerTypes.get(column.type) ?? assert.fail()),
  );
}

const withPlain = (plan: LogicalPlan, chosen: readonly boolean[]): LogicalPlan =>
  wrap(plan, chosen, (column) => ({ kind: 'call', function: plain, arguments: [column], type: column.type }));

/** The resolved plan, or undefined where a call stands in a place that is refused. */
async function resolve(
  asks: AskFunctions,
  plan: LogicalPlan,
  run: RunPlan = runReference,
): Promise<LogicalPlan | undefined> {
  try {
    return (await asks.resolve(plan, run)).plan;
  } catch (error) {
    if (error instanceof AskError && error.code === 'ask/place') return undefined;
    throw error;
  }
}

const bag = (rows: readonly AnswerRow<unknown>[]) => rows.map((row) => showValues(row.values)).sort();

describe('ask over generated plans', () => {
  it("gives the values of the plan with the model's function in its place", async () => {
    let resolved = 0;
    await fc.assert(
      fc.asyncProperty(databases(), recipes(), picks, async (database, recipe, chosen) => {
        const { tokens, tables } = load(database);
        const plan = planOf(recipe, tables, { determinate: true });
        const asks = new AskFunctions(computingModel(transformJson), tokens);
        const lifted = await resolve(asks, withAsks(plan, chosen, asks));
        if (lifted === undefined) return;
        resolved += 1;
        assert.deepEqual(
          columnsOf(lifted).map((one) => one.id),
          columnsOf(plan).map((one) => one.id),
        );
        const count = baseOfTable(Natural.one, () => Natural.one);
        assert.deepEqual(
          bag(modelAnswer(lifted, count, Natural)),
          bag(modelAnswer(withPlain(plan, chosen), count, Natural)),
        );
      }),
      runs(200),
    );
    assert.ok(resolved > 100, `only ${resolved} plans were resolved`);
  });

  it('gives the provenance of that plan, times the tokens of answers', async () => {
    await fc.assert(
      fc.asyncProperty(databases(), recipes(), picks, async (database, recipe, chosen) => {
        const { tokens, tables } = load(database);
        const plan = planOf(recipe, tables, { determinate: true });
        const asks = new AskFunctions(computingModel(transformJson), tokens);
        const lifted = await resolve(asks, withAsks(plan, chosen, asks));
        if (lifted === undefined) return;
        // Each base token a number of its own, each answer's token 1. Cells are 1: an answer's join reads
        // them.
        const isBase = (token: number) => asks.answeredBy(token) === undefined;
        const base = baseOfTable(Natural.one, (token) => (isBase(token) ? token + 2 : Natural.one));
        const rows = (of: LogicalPlan) =>
          modelAnswer(
            of,
            (table) => {
              const whole = base(table);
              return {
                ...whole,
                rows: whole.rows.map((row) => ({ ...row, cells: row.cells.map(() => Natural.one) })),
              };
            },
            Natural,
          )
            .map((row) => showValues([row.values, row.ann]))
            .sort();
        assert.deepEqual(rows(lifted), rows(withPlain(plan, chosen)));
      }),
      runs(150),
    );
  });

  it('has these values and this provenance when the engine runs its stages and the optimised plan', async () => {
    await fc.assert(
      fc.asyncProperty(databases(), recipes(), picks, async (database, recipe, chosen) => {
        const { tokens, tables, origins } = load(database);
        const plan = planOf(recipe, tables, { determinate: true });
        const asks = new AskFunctions(computingModel(transformJson), tokens);
        const lifted = await resolve(asks, optimize(withAsks(plan, chosen, asks)).plan, runByEngine());
        if (lifted === undefined) return;
        const value = (token: number) => (origins.get(token)?.kind === 'row' ? token + 2 : 1);
        const rows = (of: LogicalPlan) =>
          engineAnswer(of, value, Natural)
            .map((row) => showValues([row.values, row.ann]))
            .sort();
        assert.deepEqual(rows(lifted), rows(withPlain(plan, chosen)));
      }),
      runs(150),
    );
  });

  it('does not let what is untrusted change what is trusted', async () => {
    const trusted: Observer<Integrity> = {
      visible: fc.constant('T'),
      hidden: fc.constant('U'),
      sees: (label) => label === 'T',
    };
    await fc.assert(
      fc.asyncProperty(twins(databases(), trusted), recipes(), picks, async (pair, recipe, chosen) => {
        const seen: (readonly string[])[] = [];
        for (const side of pair) {
          const { tokens, tables, labelOf } = loadLabelled(side);
          const plan = planOf(recipe, tables, { determinate: false });
          const asks = new AskFunctions(computingModel(transformJson), tokens);
          const lifted = await resolve(asks, withAsks(plan, chosen, asks));
          if (lifted === undefined) return;
          // The model itself is trusted.
          const label = (token: number): Integrity =>
            asks.answeredBy(token) === undefined ? labelOf(token) : 'T';
          const rows = modelAnswer(lifted, baseOfTable<Integrity>('T', label), alternativeIntegrity);
          seen.push(visiblePart(rows, trusted.sees, plan.kind === 'sort'));
        }
        assert.deepEqual(seen[0], seen[1]);
      }),
      runs(250),
    );
  });

  it('taints every cell that an untrusted model answered, and no row that no answer was read for', async () => {
    await fc.assert(
      fc.asyncProperty(databases(), async (database) => {
        const { tokens, tables } = load(database);
        const asks = new AskFunctions(computingModel(transformJson), tokens);
        const lifted = await resolve(asks, withAsks(selectAll(tables[0]), [true], asks));
        assert.ok(lifted);
        const label = (token: number): Integrity => (asks.answeredBy(token) === undefined ? 'T' : 'U');
        const rows = modelAnswer(lifted, baseOfTable<Integrity>('T', label), alternativeIntegrity);
        assert.equal(rows.length, tables[0].rowCount);
        for (const row of rows) {
          assert.equal(row.ann, 'T');
          for (const cell of row.cells) assert.equal(cell, 'U');
        }
      }),
      runs(50),
    );
  });

  it('is estimated exactly where no question depends on an answer', async () => {
    await fc.assert(
      fc.asyncProperty(databases(), recipes(), picks, async (database, recipe, chosen) => {
        const { tokens, tables } = load(database);
        const plan = planOf(recipe, tables, { determinate: true });
        const model = computingModel(transformJson);
        const asks = new AskFunctions(model, tokens);
        const asked = withAsks(plan, chosen, asks);
        if (
          (await resolve(new AskFunctions(computingModel(transformJson), new Tokens()), asked)) === undefined
        )
          return;
        const estimate = await asks.estimate(asked, runReference);
        assert.equal(model.asked.length, 0);
        await asks.resolve(asked, runReference);
        if (estimate.exact) assert.equal(model.asked.length, estimate.calls);
      }),
      runs(100),
    );
  });
});

function selectAll(table: Table): LogicalPlan {
  const columns = table.columns.map(({ name, type }) => freshColumn(name, type));
  const input: LogicalPlan = { kind: 'scan', table, columns, indexes: [...columns.keys()] };
  const expressions = columns.map(({ id, type }): Expression => ({ kind: 'column', id, type }));
  return { kind: 'project', input, columns, expressions };
}
