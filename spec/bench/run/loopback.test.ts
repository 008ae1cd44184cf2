/**
 * Runs against an endpoint that speaks the OpenAI protocol and misbehaves on demand: the run survives, or
 * ends with a clear error; the log holds all that happened before, and never a key.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { modelMinds } from '../../../bench/run/minds.js';
import { type RunOptions, runTask } from '../../../bench/run/run-task.js';
import { scenarioSettings } from '../../../bench/run/scenario-setting.js';
import { Fides } from '../../../planner/agent/decision/design.js';
import { readLogFile } from '../../../planner/agent/log/index.js';
import { approveAll } from '../../../planner/agent/oversight/oversight.js';
import { openAiModel } from '../../../udf/model/openai-model.js';
import { retrying } from '../../../udf/model/retry.js';
import { completionBody, type Reply, startLoopback } from '../../udf/model/loopback-server.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-loopback-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const key = 'correct-horse-battery-staple';
const find: Reply = {
  toolCalls: [{ id: 'a', name: 'find_patient', arguments: '{"name":"Mira Lindqvist"}' }],
};
const book: Reply = {
  toolCalls: [
    {
      id: 'b',
      name: 'book_appointment',
      arguments: JSON.stringify({
        patient: 'mira.lindqvist@postbox.example',
        day: '2026-03-13',
        time: '10:30',
        doctor: 'h.brandt@lindenstreet.example',
        note: 'Check-up',
      }),
    },
    {
      id: 'c',
      name: 'send_mail',
      arguments: JSON.stringify({
        recipients: ['mira.lindqvist@postbox.example'],
        subject: 'Your appointment',
        body: 'Friday, half past ten.',
      }),
    },
  ],
};
const done: Reply = { text: 'She is booked.' };

async function run(replies: Reply[] | ((count: number) => Reply), more: Partial<RunOptions> = {}) {
  let count = 0;
  const server = await startLoopback(
    typeof replies === 'function' ? () => replies(count++) : () => replies[count++] ?? { hangUp: true },
  );
  const delays: number[] = [];
  const log = more.log ?? join(folder, `${files++}.jsonl`);
  try {
    const endpoint = openAiModel({ model: 'loopback', baseUrl: server.baseUrl, apiKey: key, timeout: 400 });
    const model = retrying(endpoint, {
      pause: async (delay) => {
        delays.push(delay);
      },
    });
    const [setting] = await scenarioSettings({ names: ['clinic'] });
    const task = setting.tasks.find(({ id }) => id === 'book_mira');
    assert.ok(task);
    const job = { setting, task, design: Fides, run: 1 };
    const minds = modelMinds(model, { maxTokens: 1000 });
    const options = { minds, oversight: approveAll, maxTurns: 10, secrets: [key], log, ...more };
    const outcome = await runTask(job, options);
    const text = readFileSync(log, 'utf8');
    assert.ok(!text.includes(key), 'the key is in the log');
    assert.ok(!JSON.stringify({ ...outcome, job: 0 }).includes(key), 'the key is in the outcome');
    return { outcome, delays, received: server.received, log, events: readLogFile(log).events };
  } finally {
    await server.close();
  }
}

const survives: [string, Reply[]][] = [
  ['429 with Retry-After', [{ status: 429, headers: { 'retry-after': '7' } }]],
  ['a server error, three times', [{ status: 500 }, { status: 503 }, { status: 500 }]],
  ['a cut stream', [{ cut: completionBody({ content: 'half' }) }]],
  ['malformed JSON', [{ raw: '{"choices": [' }]],
  ['JSON that is no completion', [{ raw: '{"choices": []}' }]],
  ['a connection that is closed without a word', [{ hangUp: true }]],
  ['a drip that is slower than the time limit', [{ drip: completionBody({ content: 'slow' }), every: 20 }]],
  [
    'a tool call with broken arguments',
    [{ toolCalls: [{ name: 'find_patient', arguments: '{"name": "Mi' }] }],
  ],
  [
    'a tool call with arguments of a wrong type',
    [{ toolCalls: [{ name: 'find_patient', arguments: '[]' }] }],
  ],
  ['a call of a tool that is not there', [{ toolCalls: [{ name: 'nothing\u202e', arguments: '{}' }] }]],
  ['calls without ids', [{ toolCalls: [{ name: 'opening_hours', arguments: '' }] }]],
];

describe('a run against an endpoint that misbehaves', () => {
  it('is done where it does not misbehave', async () => {
    const { outcome, received, events } = await run([find, book, done]);
    assert.equal(outcome.end, 'answer');
    assert.ok(outcome.success);
    assert.equal(outcome.answer?.text, 'She is booked.');
    assert.equal(received.length, 3);
    assert.deepEqual(outcome.usage, { calls: 3, inputTokens: 21, outputTokens: 9 });
    assert.equal(events.at(-1)?.kind, 'answered');
  });

  for (const [what, faults] of survives) {
    it(`survives ${what}, before each of its turns`, async () => {
      const { outcome, delays } = await run([...faults, find, ...faults, book, ...faults, done]);
      assert.equal(outcome.end, 'answer', outcome.message);
      assert.ok(outcome.success);
      if (what.startsWith('429')) assert.deepEqual(delays, [7000, 7000, 7000]);
    });
  }

  const ends: [string, Reply, string, RegExp][] = [
    ['an endpoint that is down', { status: 500, message: 'down' }, 'error', /endpoint answered 500.*down/],
    ['a rejected request', { status: 400, message: `no such key ${key}` }, 'error', /endpoint answered 400/],
    [
      'a full context',
      { status: 400, message: 'maximum context length is 9' },
      'error',
      /no longer fits the model/,
    ],
    ['a refusal', { refusal: 'I will not do that.' }, 'refused', /^$/],
    [
      'an answer of 17 MB',
      { raw: completionBody({ content: 'x'.repeat(17 * 2 ** 20) }) },
      'error',
      /larger|large/,
    ],
    [
      'a message that is cut at the token limit',
      { raw: completionBody({ content: 'and' }, 'length') },
      'error',
      /cut off/,
    ],
    ['a connection that is always cut', { hangUp: true }, 'error', /connection failed/],
  ];
  for (const [what, fault, end, message] of ends) {
    it(`ends clearly with ${what}, and the log holds what happened before`, async () => {
      const { outcome, events } = await run((count) => (count === 0 ? find : fault));
      assert.equal(outcome.end, end);
      assert.match(outcome.message ?? '', message);
      assert.equal(outcome.success, false);
      const kinds = events.map((event) => event.kind).filter((kind) => kind !== 'answered');
      assert.deepEqual(kinds, [
        'started',
        'prompted',
        'turned',
        'decided',
        'dispatched',
        'returned',
        'observed',
      ]);
    });
  }

  it('takes an answer of 10 MB', async () => {
    const text = 'x'.repeat(10 * 2 ** 20);
    const { outcome, events } = await run([find, book, { text }]);
    assert.ok(outcome.success);
    const last = events.at(-1);
    assert.equal(last?.kind === 'answered' && last.text.length, text.length);
  });

  it('goes on from its log once the endpoint is back, and asks nothing twice', async () => {
    const first = await run((count) => (count === 0 ? find : { status: 404, message: 'gone' }));
    assert.equal(first.outcome.end, 'error');
    const second = await run([book, done], { log: first.log, resume: true });
    assert.equal(second.outcome.end, 'answer');
    assert.ok(second.outcome.success && second.outcome.resumed);
    assert.equal(second.received.length, 2);
    // The model is shown the whole conversation.
    const messages = second.received[0].body.messages as { role: string }[];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    );
  });

  it('stops at its limits of turns, tokens and time', async () => {
    const endless = () => find;
    const turns = await run(endless, { maxTurns: 3 });
    assert.equal(turns.outcome.end, 'turn limit');
    assert.equal(turns.received.length, 3);
    const big = JSON.parse(completionBody({ content: null }, 'tool_calls', { input: 600, output: 1 }));
    big.choices[0].message.tool_calls = [
      { id: 'a', type: 'function', function: { name: 'opening_hours', arguments: '{}' } },
    ];
    const limited = await run(() => ({ raw: JSON.stringify(big) }));
    assert.equal(limited.outcome.end, 'token limit');
    assert.equal(limited.received.length, 2);
    const slow = await run(() => ({ text: 'late', delay: 300 }), { timeout: 60 });
    assert.equal(slow.outcome.end, 'time limit');
    assert.match(slow.outcome.message ?? '', /60 ms/);
  });

  it('ends at an interruption, and can be resumed', async () => {
    const stop = new AbortController();
    const replies = (count: number): Reply => {
      if (count === 1) stop.abort();
      return count === 0 ? find : { text: 'late', delay: 100 };
    };
    const first = await run(replies, { signal: stop.signal });
    assert.equal(first.outcome.end, 'interrupted');
    const second = await run([book, done], { log: first.log, resume: true });
    assert.ok(second.outcome.success);
  });
});
