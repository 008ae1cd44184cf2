/**
 * `assay replay` on good and bad input: what it prints, what it says about each problem, and how it ends.
 * Every problem names file, line and field; none ends the others' processing; none is a stack trace.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type ReplayOptions, replayCommand } from '../../../bench/replay/command.js';
import { AssayError } from '../../../semiring/message/error.js';
import { policyText, returned, type Step } from './tiny-run.js';

let folder: string;
let policy: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-replay-'));
  policy = file('policy.yaml', policyText);
});
after(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const steps = [returned(0, 'page', {}, 'some text'), returned(1, 'act', { x: 'y' }, 'ok')];

function line(change: Step = {}): string {
  const run = { model: 'm', suite: 's', userTask: 't1', utility: true, prompt: 'do', steps, ...change };
  return `${JSON.stringify(run)}\n`;
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(
  traces: readonly string[],
  options: Partial<ReplayOptions> = {},
  input: Readable = Readable.from([]),
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [text(stdout), text(stderr)];
  const all = { policy, design: 'basic-ifc', json: true, ...options };
  const code = await replayCommand(traces, all, { stdin: input, stdout, stderr });
  stdout.end();
  stderr.end();
  const ended = { code, out: await out, err: (await err).replaceAll(`${folder}/`, '') };
  assert.doesNotMatch(ended.err, /^\s+at /m, 'a stack trace');
  return ended;
}

/** What was said about problems: all lines but the last, which says how long it took. */
function complaints({ err }: Ended): string[] {
  return err.trimEnd().split('\n').slice(0, -1);
}

function names({ out }: Ended): string[] {
  return JSON.parse(out).runs.map((each: { userTask: string }) => each.userTask);
}

describe('good input', () => {
  test('a file, gzipped or not, a folder, and standard input', async () => {
    const plain = file('a.jsonl', line());
    const zipped = file('b.jsonl.gz', gzipSync(line({ userTask: 't2' })));
    const input = () => Readable.from([Buffer.from(line({ userTask: 't3' }))]);
    const ended = await run([plain, zipped, '-'], {}, input());
    assert.equal(ended.code, 0);
    assert.deepEqual(complaints(ended), []);
    assert.deepEqual(names(ended), ['t1', 't2', 't3']);
    assert.deepEqual(names(await run(['-'], {}, Readable.from([gzipSync(line())]))), ['t1']);
    const whole = await run([folder]);
    assert.deepEqual(names(whole), ['t1', 't2']);
    rmSync(plain);
    rmSync(zipped);
  });

  test('JSON: a row for each run and design with the steps that needed a human', async () => {
    const { out } = await run(['-'], { design: 'basic, basic-ifc' }, Readable.from([line()]));
    const { runs, summary } = JSON.parse(out);
    assert.equal(summary.length, 2);
    assert.deepEqual(
      runs.map(({ design, asked, interventions, success, injectionTask }: Step) => ({
        design,
        asked,
        interventions,
        success,
        injectionTask,
      })),
      [
        { design: 'basic', asked: [1], interventions: 1, success: true, injectionTask: null },
        { design: 'basic-ifc', asked: [1], interventions: 1, success: true, injectionTask: null },
      ],
    );
  });

  test('lines may be split anywhere, be empty, and end with the file', async () => {
    const bytes = Buffer.from(`\n${line()}\n${line({ userTask: 'tä' }).trimEnd()}`);
    const single = Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])));
    assert.deepEqual(names(await run(['-'], {}, single)), ['t1', 'tä']);
  });

  test('CSV and SVG', async () => {
    const svg = join(folder, 'curve.svg');
    const { out, code } = await run(['-'], { json: false, csv: true, svg }, Readable.from([line()]));
    assert.equal(code, 0);
    assert.match(out, /\nm,s,basic-ifc,1,1,1,1,0,1,1,1,1,0,0,0\n$/);
    assert.match(readFileSync(svg, 'utf8'), /^<svg /);
  });
});

describe('bad input is named and stepped over', () => {
  const problem = async (bad: string, ...expected: readonly RegExp[]) => {
    const path = file('bad.jsonl', `${line()}${bad}\n${line({ userTask: 't9' })}`);
    const ended = await run([path]);
    assert.equal(ended.code, 1);
    assert.deepEqual(names(ended), ['t1', 't9']);
    const said = complaints(ended);
    assert.equal(said.length, expected.length + 1, said.join('\n'));
    for (const [at, pattern] of expected.entries()) assert.match(said[at], pattern);
    assert.equal(said.at(-1), `problems: ${expected.length}; runs processed all the same: 2`);
  };
  const without = (field: string) => {
    const { [field]: _, ...rest } = JSON.parse(line());
    return JSON.stringify(rest);
  };

  test('a line that is no JSON', () => problem('{"model": ', /^bad\.jsonl:2: is no JSON: /));
  test('a line that is no run', () => problem('1', /^bad\.jsonl:2: expected Object, found 1$/));
  test('a missing field', () => problem(without('utility'), /^bad\.jsonl:2:utility: is missing$/));
  test('two missing fields', () =>
    problem('{"utility":true,"steps":[]}', /^bad\.jsonl:2:suite: is missing$/, /^bad\.jsonl:2:userTask: /));
  test('a field of the wrong kind, deep inside', () =>
    problem(
      JSON.stringify({ ...JSON.parse(line()), steps: [{ call: { function: 7, args: {} } }] }),
      /^bad\.jsonl:2:steps\.0\.call\.function: expected string/,
    ));
  test('an attack step that the run does not have', () =>
    problem(line({ attackSteps: [5] }).trimEnd(), /^bad\.jsonl:2:attackSteps: step 5 does not exist/));
  test('arguments nested without end', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const bad = line().trimEnd().replace('{"x":"y"}', `{"x":${deep}}`);
    return problem(bad, /^bad\.jsonl:2:steps: the arguments are nested deeper than 500/);
  });
  test('control characters of the input do not reach the terminal', () =>
    problem('\u001b]0;x\u0007{', /^bad\.jsonl:2: is no JSON: [^\u0000-\u001f]*$/));

  test('a tool that the policy does not name: its calls are decided all the same', async () => {
    const odd = line({ steps: [returned(0, 'novel', {}, 1), returned(1, 'act', {}, 1)] });
    const ended = await run(['-'], {}, Readable.from([odd]));
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^<stdin>:1:steps\.0\.call\.function: the policy does not name the tool "novel"/);
    assert.deepEqual(JSON.parse(ended.out).runs[0].asked, [1]);
  });

  test('a suite that the policies do not know: the other runs are processed', async () => {
    file('s.yaml', policyText);
    const ended = await run(
      ['-'],
      { policy: folder },
      Readable.from([line({ suite: 'other', userTask: 'lost' }), line()]),
    );
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^<stdin>:1:suite: .*no policy for the suite "other"/);
    assert.deepEqual(names(ended), ['t1']);
  });

  test('a gzip that breaks off: what came before the break is processed', async () => {
    const many = Array.from({ length: 300 }, (_, i) => line({ userTask: `t${i}`, prompt: `${Math.sin(i)}` }));
    const zipped = gzipSync(many.join(''));
    const ended = await run([file('cut.jsonl.gz', zipped.subarray(0, zipped.length >> 1))]);
    assert.equal(ended.code, 1);
    const [said] = complaints(ended);
    const lines = Number(/^cut\.jsonl\.gz:\d+: breaks off after (\d+) lines: /.exec(said)?.[1]);
    assert.ok(lines > 0 && lines < 300, said);
    assert.equal(names(ended).length, lines);
  });

  test('bytes that only begin as gzip', async () => {
    const ended = await run([file('fake.gz', Uint8Array.of(0x1f, 0x8b, 1, 2, 3))]);
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^fake\.gz:1: breaks off after 0 lines: /);
  });

  test('an empty file has no runs, and is no problem', async () => {
    const ended = await run([file('empty.jsonl', '')]);
    assert.equal(ended.code, 0);
    assert.deepEqual(names(ended), []);
  });

  test('a file that is not there: the others are processed', async () => {
    const ended = await run([join(folder, 'none.jsonl'), '-'], {}, Readable.from([line()]));
    assert.equal(ended.code, 3);
    assert.match(ended.err, /^none\.jsonl: cannot be opened: /);
    assert.deepEqual(names(ended), ['t1']);
  });

  test('a line of 20 million characters', async () => {
    const ended = await run(['-'], {}, Readable.from([line({ prompt: 'x'.repeat(20_000_000) })]));
    assert.equal(ended.code, 0);
    assert.deepEqual(names(ended), ['t1']);
  });

  test('a policy with a mistake, a design that does not exist', async () => {
    const wrong = file(
      'wrong.yml',
      policyText.replace('trusted action -> joined', 'trustd action -> joined'),
    );
    await assert.rejects(run(['-'], { policy: wrong }), (error: unknown) => {
      assert.ok(error instanceof AssayError);
      assert.match(error.message, /wrong\.yml:\d+:\d+: .*trustd action/);
      return true;
    });
    await assert.rejects(run(['-'], { design: 'fidess' }), /unknown design "fidess".*fides/);
  });
});

describe('explain', () => {
  const hostile = line({
    userTask: 'tx',
    prompt: 'pay \u001b[31mred',
    steps: [
      returned(0, 'page', {}, 'evil \u001b[2J\u202etext\nsecond line'),
      returned(1, 'act', { x: 'a\u0007b' }, 'ok'),
    ],
  });

  test('one run as a table, the violation with its cause, nothing that a terminal would obey', async () => {
    const ended = await run(['-'], { explain: 'm/s/tx' }, Readable.from([line(), hostile]));
    assert.equal(ended.code, 0);
    assert.equal(
      ended.out,
      String.raw`m/s/tx under basic-ifc
prompt: pay \x1b[31mred

step  turn  call            context before     decision
0     0     page()          trusted, public    allow: no policy
1     1     act(x: a\x07b)  untrusted, public  ask a human

step 1, act:
  it must be a trusted action, and the context is untrusted
    because of page #1
      untrusted, public: evil \x1b[2J\u{202e}text\nsecond line

1 intervention; the task was done

`,
    );
  });

  test('a name may be shortened; one that nothing begins with is an error', async () => {
    assert.match((await run(['-'], { explain: 'm/s' }, Readable.from([line()]))).out, /^m\/s\/t1 under/);
    const none = await run(['-'], { explain: 'zzz\u001b' }, Readable.from([line()]));
    assert.equal(none.code, 1);
    assert.equal(none.err, 'no run is named zzz\\x1b\n');
  });
});
