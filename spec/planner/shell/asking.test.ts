/**
 * `ask` in the shell, with a model. The transcript is played against a cassette; both are made anew with
 * ASSAY_UPDATE=1, from a model that answers by rule.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../../planner/shell/commands/run-command.js';
import { type QueryCommandOptions, queryCommand } from '../../../planner/shell/entry/query-command.js';
import { inputOf, Player } from '../../../planner/shell/entry/transcript.js';
import { itemsOf } from '../../../planner/shell/input/script.js';
import { Asking, type AskingOptions, openAsking } from '../../../planner/shell/model/asking.js';
import { defaultSettings } from '../../../planner/shell/settings.js';
import { Shell } from '../../../planner/shell/shell.js';
import { Meter } from '../../../udf/model/meter.js';
import type { Completion, Model, ModelRequest } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { needsMore } from '../../../udf/model/quarantine.js';
import { recordedModel } from '../../../udf/model/recorded-model.js';
import { scriptedModel } from '../../../udf/model/scripted-model.js';
import { Capture, captured, repl } from './capture.js';

const update = process.env.ASSAY_UPDATE !== undefined;
const here = (name: string) => fileURLToPath(new URL(`asking/${name}`, import.meta.url));
const cassette = here('cassette.jsonl');
const folder = mkdtempSync(join(tmpdir(), 'assay-asking-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const reviews = join(folder, 'reviews.csv');
writeFileSync(
  reviews,
  [
    'id,text,stars',
    '1,"Two days late, and nobody answers me. Never again!",1',
    '2,"It came 1 day late, no harm done.",3',
    '3,Fine pens.,5',
    '4,"Two days late, and nobody answers me. Never again!",1',
  ].join('\n'),
);

function answer(request: ModelRequest): Completion {
  const text = request.messages.at(-1)?.text ?? '';
  const late = text.includes('Two days') ? 2 : text.includes('1 day') ? 1 : needsMore;
  const said = text.includes('angry?') ? text.includes('Never again') : late;
  return {
    message: { role: 'assistant', text: JSON.stringify({ answer: said }), toolCalls: [] },
    usage: { calls: 1, inputTokens: 100, outputTokens: 5 },
    finish: 'stop',
  };
}

const byRule = (): Model => scriptedModel(answer, 'rule');

/** What the options would choose, but for a model that answers by rule. */
function asking(stderr: NodeJS.WritableStream, limits = {}, answers?: string): Asking {
  return new Asking(new Meter(byRule()), stderr, limits, answers);
}

function query(sql: string, options: QueryCommandOptions) {
  return captured('', (streams) => queryCommand(sql, options, streams));
}

const angry = "SELECT id FROM reviews WHERE ask('Is the writer angry?', text, 'boolean') ORDER BY id";

describe('ask in the shell', () => {
  it('plays as its transcript says, from a cassette', async () => {
    const path = here('transcript.txt');
    const player = new Player({
      folder,
      asking: (screen) =>
        update
          ? new Asking(new Meter(recordedModel(cassette, byRule(), { mode: 'record' })), screen)
          : openAsking({ cassette }, {}, screen),
    });
    const screen = await player.lines(inputOf(readFileSync(path, 'utf8')));
    const timeless = screen.replace(/^planned in .*/m, 'planned in 1 ms');
    if (update) writeFileSync(path, timeless);
    assert.equal(timeless, readFileSync(path, 'utf8'));
  });

  it('is there with flags of assay query and of the shell', async () => {
    const options = { cassette, table: [reviews], csv: true, semiring: 'off' };
    const sql = "SELECT id FROM reviews WHERE stars < 4 AND ask('Is the writer angry?', text, 'boolean')";
    assert.deepEqual(await query(sql, options), { code: 0, out: 'id\n1\n4\n', err: '' });
    const typed = await repl(`${sql};\n.model`, { cassette, mode: 'csv', semiring: 'off' }, [reviews]);
    assert.equal(
      typed.out,
      'id\n1\n4\nmodel,calls,tokens in,tokens out,cost,limits\nrule,2,200,10,no price,""\n',
    );
  });

  it('without a model, says how to have one', async () => {
    const asked = await repl(angry, { command: [angry] }, [reviews]);
    assert.match(asked.err, /there is no function ask\n.*\n.*\nhint: start with --model NAME/);
    const { code, err } = await repl('.model');
    assert.equal(code, 1);
    assert.match(err, /no model is configured\n.*\n.*\nhint: start with --model NAME/);
  });

  it('a setting that is wrong is wrong usage', async () => {
    assert.equal((await query('SELECT 1', { model: 'm', maxTokens: 'many' })).code, 2);
    const { code, err } = await query('SELECT 1', { cassette, maxCalls: '-1' });
    assert.equal(code, 2);
    assert.match(err, /--max-calls takes a number/);
  });

  it('a limit refuses a query before anything is sent; what the cache holds is free', async () => {
    for (const [limit, code] of [
      [{ maxCalls: 2 }, 'refused'],
      [{ maxTokens: 100 }, 'refused'],
      [{ maxCalls: 3 }, 'answered'],
    ] as const) {
      const model = scriptedModel(answer);
      const { err } = await run(angry, (stderr) => new Asking(new Meter(model), stderr, limit));
      if (code === 'refused') assert.match(err, /the limit is \d+; nothing more was sent/);
      assert.equal(model.requests.length, code === 'refused' ? 0 : 3);
    }
  });

  it('keeps answers in a file, over databases and shells', async () => {
    const answers = join(folder, 'answers.jsonl');
    const first = await run(angry, (stderr) => asking(stderr, {}, answers));
    const silent = scriptedModel([], 'rule');
    const again = await run(
      `${angry};\n.open\n.import ${reviews}\n${angry}`,
      (stderr) => new Asking(new Meter(silent), stderr, {}, answers),
    );
    assert.equal(first.out, 'id\n1\n4\n');
    assert.equal(again.out, 'id\n1\n4\nid\n1\n4\n');
  });

  it('tells new answers from those that a saved database was made with', async () => {
    const path = join(folder, 'asked.assay');
    const first = await run(
      `CREATE TABLE angry AS ${angry.replace(' ORDER BY id', '')};\n.save ${path}\nSELECT 1`,
      asking,
    );
    assert.doesNotMatch(first.err, /test:/);
    const other = angry.replace('angry?', 'very angry?');
    const { out } = await run(
      `.open ${path}\n.semiring N[X]\nSELECT id FROM angry;\n.lineage 1\n${other}`,
      asking,
    );
    assert.match(out, /^1,ask\[1\],,,$/m);
    assert.match(out, /^1,reviews\[1\]·ask\[4\]$/m);
  });

  it('shows how far it is on a terminal, and takes the line away again', async () => {
    const screen = Object.assign(new Capture(), { isTTY: true });
    const { out } = await run(angry, () => asking(screen));
    assert.equal(out, 'id\n1\n4\n');
    assert.match(screen.text, /\[[#.]{30}\] \d questions/);
    assert.ok(screen.text.endsWith('\r\x1b[K'));
  });

  it('counts the questions that stay without an answer', async () => {
    const sql = "SELECT ask('How many days late?', text, 'integer') AS late FROM reviews";
    const refusing = scriptedModel(() => new ModelError('model/server', 'down'));
    const { err } = await run(sql, (stderr) => new Asking(new Meter(refusing), stderr));
    assert.match(err, /3 of 3 questions without an answer: ask_reason says why/);
  });

  it('never shows a key', async () => {
    const key = 'sk-verysecretverysecret';
    const stderr = new Capture();
    const options: AskingOptions = { model: 'none', baseUrl: 'http://127.0.0.1:9/v1', attempts: 1 };
    const { out, err } = await run(
      `.model\nSELECT ask('?', text, 'boolean'), ask_reason('?', text, 'boolean') FROM reviews`,
      () => openAsking(options, { OPENAI_API_KEY: key }, stderr),
    );
    assert.match(out, /none/);
    assert.ok(![out, err, stderr.text].some((text) => text.includes(key)));
  });
});

/** A script over the reviews, as CSV without annotations. */
async function run(script: string, open: (stderr: Capture) => Asking | undefined) {
  const [stdout, stderr] = [new Capture(), new Capture()];
  const asking = open(stderr);
  const shell = new Shell(
    { stdout, stderr },
    {
      settings: { ...defaultSettings('csv'), semiring: undefined },
      runCommand,
      ...(asking && { asking }),
    },
  );
  for (const item of itemsOf(`.import ${reviews}\n${script};`, 'test')) await shell.do(item);
  return { out: stdout.text, err: stderr.text };
}
