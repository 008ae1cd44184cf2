import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AnswerCache } from '../../../udf/ask/answer-cache.js';
import {
  type AskAnswer,
  type AskOptions,
  type AskProgress,
  type AskQuestion,
  answerQuestions,
  distinctQuestions,
  estimateQuestions,
} from '../../../udf/ask/ask-batch.js';
import { AskError } from '../../../udf/ask/ask-error.js';
import type { Model } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { needsMore } from '../../../udf/model/quarantine.js';
import { scriptedModel } from '../../../udf/model/scripted-model.js';

function asking(value: unknown, question = 'How long?'): AskQuestion {
  return { question, inputs: [{ name: 'body', value }], type: { kind: 'integer' } };
}

/** Answers the length of the one input; takes a turn of the event loop. */
const lengths = (text: string): string => {
  const value: unknown = JSON.parse(text.split('\n')[2]).value;
  return JSON.stringify({ answer: String(value).length });
};

function lengthModel(): Model & { readonly calls: number; readonly most: number } {
  let calls = 0;
  let running = 0;
  let most = 0;
  return {
    name: 'lengths',
    get calls() {
      return calls;
    },
    get most() {
      return most;
    },
    async complete({ messages }) {
      calls += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return {
        message: {
          role: 'assistant',
          text: lengths(messages[1].role === 'user' ? messages[1].text : ''),
          toolCalls: [],
        },
        usage: { calls: 1, inputTokens: 10, outputTokens: 1 },
        finish: 'stop',
      };
    },
  };
}

async function answer(
  model: Model,
  questions: readonly AskQuestion[],
  options?: AskOptions,
): Promise<AskAnswer[]> {
  const all = distinctQuestions(model.name, questions);
  const { answers } = await answerQuestions(model, all, options);
  return all.keys.map((key) => answers.get(key) ?? assert.fail('a question without an answer'));
}

const values = (answers: readonly AskAnswer[]) => answers.map((one) => one.answer);

describe('a batch of questions', () => {
  it('sends each distinct question once, and answers every row', async () => {
    const model = lengthModel();
    const rows = Array.from({ length: 1000 }, (_, i) => 'x'.repeat(i % 10));
    assert.deepEqual(
      values(
        await answer(
          model,
          rows.map((row) => asking(row)),
        ),
      ),
      rows.map((row) => row.length),
    );
    assert.equal(model.calls, 10);
  });

  it('takes questions as equal only if question, names, values and type are', async () => {
    const model = scriptedModel(() => '{"answer": 1}');
    const one = asking('a');
    await answer(model, [
      one,
      { ...one, question: 'other' },
      { ...one, inputs: [{ name: 'subject', value: 'a' }] },
      asking(['a']),
      { ...one, type: { kind: 'number' } },
      { ...one },
    ]);
    assert.equal(model.requests.length, 5);
    const keys = new Set(['m', 'n'].flatMap((name) => distinctQuestions(name, [one]).keys));
    assert.equal(keys.size, 2);
  });

  it('keeps its concurrency, and uses it', async () => {
    for (const concurrency of [1, 3, 16]) {
      const model = lengthModel();
      await answer(
        model,
        Array.from({ length: 50 }, (_, i) => asking(i)),
        { concurrency },
      );
      assert.equal(model.most, concurrency);
      assert.equal(model.calls, 50);
    }
  });

  it('asks nothing again that the cache holds, in memory or on disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ask-'));
    try {
      const path = join(folder, 'answers.jsonl');
      const rows = Array.from({ length: 1000 }, (_, i) => asking(`row ${i}`));
      const model = lengthModel();
      const cache = new AnswerCache({ path });
      const first = await answer(model, rows, { cache });
      assert.equal(model.calls, 1000);
      assert.deepEqual(await answer(model, rows, { cache }), first);
      assert.deepEqual(await answer(model, rows, { cache: new AnswerCache({ path }) }), first);
      assert.equal(model.calls, 1000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('does not believe a cache that answers in another type', async () => {
    const model = scriptedModel(['{"answer": 3}']);
    const cache = new AnswerCache();
    const [key] = distinctQuestions(model.name, [asking('a')]).keys;
    cache.set(key, { answer: 'pwned' });
    assert.deepEqual(values(await answer(model, [asking('a')], { cache })), [3]);
  });

  it('NULL with a reason where an answer does not come; the others come; only answers are cached', async () => {
    const model = scriptedModel([
      '{"answer": 1}',
      '{"answer": "one"}',
      'no idea',
      new ModelError('model/server', 'down'),
      JSON.stringify({ answer: needsMore }),
    ]);
    const cache = new AnswerCache();
    const answers = await answer(
      model,
      ['a', 'b', 'c', 'd', 'e', null].map((v) => asking(v)),
      { cache, concurrency: 1 },
    );
    assert.deepEqual(answers, [
      { answer: 1, reason: null },
      { answer: null, reason: 'The answer is not a whole number.' },
      { answer: null, reason: 'The reply is not JSON.' },
      { answer: null, reason: 'model/server: down' },
      { answer: null, reason: needsMore },
      { answer: null, reason: 'Every input is NULL.' },
    ]);
    assert.equal(cache.size, 2);
    assert.equal(model.requests.length, 5);
  });

  it('stops at the first failure where that is wanted: nothing more is sent, what is under way is cancelled', async () => {
    let cancelled = 0;
    let calls = 0;
    const model: Model = {
      name: 'm',
      complete: ({ signal }) => {
        calls += 1;
        if (calls === 3) return Promise.reject(new ModelError('model/server', 'down'));
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            cancelled += 1;
            reject(new ModelError('model/cancelled', 'cancelled'));
          });
        });
      },
    };
    await assert.rejects(
      answer(
        model,
        Array.from({ length: 100 }, (_, i) => asking(i)),
        { concurrency: 4, onFailure: 'stop' },
      ),
      (error) => error instanceof AskError && error.code === 'ask/failed' && /down/.test(error.message),
    );
    assert.deepEqual([calls, cancelled], [4, 3]);
  });

  it("ends with the caller's signal, and with errors that every question would meet", async () => {
    const controller = new AbortController();
    const model = scriptedModel(() => {
      controller.abort();
      return '{"answer": 1}';
    });
    const rows = Array.from({ length: 100 }, (_, i) => asking(i));
    await assert.rejects(
      answer(model, rows, { signal: controller.signal, concurrency: 2 }),
      (error) => error instanceof ModelError && error.code === 'model/cancelled',
    );
    assert.ok(model.requests.length <= 2);
    const missing = scriptedModel(() => new ModelError('model/no-client', 'npm install'));
    await assert.rejects(answer(missing, rows, { concurrency: 1 }), /npm install/);
    assert.equal(missing.requests.length, 1);
  });

  it('reports progress from nothing to all', async () => {
    const seen: AskProgress[] = [];
    const model = scriptedModel(['{"answer": 1}', 'broken']);
    await answer(model, [asking('a'), asking('b'), asking(null)], {
      concurrency: 1,
      onProgress: (progress) => seen.push(progress),
    });
    assert.deepEqual(seen, [
      { total: 3, done: 1, failed: 0, cached: 1 },
      { total: 3, done: 2, failed: 0, cached: 1 },
      { total: 3, done: 3, failed: 1, cached: 1 },
    ]);
  });

  it('estimates calls exactly, and tokens by the length of the request', async () => {
    const model = lengthModel();
    const cache = new AnswerCache();
    const rows = ['a', 'a', 'bb', null, 'x'.repeat(4000)].map((value) => asking(value));
    const all = distinctQuestions(model.name, rows);
    const before = estimateQuestions(all, cache);
    assert.deepEqual([before.calls, before.cached, before.exact], [3, 0, true]);
    // 4000 characters are 1000 tokens; three requests have the same frame of some hundred tokens.
    const frame = estimateQuestions(distinctQuestions(model.name, [asking('')])).inputTokens;
    assert.ok(Math.abs(before.inputTokens - (3 * frame + 1000)) <= 5);
    await answerQuestions(model, all, { cache });
    const after = estimateQuestions(all, cache);
    assert.deepEqual([after.calls, after.cached, after.inputTokens], [0, 3, 0]);
  });
});
