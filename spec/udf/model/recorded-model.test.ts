import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ModelRequest } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { quarantine } from '../../../udf/model/quarantine.js';
import { recordedModel } from '../../../udf/model/recorded-model.js';
import { scriptedModel } from '../../../udf/model/scripted-model.js';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cassette-'));
});
after(() => rmSync(folder, { recursive: true }));

function asking(text: string): ModelRequest {
  return { messages: [{ role: 'user', text }] };
}

async function failure(work: () => unknown): Promise<ModelError> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof ModelError, String(error));
    return error;
  }
  assert.fail('no error');
}

describe('a recorded model', () => {
  it('records once, then replays without the model, in any order, each exchange once', async () => {
    const path = join(folder, 'once.jsonl');
    const recorder = recordedModel(path, scriptedModel(['one', 'two', 'two again'], 'the-model'));
    for (const text of ['a', 'b', 'b']) await recorder.complete(asking(text));
    const replayed = recordedModel(path);
    assert.equal(replayed.name, 'the-model');
    const answer = async (text: string) => (await replayed.complete(asking(text))).message.text;
    assert.equal(await answer('b'), 'two');
    assert.equal(await answer('a'), 'one');
    assert.equal(await answer('b'), 'two again');
    const error = await failure(() => replayed.complete(asking('b')));
    assert.equal(error.code, 'model/drift');
    assert.match(error.message, /all its exchanges are used/);
  });

  it('fails on drift with the place where the request differs', async () => {
    const path = join(folder, 'drift.jsonl');
    await recordedModel(path, scriptedModel(['one'])).complete(asking(`${'x'.repeat(500)} old end`));
    const error = await failure(() => recordedModel(path).complete(asking(`${'x'.repeat(500)} new end`)));
    assert.equal(error.code, 'model/drift');
    assert.match(error.message, /\$\.messages\[0\]\.text: expected "?….*old end".*got …".*new end"/);
    assert.ok(error.message.length < 600);
    const more = await failure(() => recordedModel(path).complete({ ...asking('x'), temperature: 1 }));
    assert.match(more.message, /\$\.temperature: expected nothing, got 1/);
  });

  it('keeps keys out of the file, also in the middle of a message, and still replays', async () => {
    const path = join(folder, 'keys.jsonl');
    const secret = 'correct-horse-"battery"';
    const request = asking(`my key is ${secret}, the other sk-abcdefghijklmnopqrstuvwx1234`);
    const options = { secrets: [secret] };
    await recordedModel(path, scriptedModel([`I saw ${secret}`]), options).complete(request);
    const file = readFileSync(path, 'utf8');
    assert.ok(!/horse|abcdefghij/.test(file), file);
    assert.equal(
      (await recordedModel(path, undefined, options).complete(request)).message.text,
      'I saw [redacted]',
    );
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('replays a quarantined question although its delimiter differs each time', async () => {
    const path = join(folder, 'nonce.jsonl');
    const question = {
      question: 'q',
      inputs: [{ name: 'x', value: 'y' }],
      type: { kind: 'boolean' },
    } as const;
    await quarantine(recordedModel(path, scriptedModel(['{"answer":true}']))).ask(question);
    const answer = await quarantine(recordedModel(path)).ask(question);
    assert.deepEqual(answer.kind === 'answer' && answer.value, true);
  });

  it('says which line of a file is broken', async () => {
    const cases: readonly [string, RegExp][] = [
      ['', /:1: not a JSON object/],
      ['{"cassette":2,"model":"m"}', /:1: not a cassette of version 1/],
      ['{"cassette":1,"model":"m"}\n{"request"', /:2: not a JSON object/],
      ['{"cassette":1,"model":"m"}\n{"request":{}}', /:2: expected/],
    ];
    for (const [text, message] of cases) {
      const path = join(folder, 'broken.jsonl');
      writeFileSync(path, text);
      const error = await failure(() => recordedModel(path));
      assert.equal(error.code, 'model/bad-cassette');
      assert.match(error.message, message);
    }
    const missing = join(folder, 'missing.jsonl');
    assert.equal((await failure(() => recordedModel(missing))).code, 'model/bad-setting');
    assert.equal(
      (await failure(() => recordedModel(missing, undefined, { mode: 'replay' }))).code,
      'model/bad-cassette',
    );
  });
});
