import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type { ModelRequest } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { openModel } from '../../../udf/model/open-model.js';
import { redactor } from '../../../udf/model/redact.js';
import { runs } from '../../runs.js';
import { startLoopback } from './loopback-server.js';

const request: ModelRequest = { messages: [{ role: 'user', text: 'hello' }] };

describe('a model from flags and environment', () => {
  it('is none where nothing names one', () => {
    assert.equal(openModel({}, {}), undefined);
    assert.equal(openModel({}, { OPENAI_API_KEY: 'k', ASSAY_MODEL: '' }), undefined);
  });

  it('takes flags before environment, retries, limits and counts', async () => {
    let first = true;
    const server = await startLoopback(() => {
      if (!first) return { text: 'hi', delay: 20 };
      first = false;
      return { status: 503 };
    });
    try {
      const environment = {
        ASSAY_MODEL: 'from-environment',
        OPENAI_BASE_URL: server.baseUrl,
        OPENAI_API_KEY: 'secret-key',
        ASSAY_MODEL_CONCURRENCY: '2',
        ASSAY_INPUT_PRICE: '1.5',
      };
      const model = openModel({ model: 'from-flag' }, environment, { pause: async () => {} });
      assert.ok(model);
      await Promise.all(Array.from({ length: 6 }, () => model.complete(request)));
      assert.equal(server.received.length, 7);
      assert.equal(server.most, 2);
      assert.equal(server.received[0].body.model, 'from-flag');
      assert.deepEqual(model.usage, { calls: 6, inputTokens: 42, outputTokens: 18 });
      assert.equal(model.cost, (42 * 1.5) / 1e6);
      assert.ok(!inspect(model, { depth: 9, showHidden: true }).includes('secret-key'));
    } finally {
      await server.close();
    }
  });

  it('records to a cassette and replays it without key, address or model', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'open-model-'));
    const server = await startLoopback([{ text: 'your key is secret-key' }]);
    const cassette = join(folder, 'c.jsonl');
    try {
      const environment = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'secret-key', ASSAY_MODEL: 'm' };
      await openModel({ cassette, record: true }, environment)?.complete(request);
      assert.ok(!readFileSync(cassette, 'utf8').includes('secret-key'));
      const replayed = await openModel({ cassette }, {})?.complete(request);
      assert.equal(replayed?.message.text, 'your key is [redacted]');
      assert.equal(server.received.length, 1);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('names the setting that is wrong', () => {
    const wrong: readonly [Record<string, string>, RegExp][] = [
      [{ ASSAY_MODEL_TIMEOUT: 'soon' }, /timeout \(or ASSAY_MODEL_TIMEOUT\)/],
      [{ ASSAY_MAX_COST: '-1' }, /maxCost \(or ASSAY_MAX_COST\)/],
      [{ ASSAY_MODEL_STRUCTURED: 'xml' }, /structured \(or ASSAY_MODEL_STRUCTURED\)/],
      [{ ASSAY_MAX_COST: '1' }, /needs the price/],
      [{ ASSAY_MODEL_CONCURRENCY: '0' }, /from 1/],
    ];
    for (const [environment, message] of wrong) {
      assert.throws(
        () => openModel({ model: 'm' }, environment),
        (error) =>
          error instanceof ModelError && error.code === 'model/bad-setting' && message.test(error.message),
      );
    }
  });
});

describe('redaction', () => {
  it('leaves no known secret in any text, raw, URL-encoded or in JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4, maxLength: 30, unit: 'grapheme' }).filter((s) => !'[redacted]'.includes(s)),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const redact = redactor([secret]);
          for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
            // A secret may arise anew where the replaced text meets its surroundings; that is not the secret.
            assert.ok(
              !redact(`${before} ${form} ${after}`)
                .split('[redacted]')
                .some((part) => part.includes(form)),
            );
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('removes what has the shape of a key', () => {
    const redact = redactor([]);
    for (const text of [
      'sk-proj-AbCdEf0123456789AbCdEf',
      'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc',
      'https://user:password@example.com/v1',
    ]) {
      assert.match(redact(text), /\[redacted\]/);
      assert.ok(!/AbCdEf|eyJ|password/.test(redact(text)));
    }
    assert.equal(
      redact('ask about task-force-of-the-risk-committee'),
      'ask about task-force-of-the-risk-committee',
    );
  });
});
