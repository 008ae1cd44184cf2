/**
 * Only what is needed is asked. Properties, against SQL's evaluation of one row at a time written out in
 * row-by-row.ts, over random expressions with calls, and with a function that fails, anywhere in them:
 * 1. the values are the same;
 * 2. asked is each distinct question that some row comes to, and no other (in the plan that the planner made
 *    of it);
 * 3. there is an error only where a row comes to an operand that fails;
 * 4. every row and cell reads what the expression reads, whether it was asked about or not.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Column,
  type Expression,
  freshColumn,
  type ScalarFunction,
} from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan } from '../../../engine/plan/plan.js';
import { conjunction, conjuncts, mapOperands } from '../../../engine/plan/traverse-expression.js';
import type { Table } from '../../../engine/table/table.js';
import type { Value } from '../../../engine/value/value.js';
import { valueAt } from '../../../engine/value/vector.js';
import { Database } from '../../../planner/query/database.js';
import { optimize } from '../../../planner/query/optimize/optimize.js';
import { bottom, type Label, Lin, showLabel } from '../../../semiring/index.js';
import { conservativeLabels } from '../../../semiring/label/label-semiring.js';
import { AssayError } from '../../../semiring/message/error.js';
import { type AskCall, isAskCall } from '../../../udf/ask/ask-function.js';
import { AskFunctions } from '../../../udf/ask/ask-functions.js';
import { runByEngine } from '../../../udf/ask/run-plan.js';
import type { AnswerType } from '../../../udf/model/answer-type.js';
import { engineAnswer, runs, showValues } from '../../engine/answers.js';
import { type ColumnType, databases, load } from '../../engine/generated-database.js';
import { expressionOf, shapes } from '../../engine/generated-expression.js';
import { type Asked, type ComputingModel, computingModel, text } from './ask-scene.js';
import { asksIn, evaluateRow } from './row-by-row.js';

const answerTypes = new Map<string, AnswerType>([
  ['boolean', { kind: 'boolean' }],
  ['integer', { kind: 'integer' }],
  ['float', { kind: 'number' }],
  ['text', { kind: 'text' }],
]);

function reply(value: unknown): Value {
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? 1 - value : `${String(value)}!`;
}

/** Fails for what is often in the data. */
const fragile: ScalarFunction = {
  name: 'fragile',
  resolve: ([type]) => type,
  evaluate: ([value]) => {
    if (value === 1 || value === 'ab') throw new AssayError('test/fragile', 'it broke');
    return value;
  },
};

/** What becomes of each column in turn. */
type Wrap = 'column' | 'ask' | 'ask twice' | 'fragile' | 'ask fragile';

const wraps = (...more: Wrap[]) =>
  fc.array(fc.constantFrom<Wrap>('column', 'ask', 'ask', 'ask twice', ...more), {
    minLength: 1,
    maxLength: 7,
  });

function wrapped(expression: Expression, how: readonly Wrap[], asks: AskFunctions): Expression {
  let at = 0;
  const change = (inner: Expression): Expression => {
    if (inner.kind !== 'column') return mapOperands(inner, change);
    const type = answerTypes.get(inner.type);
    const ask = (of: Expression): Expression =>
      type === undefined ? of : asks.vocabulary.call(text(inner.type), [of], type);
    const failing: Expression = { kind: 'call', function: fragile, arguments: [inner], type: inner.type };
    switch (how[at++ % how.length]) {
      case 'column':
        return inner;
      case 'ask':
        return ask(inner);
      case 'ask twice':
        return ask(ask(inner));
      case 'fragile':
        return failing;
      case 'ask fragile':
        return ask(failing);
    }
  };
  return change(expression);
}

function scan(table: Table): LogicalPlan {
  const columns = table.columns.map(({ name, type }) => freshColumn(name, type));
  return { kind: 'scan', table, columns, indexes: [...columns.keys()] };
}

function project(input: LogicalPlan, expressions: readonly Expression[]): LogicalPlan {
  return { kind: 'project', input, expressions, columns: expressions.map((e) => freshColumn('c', e.type)) };
}

interface Expected {
  readonly values: readonly string[];
  readonly questions: readonly string[];
}

/** Evaluates row by row; undefined where a row fails. */
function expected(
  table: Table,
  columns: readonly Column[],
  {
    predicate,
    expressions,
  }: { readonly predicate?: Expression; readonly expressions: readonly Expression[] },
  nullStops: boolean,
): Expected | undefined {
  const questions = new Set<string>();
  const values: string[] = [];
  try {
    for (let i = 0; i < table.rowCount; i++) {
      const row = {
        nullStops,
        value: (column: Expression) => {
          const at = columns.findIndex((one) => column.kind === 'column' && one.id === column.id);
          return valueAt(table.vector(at), i);
        },
        ask: ({ arguments: [, of] }: AskCall, [question, cell]: readonly Value[]) => {
          if (cell === null) return null;
          questions.add(JSON.stringify([question, nameOf(of, columns), cell]));
          return reply(cell);
        },
      };
      const tests = [...conjuncts(predicate)].sort((a, b) => asksIn(a) - asksIn(b));
      if (!tests.every((test) => evaluateRow(test, row) === true)) continue;
      values.push(showValues(expressions.map((expression) => evaluateRow(expression, row))));
    }
  } catch (error) {
    if (error instanceof AssayError && error.code === 'test/fragile') return undefined;
    throw error;
  }
  return { values: values.sort(), questions: [...questions].sort() };
}

/** A projection over filters over a scan, taken apart; undefined where the plan is of another form. */
function partsOf(
  plan: LogicalPlan,
  table: Table,
):
  | {
      readonly expressions: readonly Expression[];
      readonly predicate?: Expression;
      readonly columns: readonly Column[];
    }
  | undefined {
  if (plan.kind !== 'project') return undefined;
  let predicates: readonly Expression[] = [];
  let below = plan.input;
  for (; below.kind === 'filter'; below = below.input)
    predicates = [...conjuncts(below.predicate), ...predicates];
  if (below.kind !== 'scan') return undefined;
  const { columns: read, indexes } = below;
  const columns = table.columns.map(
    ({ name, type }, i) => read[indexes.indexOf(i)] ?? freshColumn(name, type),
  );
  const predicate = conjunction(predicates);
  return { expressions: plan.expressions, columns, ...(predicate && { predicate }) };
}

/** What the model reads a cell by. */
function nameOf(cell: Expression, columns: readonly Column[]): string {
  if (cell.kind === 'column') return columns.find(({ id }) => id === cell.id)?.name ?? assert.fail();
  return isAskCall(cell) ? 'ask' : 'input 1';
}

function sent(asked: readonly Asked[]): string[] {
  return asked.map(({ question, inputs }) => JSON.stringify([question, ...[...inputs][0]])).sort();
}

const types: readonly ColumnType[] = ['integer', 'text', 'boolean', 'float'];

describe('ask asks for no more than is needed', () => {
  for (const planned of [false, true]) {
    it(`row by row, in a projection and in a filter${planned ? ', planned' : ''}`, async () => {
      let asked = 0;
      await fc.assert(
        fc.asyncProperty(
          databases({ maxTables: 1, maxRows: 6 }),
          fc.array(fc.tuple(shapes, fc.constantFrom(...types)), { minLength: 1, maxLength: 2 }),
          fc.option(shapes, { nil: undefined }),
          planned ? wraps() : wraps('fragile', 'ask fragile'),
          async (database, made, condition, how) => {
            const { tokens, tables } = load(database);
            const [table] = tables;
            const model = computingModel(({ inputs }) => reply([...inputs.values()][0]));
            const asks = new AskFunctions(model, tokens);
            const input = scan(table);
            const columns = columnsOf(input);
            const expressions = made.map(([shape, type]) =>
              wrapped(expressionOf(shape, type, columns), how, asks),
            );
            const predicate =
              condition && wrapped(expressionOf(condition, 'boolean', columns), [...how].reverse(), asks);
            const from: LogicalPlan = predicate ? { kind: 'filter', input, predicate } : input;
            const plan = project(from, expressions);
            const parts = { expressions, ...(predicate && { predicate }) };
            const chosen = planned ? optimize(plan).plan : plan;
            let values: string[];
            try {
              const resolved = await asks.resolve(chosen, runByEngine());
              values = (await runByEngine()(resolved.plan)).map(showValues).sort();
            } catch (error) {
              assert.ok(error instanceof AssayError && error.code === 'test/fragile', String(error));
              assert.equal(expected(table, columns, parts, false), undefined, 'no row needs what failed');
              return;
            }
            const slow = expected(table, columns, parts, true);
            // An error of a row that a filter on another conjunct drops first is no difference worth having.
            if (slow === undefined) return;
            assert.deepEqual(values, slow.values);
            // The planner folds constants and orders operands anew: what is asked is what its own plan comes
            // to.
            const own = partsOf(chosen, table);
            if (own === undefined) return;
            const { questions } = expected(table, own.columns, own, true) ?? slow;
            assert.deepEqual(sent(model.asked), questions);
            asked += questions.length;
          },
        ),
        runs(400),
      );
      assert.ok(asked > 50, `only ${asked} questions were asked`);
    });
  }

  it('reads what the expression reads, in every row', async () => {
    await fc.assert(
      fc.asyncProperty(
        databases({ maxTables: 1, maxRows: 6 }),
        shapes,
        fc.constantFrom(...types),
        wraps(),
        async (database, shape, type, how) => {
          const { tokens, tables } = load(database);
          const asks = new AskFunctions(
            computingModel(({ inputs }) => reply([...inputs.values()][0])),
            tokens,
          );
          const input = scan(tables[0]);
          const expression = expressionOf(shape, type, columnsOf(input));
          const asking = project(input, [wrapped(expression, how, asks)]);
          const { plan } = await asks.resolve(asking, runByEngine());
          const lineage = (of: LogicalPlan) =>
            engineAnswer(of, (token) => (asks.answeredBy(token) ? Lin.one : [token]), Lin).map((row) =>
              showValues([row.ann, ...row.cells]),
            );
          assert.deepEqual(lineage(plan), lineage(project(input, [expression])));
        },
      ),
      runs(200),
    );
  });

  const bodies = [
    { id: 1, known: null, body: 'one' },
    { id: 2, known: 'calm', body: 'two' },
    { id: 3, known: null, body: 'three' },
    { id: 4, known: 'angry', body: 'four' },
    { id: 5, known: null, body: null },
  ];
  const mood = "ask('mood?', m.body, 'text')";
  const urgent = "ask('urgent?', m.body, 'boolean')";

  function database(label?: Label): { readonly db: Database; readonly model: ComputingModel } {
    const db = new Database();
    db.load('m', bodies);
    db.load('n', [{ id: 2 }, { id: 3 }, { id: 9 }]);
    const model = computingModel(({ question, inputs }) =>
      question === 'mood?' ? `mood of ${String(inputs.get('body'))}` : inputs.get('body') !== 'two',
    );
    db.useModel(model, { concurrency: 1, ...(label && { label }) });
    return { db, model };
  }

  const cases: readonly [what: string, sql: string, asked: readonly string[]][] = [
    ['the branch of a CASE that is taken', `SELECT CASE WHEN id < 3 THEN ${mood} END FROM m`, ['one', 'two']],
    [
      'a CASE whose conditions ask, one after the other',
      `SELECT CASE WHEN ${urgent} THEN id WHEN id > 1 THEN length(${mood}) END FROM m`,
      // urgent? of all, mood? of the one that is not.
      ['one', 'two', 'three', 'four', 'two'],
    ],
    ['COALESCE after a NULL', `SELECT coalesce(known, ${mood}) FROM m`, ['one', 'three']],
    ['OR that nothing has decided', `SELECT id FROM m WHERE ${urgent} OR id > 2`, ['one', 'two']],
    [
      'OR and AND inside one expression, where NULL decides nothing',
      `SELECT ${urgent} OR known = 'calm', ${urgent} AND known <> 'calm' AND id < 4 FROM m`,
      ['one', 'three', 'four'],
    ],
    ['a comparison with NULL', `SELECT known = ${mood} FROM m`, ['two', 'four']],
    [
      'an aggregate, where its FILTER is true',
      `SELECT min(${mood}) FILTER (WHERE id = 4), count(*) FILTER (WHERE ${urgent} AND id < 2) FROM m`,
      ['four', 'one'],
    ],
    [
      'an outer join, in pairs',
      `SELECT m.id, n.id FROM n LEFT JOIN m ON n.id = m.id AND ${urgent}`,
      ['two', 'three'],
    ],
    [
      'an outer join in which something else decides a pair',
      `SELECT m.id, n.id FROM n LEFT JOIN m ON n.id = 9 AND m.id = 1 OR n.id = 3 AND m.id = 2 AND ${urgent}`,
      ['two'],
    ],
    [
      'nothing, where the other side is empty',
      `SELECT 1 FROM m LEFT JOIN (SELECT id FROM n WHERE id > 9) n ON ${urgent} = (n.id > 0)`,
      [],
    ],
    [
      'one whose data would fail elsewhere',
      `SELECT CASE WHEN id > 2 THEN ask('half?', 12 / (id - 2), 'boolean') END FROM m WHERE id < 5`,
      ['12', '6'],
    ],
  ];
  for (const [what, sql, asked] of cases) {
    it(`asks for ${what}`, async () => {
      const { db, model } = database();
      const told = model.asked;
      const estimate = (await db.explain(sql)).text;
      assert.equal(told.length, 0);
      await db.query(sql);
      assert.deepEqual(told.map(({ inputs }) => String([...inputs.values()][0])).sort(), [...asked].sort());
      const calls = Number(/ask: (?:at most )?(\d+) call/.exec(estimate)?.[1] ?? 0);
      if (/at most/.test(estimate)) assert.ok(calls >= asked.length, estimate);
      else assert.equal(calls, asked.length, estimate);
    });
  }

  it('is worth a model that is not trusted in every row, so that no label tells what was asked', async () => {
    const untrusted: Label = { integrity: 'U', readers: new Set(['alice']) };
    const { db, model } = database(untrusted);
    db.label('m', bottom);
    const result = await db.query(`SELECT CASE WHEN id = 1 THEN ${mood} ELSE 'none' END FROM m`);
    assert.equal(model.asked.length, 1);
    const labels = result.annotateCell(0, conservativeLabels);
    for (let row = 0; row < result.rowCount; row++) {
      const label = labels.at(row);
      assert.equal(label && showLabel(label), showLabel(untrusted));
    }
  });

  it('does not evaluate what CASE, COALESCE, AND and OR pass over, with or without a model', async () => {
    const { db } = database();
    for (const sql of [
      'SELECT CASE WHEN id <> 3 THEN 1 / (id - 3) ELSE 0 END FROM m',
      'SELECT coalesce(id, 1 / (id - 3)) FROM m',
      'SELECT id <> 3 AND 1 / (id - 3) > 0, id = 3 OR 1 / (id - 3) > 0 FROM m',
      'SELECT id FROM m WHERE id <> 3 AND 1 / (id - 3) > 0',
      'SELECT sum(1 / (id - 3)) FILTER (WHERE id <> 3) FROM m',
      'SELECT id FROM m ORDER BY CASE WHEN id <> 3 THEN 1 / (id - 3) ELSE 0 END',
      'SELECT m.id FROM m JOIN n ON CASE WHEN m.id <> 3 THEN 1 / (m.id - 3) = n.id END',
      'SELECT count(*) FROM m GROUP BY CASE WHEN id <> 3 THEN 1 / (id - 3) END',
    ]) {
      await assert.doesNotReject(db.query(sql), sql);
    }
    await assert.rejects(db.query('SELECT CASE WHEN id <> 2 THEN 1 / (id - 3) ELSE 0 END FROM m'));
  });
});
