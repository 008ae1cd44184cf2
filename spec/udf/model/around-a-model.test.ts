import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Limiter, limited } from '../../../udf/model/limiter.js';
import { Meter } from '../../../udf/model/meter.js';
import { type Completion, type Model, type ModelRequest, noUsage } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { retrying } from '../../../udf/model/retry.js';
import { retryAfter } from '../../../udf/model/retry-after.js';
import { scriptedModel } from '../../../udf/model/scripted-model.js';
import { runs } from '../../runs.js';

const request: ModelRequest = { messages: [{ role: 'user', text: 'hello' }] };
const hasCode = (code: string) => (error: unknown) => error instanceof ModelError && error.code === code;

function reply(inputTokens: number, outputTokens: number): Completion {
  return {
    message: { role: 'assistant', text: 'hi', toolCalls: [] },
    usage: { calls: 1, inputTokens, outputTokens },
    finish: 'stop',
  };
}

describe('a scripted model', () => {
  it('plays texts, calls, errors and functions in order, and ends with its script', async () => {
    const call = { id: '1', name: 'read', arguments: {} };
    const model = scriptedModel([
      'a',
      { toolCalls: [call] },
      (r) => `${r.messages.length}`,
      new Error('boom'),
    ]);
    assert.equal((await model.complete(request)).message.text, 'a');
    assert.deepEqual(await model.complete(request), {
      message: { role: 'assistant', text: '', toolCalls: [call] },
      usage: { ...noUsage, calls: 1 },
      finish: 'tool-calls',
    });
    assert.equal((await model.complete(request)).message.text, '1');
    await assert.rejects(model.complete(request), /boom/);
    await assert.rejects(model.complete(request), hasCode('model/script-over'));
    assert.equal(model.requests.length, 4);
  });
});

describe('retrying', () => {
  it('pauses between half and the whole of a doubling delay, up to the longest', async () => {
    for (const [jitter, delays] of [
      [0, [50, 100, 200, 200]],
      [1, [100, 200, 400, 400]],
    ] as const) {
      const seen: number[] = [];
      const failing = scriptedModel(() => new ModelError('model/server', 'no', { retryable: true }));
      const model = retrying(failing, {
        attempts: 5,
        firstDelay: 100,
        maxDelay: 400,
        jitter: () => jitter,
        pause: async (delay) => {
          seen.push(delay);
        },
      });
      await assert.rejects(model.complete(request), hasCode('model/server'));
      assert.deepEqual(seen, delays);
    }
  });

  it('does not try again what cannot succeed, nor what is not an error of the model', async () => {
    for (const error of [new ModelError('model/rejected', 'no'), new TypeError('a defect')]) {
      const model = scriptedModel(() => error);
      await assert.rejects(retrying(model).complete(request), (thrown) => thrown === error);
      assert.equal(model.requests.length, 1);
    }
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  const cases: readonly [string, number | undefined][] = [
    ['120', 120_000],
    ['0', 0],
    ['1.5', 1500],
    ['Sun, 01 Mar 2026 00:01:00 GMT', 60_000],
    ['Sat, 28 Feb 2026 00:00:00 GMT', 0],
    ['-5', undefined],
    ['soon', undefined],
    ['1e9', undefined],
    ['99999999999', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of cases) {
    it(`"${text}" is ${expected}`, () => {
      assert.equal(retryAfter(new Headers({ 'retry-after': text }), now), expected);
    });
  }
  it('is unknown without the header', () => {
    assert.equal(retryAfter(undefined, now), undefined);
    assert.equal(retryAfter(new Headers(), now), undefined);
  });
});

describe('a concurrency limit', () => {
  it('never has more than its limit under way, runs all, in the order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.record({ ticks: fc.integer({ min: 0, max: 4 }), fails: fc.boolean() }), {
          maxLength: 30,
        }),
        async (limit, tasks) => {
          const limiter = new Limiter(limit);
          const started: number[] = [];
          let running = 0;
          let most = 0;
          const outcomes = await Promise.allSettled(
            tasks.map(({ ticks, fails }, index) =>
              limiter.run(async () => {
                started.push(index);
                running += 1;
                most = Math.max(most, running);
                for (let i = 0; i < ticks; i += 1) await new Promise(setImmediate);
                running -= 1;
                if (fails) throw new Error('as asked');
                return index;
              }),
            ),
          );
          assert.ok(most <= limit);
          // As long as every task takes a turn, there is always one to fill a free place.
          if (tasks.every(({ ticks }) => ticks > 0)) assert.equal(most, Math.min(limit, tasks.length));
          assert.deepEqual(started, [...tasks.keys()]);
          tasks.forEach((task, i) => {
            assert.equal(outcomes[i].status, task.fails ? 'rejected' : 'fulfilled');
          });
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('lets go of a request that is cancelled while it waits, and serves the others', async () => {
    let release = () => {};
    const inner: Model = {
      name: 'held',
      complete: () => new Promise((resolve) => (release = () => resolve(reply(1, 1)))),
    };
    const model = limited(inner, 1);
    const controller = new AbortController();
    const first = model.complete(request);
    const second = model.complete({ ...request, signal: controller.signal });
    const third = model.complete(request);
    controller.abort();
    await assert.rejects(second, hasCode('model/cancelled'));
    release();
    await first;
    await new Promise(setImmediate);
    release();
    await third;
  });

  it('is a whole number from 1', () => {
    for (const limit of [0, -1, 1.5, NaN, Infinity]) {
      assert.throws(() => new Limiter(limit), hasCode('model/bad-setting'));
    }
  });
});

describe('a meter', () => {
  it('adds up tokens and, with a price, cost', async () => {
    const meter = new Meter(scriptedModel([reply(1000, 100), reply(500, 0)]), {
      price: { input: 2, output: 10 },
    });
    await meter.complete(request);
    await meter.complete(request);
    assert.deepEqual(meter.usage, { calls: 2, inputTokens: 1500, outputTokens: 100 });
    // 1500 tokens at 2 a million, 100 at 10 a million
    assert.equal(meter.cost, 0.004);
    assert.equal(new Meter(scriptedModel([])).cost, undefined);
  });

  it('stops before the next request once a limit is reached', async () => {
    const model = scriptedModel(() => reply(60, 0));
    const meter = new Meter(model, { maxTokens: 100 });
    await meter.complete(request);
    await meter.complete(request);
    await assert.rejects(meter.complete(request), hasCode('model/limit'));
    assert.equal(model.requests.length, 2);
    const costly = new Meter(model, { maxCost: 0.00005, price: { input: 1, output: 1 } });
    await costly.complete(request);
    await assert.rejects(costly.complete(request), hasCode('model/limit'));
    assert.throws(() => new Meter(model, { maxCost: 1 }), hasCode('model/bad-setting'));
  });
});
