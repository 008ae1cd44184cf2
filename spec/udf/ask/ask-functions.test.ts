import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { equal, greater } from '../../../engine/operators/comparison.js';
import { call } from '../../../engine/operators/define.js';
import { type Expression, freshColumn } from '../../../engine/plan/expression.js';
import { columnsOf, type LogicalPlan, type Scan } from '../../../engine/plan/plan.js';
import { Tokens } from '../../../engine/provenance/token.js';
import { Table } from '../../../engine/table/table.js';
import { showPolynomial } from '../../../semiring/polynomial/polynomial.js';
import { AnswerCache } from '../../../udf/ask/answer-cache.js';
import { AskError } from '../../../udf/ask/ask-error.js';
import { showEstimate } from '../../../udf/ask/ask-estimate.js';
import { AskFunctions, type AskFunctionsOptions } from '../../../udf/ask/ask-functions.js';
import type { AnswerType } from '../../../udf/model/answer-type.js';
import type { Model } from '../../../udf/model/model.js';
import { type Asked, column, computingModel, polynomialRows, runReference, text } from './ask-scene.js';

const boolean: AnswerType = { kind: 'boolean' };
const integer: AnswerType = { kind: 'integer' };

/** A mailbox: bodies repeat and one is missing; bodies are labelled by cell. */
function mailbox(model: Model, options?: AskFunctionsOptions) {
  const tokens = new Tokens();
  const table = Table.fromRows(
    tokens,
    'mail',
    [
      { id: 1, sender: 'ann', body: 'pay now' },
      { id: 2, sender: 'bob', body: 'hello' },
      { id: 3, sender: 'ann', body: 'pay now' },
      { id: 4, sender: 'cy', body: null },
      { id: 5, sender: 'bob', body: 'pay later' },
    ],
    { labelled: ['body'] },
  );
  const mail: Scan = {
    kind: 'scan',
    table,
    columns: table.columns.map(({ name, type }) => freshColumn(name, type)),
    indexes: [0, 1, 2],
  };
  const asks = new AskFunctions(model, tokens, { concurrency: 1, ...options });
  const ask = (question: string, type: AnswerType, ...names: string[]): Expression =>
    asks.vocabulary.call(
      text(question),
      names.map((name) => column(mail, name)),
      type,
    );
  return { tokens, mail, asks, ask };
}

const urgent = ({ inputs }: Asked) => String(inputs.get('body')).startsWith('pay');
const length = ({ inputs }: Asked) => String(inputs.get('body')).length;

function filter(input: LogicalPlan, predicate: Expression): LogicalPlan {
  return { kind: 'filter', input, predicate };
}

function project(input: LogicalPlan, ...expressions: Expression[]): LogicalPlan {
  return {
    kind: 'project',
    input,
    expressions,
    columns: expressions.map((e, i) => freshColumn(`c${i}`, e.type)),
  };
}

function and(...operands: Expression[]): Expression {
  return { kind: 'and', arguments: operands, type: 'boolean' };
}

const number = (value: number): Expression => ({ kind: 'literal', value, type: 'integer' });
const bodies = (asked: readonly Asked[]) => asked.map((one) => one.inputs.get('body'));
const hasCode = (code: string) => (error: unknown) => error instanceof AskError && error.code === code;

describe('ask in a predicate', () => {
  it('keeps the rows that the model says; asks about each distinct cell once, not about NULL', async () => {
    const model = computingModel(urgent);
    const { mail, asks, ask } = mailbox(model);
    const plan = filter(mail, ask('urgent?', boolean, 'body'));
    const resolved = await asks.resolve(plan, runReference);
    assert.deepEqual(columnsOf(resolved.plan), columnsOf(plan));
    assert.deepEqual(
      runReference(resolved.plan).map(([id]) => id),
      [1, 3, 5],
    );
    assert.deepEqual(bodies(model.asked), ['pay now', 'hello', 'pay later']);
    assert.deepEqual(model.asked[0].question, 'urgent?');
    assert.deepEqual(resolved.usage, { calls: 3, inputTokens: 30, outputTokens: 6 });
  });

  it("annotates a row with its own token, its cell's, and that of the answer; equal cells share the answer's", async () => {
    const { tokens, mail, asks, ask } = mailbox(computingModel(urgent));
    const { plan } = await asks.resolve(filter(mail, ask('urgent?', boolean, 'body')), runReference);
    assert.deepEqual(
      polynomialRows(plan).map((row) => showPolynomial(row.annotation, (x) => tokens.nameOf(x))),
      ['mail[1]·mail[1].body·ask[1]', 'mail[3]·mail[3].body·ask[1]', 'mail[5]·mail[5].body·ask[4]'],
    );
  });

  it('gives the same answer the same token in the next query, and explains it', async () => {
    const cache = new AnswerCache();
    const { tokens, mail, asks, ask } = mailbox(computingModel(urgent), { cache });
    const plan = filter(mail, ask('urgent?', boolean, 'body'));
    await asks.resolve(plan, runReference);
    const count = tokens.count;
    await asks.resolve(plan, runReference);
    assert.equal(tokens.count, count);
    const named = Array.from({ length: count }, (_, x) => x).filter((x) => asks.answeredBy(x) !== undefined);
    assert.deepEqual(
      named.map((x) => tokens.nameOf(x)),
      ['ask[1]', 'ask[2]', 'ask[3]', 'ask[4]'],
    );
    assert.deepEqual(asks.answeredBy(named[0]), {
      question: 'urgent?',
      inputs: [{ name: 'body', value: 'pay now' }],
      type: boolean,
      model: 'computing',
      answer: { answer: true, reason: null },
    });
  });

  it('asks after cheap predicates, and a second question only about what the first one left', async () => {
    const model = computingModel(({ question, ...asked }) =>
      question === 'urgent?' ? urgent({ question, ...asked }) : length({ question, ...asked }),
    );
    const { mail, asks, ask } = mailbox(model);
    const second = call(greater, ask('length?', integer, 'body'), number(7));
    const cheap = call(equal, column(mail, 'sender'), text('bob'));
    const plan = filter(mail, and(ask('urgent?', boolean, 'body'), second, cheap));
    const resolved = await asks.resolve(plan, runReference);
    assert.deepEqual(
      runReference(resolved.plan).map(([id]) => id),
      [5],
    );
    assert.deepEqual(
      model.asked.map((one) => [one.question, one.inputs.get('body')]),
      [
        ['urgent?', 'hello'],
        ['urgent?', 'pay later'],
        ['length?', 'pay later'],
      ],
    );
  });
});

describe('ask elsewhere', () => {
  it('in a projection: NULL with a reason where no answer came', async () => {
    const model = computingModel((asked) => (asked.inputs.get('body') === 'hello' ? 'five' : length(asked)));
    const { mail, asks } = mailbox(model);
    const cells = [column(mail, 'body')];
    const plan = project(
      mail,
      column(mail, 'id'),
      asks.vocabulary.call(text('length?'), cells, integer),
      asks.vocabulary.call(text('length?'), cells, integer, 'reason'),
    );
    const resolved = await asks.resolve(plan, runReference);
    assert.deepEqual(runReference(resolved.plan), [
      [1, 7, null],
      [2, null, 'The answer is not a whole number.'],
      [3, 7, null],
      [4, null, 'Every input is NULL.'],
      [5, 9, null],
    ]);
    assert.equal(model.asked.length, 3);
    assert.deepEqual(
      resolved.failures.map((failure) => failure.inputs[0].value),
      ['hello', null],
    );
  });

  it('in several cells, named by their columns; NULL is data beside what is not', async () => {
    const model = computingModel(({ inputs }) => [...inputs].map(([k, v]) => `${k}=${v}`).join());
    const { mail, asks, ask } = mailbox(model);
    const plan = project(
      filter(mail, call(greater, column(mail, 'id'), number(3))),
      ask('?', { kind: 'text' }, 'body', 'id'),
    );
    const resolved = await asks.resolve(plan, runReference);
    assert.deepEqual(runReference(resolved.plan), [['body=null,id=4'], ['body=pay later,id=5']]);
  });

  it('inside ask: the inner answer is data of the outer question', async () => {
    const model = computingModel(({ question, inputs }) =>
      question === 'length?' ? String([...inputs.values()][0]).length : [...inputs.values()][0] === 7,
    );
    const { mail, asks, ask } = mailbox(model);
    const plan = filter(
      mail,
      asks.vocabulary.call(text('seven?'), [ask('length?', integer, 'body')], boolean),
    );
    const resolved = await asks.resolve(plan, runReference);
    assert.deepEqual(
      runReference(resolved.plan).map(([id]) => id),
      [1, 3],
    );
  });

  it('as a key of a group, of an order, and in the condition of an outer join', async () => {
    const { mail, asks, ask } = mailbox(computingModel(length));
    const key = ask('length?', integer, 'body');
    const grouped: LogicalPlan = {
      kind: 'aggregate',
      input: mail,
      keys: [{ column: freshColumn('length', 'integer'), expression: key }],
      aggregates: [],
    };
    const groups = runReference((await asks.resolve(grouped, runReference)).plan);
    assert.deepEqual(groups.map(([one]) => one).sort(), [5, 7, 9, null]);

    const ordered: LogicalPlan = {
      kind: 'sort',
      input: mail,
      keys: [{ expression: key, descending: true, nullsFirst: true }],
    };
    const order = await asks.resolve(ordered, runReference);
    assert.deepEqual(columnsOf(order.plan), columnsOf(mail));
    assert.deepEqual(
      runReference(order.plan).map(([id]) => id),
      [4, 5, 1, 3, 2],
    );

    const numbers: LogicalPlan = { kind: 'values', columns: [freshColumn('n', 'integer')], rows: [[5], [9]] };
    const on = call(equal, key, column(numbers, 'n'));
    const joined = await asks.resolve(
      { kind: 'join', type: 'left', left: mail, right: numbers, on },
      runReference,
    );
    assert.deepEqual(
      new Map(runReference(joined.plan).map((row) => [row[0], row[3]])),
      new Map([
        [1, null],
        [2, 5],
        [3, null],
        [4, null],
        [5, 9],
      ]),
    );
  });

  it('under LIMIT asks only about the rows that stay', async () => {
    const model = computingModel(length);
    const { mail, asks, ask } = mailbox(model);
    const asked = project(mail, column(mail, 'id'), ask('length?', integer, 'body'));
    const sort: LogicalPlan = {
      kind: 'sort',
      input: asked,
      keys: [{ expression: column(asked, 'c0'), descending: true, nullsFirst: false }],
    };
    const limit: LogicalPlan = { kind: 'limit', input: sort, limit: number(1), offset: null };
    const resolved = await asks.resolve(limit, runReference);
    assert.deepEqual(runReference(resolved.plan), [[5, 9]]);
    assert.deepEqual(bodies(model.asked), ['pay later']);
  });

  it('not in LIMIT, nor about both sides of an outer join', async () => {
    const { mail, asks, ask } = mailbox(computingModel(length));
    const other = { ...mail, columns: mail.columns.map(({ name, type }) => freshColumn(name, type)) };
    const both = asks.vocabulary.call(text('same?'), [column(mail, 'body'), column(other, 'body')], boolean);
    const plans: LogicalPlan[] = [
      { kind: 'limit', input: mail, limit: ask('how many?', integer), offset: null },
      { kind: 'join', type: 'left', left: mail, right: other, on: both },
    ];
    for (const plan of plans) await assert.rejects(asks.resolve(plan, runReference), hasCode('ask/place'));
    const inner: LogicalPlan = { kind: 'join', type: 'inner', left: mail, right: other, on: both };
    const model = computingModel(({ inputs }) => inputs.size === 1);
    await new AskFunctions(model, new Tokens()).resolve(inner, runReference);
    assert.ok(model.asked.length > 0);
  });
});

describe('limits and estimates of asks', () => {
  it('an estimate says what a query will send, and sends nothing', async () => {
    const model = computingModel(urgent);
    const { mail, asks, ask } = mailbox(model, { price: { input: 1, output: 2 } });
    const plan = filter(mail, ask('urgent?', boolean, 'body'));
    const estimate = await asks.estimate(plan, runReference);
    assert.equal(model.asked.length, 0);
    assert.deepEqual([estimate.calls, estimate.exact], [3, true]);
    assert.equal(estimate.cost, (estimate.inputTokens + 2 * estimate.outputTokens) / 1e6);
    assert.deepEqual((await asks.resolve(plan, runReference)).estimate, estimate);
  });

  it('an estimate of stages counts as if every answer kept its row', async () => {
    const model = computingModel(urgent);
    const { mail, asks, ask } = mailbox(model);
    const nested = asks.vocabulary.call(text('long?'), [ask('length?', integer, 'body')], boolean);
    const estimate = await asks.estimate(
      filter(mail, and(ask('urgent?', boolean, 'body'), nested)),
      runReference,
    );
    // three bodies each for `urgent?`, `length?` and, at most, `long?`
    assert.deepEqual([estimate.calls, estimate.exact], [9, false]);
    assert.match(
      showEstimate(estimate),
      /^ask: at most 9 calls \(0 more from the cache\), about \d+ input and 90 output tokens$/,
    );
  });

  it('a limit refuses before anything is sent, and later stages count on top of earlier ones', async () => {
    const model = computingModel((asked) => (asked.question === 'urgent?' ? urgent(asked) : length(asked)));
    const { mail, asks, ask } = mailbox(model);
    const one = filter(mail, ask('urgent?', boolean, 'body'));
    await assert.rejects(asks.resolve(one, runReference, { maxCalls: 2 }), hasCode('ask/limit'));
    await assert.rejects(asks.resolve(one, runReference, { maxTokens: 100 }), hasCode('ask/limit'));
    const price = { input: 1000, output: 1000 };
    await assert.rejects(asks.resolve(one, runReference, { maxCost: 0.01, price }), hasCode('ask/limit'));
    await assert.rejects(asks.resolve(one, runReference, { maxCost: 1 }), hasCode('ask/limit'));
    assert.equal(model.asked.length, 0);
    const two = project(one, column(one, 'id'), ask('length?', integer, 'body'));
    await assert.rejects(asks.resolve(two, runReference, { maxCalls: 4 }), hasCode('ask/limit'));
    assert.equal(model.asked.length, 3);
    await asks.resolve(two, runReference, { maxCalls: 5 });
  });

  it('a plan without asks is left as it is', async () => {
    const { mail, asks } = mailbox(computingModel(urgent));
    assert.equal((await asks.resolve(mail, () => assert.fail('run'))).plan, mail);
  });

  it('a call that is not resolved says so', () => {
    const { ask } = mailbox(computingModel(urgent));
    const plan = ask('urgent?', boolean, 'body');
    assert.ok(plan.kind === 'call');
    const { function: fn } = plan;
    assert.throws(() => fn.evaluate([], []), hasCode('ask/not-resolved'));
  });
});
