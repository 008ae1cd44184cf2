/**
 * The log of a session:
 * - for random runs, replaying what was written equals the live state after every event;
 * - a log that is cut at any byte holds every whole event before the cut, and says that it was cut;
 * - a log that is damaged is refused with file, line and field.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { designs, Fides } from '../../../planner/agent/decision/design.js';
import { LogError, readLog, readLogFile, resume, SessionLog } from '../../../planner/agent/log/index.js';
import { decodeValue, encodeValue } from '../../../planner/agent/log/value.js';
import { canonical } from '../../../planner/agent/oversight/canonical.js';
import { Session } from '../../../planner/agent/session/session.js';
import { runs } from '../../runs.js';
import { allOf, carryOut, newSession, policyOf, type RandomRun, randomRun } from './random-run.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-log-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = () => join(folder, `${files++}.jsonl`);

/** Carries a run out with a log; what the state was after each event, and the log. */
async function logged(run: RandomRun) {
  const path = newPath();
  const log = SessionLog.create(path, { policy: policyOf(run), design: designs[run.design] });
  const states: string[] = [];
  const session: Session = newSession(run, {
    log: (event) => {
      log.write(event);
      // The first event comes while the session is being made.
      states.push(event.kind === 'started' ? '' : canonical(allOf(session.state)));
    },
  });
  await carryOut(run, session);
  log.close();
  return { path, states };
}

describe('the log of a session', () => {
  it('holds the state after every event of a random run', async () => {
    const numRuns = runs(100, 50);
    let events = 0;
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const { path, states } = await logged(run);
        const log = readLogFile(path);
        assert.equal(log.truncated, 0);
        assert.equal(log.events.length, states.length);
        events += states.length;
        const session = new Session({ policy: policyOf(run), design: designs[run.design], resumes: true });
        for (const [at, event] of log.events.entries()) {
          session.replay(event);
          if (at > 0) assert.equal(canonical(allOf(session.state)), states[at], `event ${at}: ${event.kind}`);
        }
      }),
      { numRuns },
    );
    assert.ok(events > 20 * numRuns, `only ${events} events`);
  });

  it('survives a cut at any byte, and goes on after it as if nothing was', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, fc.double({ min: 0, max: 1, noNaN: true }), async (run, share) => {
        const { path } = await logged(run);
        const whole = readLogFile(path);
        const bytes = readFileSync(path);
        const header = bytes.indexOf(10) + 1;
        const cut = header + Math.floor(share * (bytes.length - header));
        truncateSync(path, cut);
        const log = readLogFile(path);
        assert.equal(log.bytes + log.truncated, cut);
        assert.equal(canonical(log.events), canonical(whole.events.slice(0, log.events.length)));
        const lines = bytes.subarray(0, cut).filter((byte) => byte === 10).length;
        assert.equal(log.events.length, lines - 1);
        // The writer goes on where the whole lines end, with the labels that they declare.
        const writer = SessionLog.append(path, log);
        for (const event of whole.events.slice(log.events.length)) writer.write(event);
        writer.close();
        assert.deepEqual(readFileSync(path), bytes);
      }),
      { numRuns: runs(40) },
    );
  });

  it('is refused with file, line and field where it is damaged', async () => {
    const run: RandomRun = {
      design: 2,
      rules: ['trusted-action', 'either'],
      results: [{ a: 'b' }, 'text'],
      choices: [7, 21, 4, 5, 6, 13],
      approve: true,
    };
    const { path } = await logged(run);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"kind":"decided"'));
    const damaged = (change: (line: string) => string) =>
      lines
        .map((line, index) => (index === at ? change(line) : line))
        .join('\n')
        .concat('\n');
    const cases: [(line: string) => string, RegExp][] = [
      [(line) => line.slice(0, -4), /^a\.jsonl:\d+: is not JSON/],
      [(line) => line.replace('"tool":"t', '"tool":7,"x":"t'), /^a\.jsonl:\d+: tool: /],
      [(line) => line.replace(/"verdict":"\w+"/, '"verdict":"maybe"'), /decision\.verdict: /],
      [(line) => line.replace(/"label":\d+/, '"label":99'), /no line has declared the label 99/],
      [(line) => line.replace(/"call":\d+/, '"call":40'), /expected 1, found 40/],
      [() => '{"kind":"dispatched","call":9}', /there is no call 9 yet/],
      [() => '{"kind":"returned","call":1,"value":1,"leaves":[]}', /call 1 is not under way/],
      [(line) => line.replace('"kind":"decided"', '"kind":"imagined"'), /kind: /],
    ];
    for (const [change, message] of cases) {
      const text = damaged(change);
      assert.notEqual(text, `${lines.join('\n')}\n`, String(message));
      assert.throws(
        () => readLog(text, 'a.jsonl'),
        (error) =>
          error instanceof LogError &&
          error.code === 'log/corrupt' &&
          error.message.startsWith(`a.jsonl:${at + 1}: `) &&
          message.test(error.message),
        String(message),
      );
    }
    assert.throws(() => readLog('', 'a.jsonl'), { code: 'log/empty' });
    assert.throws(() => readLog(lines[0].replace('"version":1', '"version":2').concat('\n'), 'a.jsonl'), {
      code: 'log/version',
    });
    const bad = Buffer.from(`${lines.join('\n')}\n`);
    bad[bad.lastIndexOf(110)] = 0xff;
    assert.throws(() => readLog(bad, 'a.jsonl'), { code: 'log/corrupt' });
  });

  it('is readable by its owner only, is never overwritten, and never holds a secret', () => {
    const policy = policyOf({ design: 2, rules: ['none'], results: [1], choices: [1], approve: true });
    const path = newPath();
    const secret = 'correct-horse-battery';
    const log = SessionLog.create(path, { policy, design: Fides }, { secrets: [secret, 'kind'] });
    const session = new Session({ policy, design: Fides, log: log.write });
    session.prompt(`my key is ${secret}`);
    session.beginTurn(undefined, { calls: [{ tool: 't0', arguments: { [secret]: [secret] } }] });
    const decided = session.decide({ tool: 't0', arguments: { text: { [secret]: secret } } });
    session.dispatch(decided);
    session.returned(decided, [{ [secret]: `a${secret}b` }]);
    session.observed(0, secret);
    session.answer(secret);
    log.close();
    const text = readFileSync(path, 'utf8');
    assert.ok(!text.includes(secret) && text.includes('[redacted]'));
    assert.equal(readLog(text, path).events.length, 8);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.throws(() => SessionLog.create(path, { policy, design: Fides }), { code: 'log/exists' });
    assert.equal(readFileSync(path, 'utf8'), text);
  });

  it('is written by one process at a time; the lock of a process that is gone is void', () => {
    const policy = policyOf({ design: 2, rules: ['none'], results: [1], choices: [1], approve: true });
    const path = newPath();
    const log = SessionLog.create(path, { policy, design: Fides });
    const session = new Session({ policy, design: Fides, log: log.write });
    const read = readLogFile(path);
    assert.throws(() => SessionLog.append(path, read), { code: 'log/in-use' });
    session.prompt('more');
    log.close();
    assert.throws(() => SessionLog.append(path, read), { code: 'log/in-use', message: /has changed/ });
    // The number of a process that has just ended, and a lock that was cut off.
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    for (const holder of [`${gone}`, '']) {
      writeFileSync(`${path}.lock`, holder);
      SessionLog.append(path, readLogFile(path)).close();
      assert.ok(!existsSync(`${path}.lock`));
    }
  });

  it('is resumed under its own policy and design only', () => {
    const run = { design: 2, rules: ['none'], results: [1], choices: [1], approve: true } as const;
    const policy = policyOf(run);
    const path = newPath();
    const log = SessionLog.create(path, { policy, design: Fides });
    new Session({ policy, design: Fides, log: log.write }).prompt('hello');
    log.close();
    const read = readLogFile(path);
    assert.deepEqual(resume(read, { policy: { ...policy, source: 'moved' }, design: Fides }).state.prompts, [
      'hello',
    ]);
    const other = policyOf({ ...run, rules: ['either'] });
    assert.throws(() => resume(read, { policy: other, design: Fides }), { code: 'log/other-policy' });
    assert.throws(() => resume(read, { policy, design: designs[3] }), { code: 'log/other-design' });
  });

  it('gives an error where a file cannot be made, and refuses what is no data', () => {
    const policy = policyOf({ design: 2, rules: ['none'], results: [1], choices: [1], approve: true });
    assert.throws(() => SessionLog.create(join(folder, 'none', 'a'), { policy, design: Fides }), {
      code: 'ENOENT',
    });
    writeFileSync(join(folder, 'plain'), 'x');
    assert.throws(() => readLogFile(join(folder, 'plain')), { code: 'log/empty' });
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    for (const value of [() => 1, Symbol('s'), cyclic, new Date(0), new Map()]) {
      assert.throws(() => encodeValue(value, (text) => text), { code: 'log/not-data' });
    }
  });

  it('holds values exactly', () => {
    const data = fc.anything({
      withBigInt: true,
      withNullPrototype: false,
      withSparseArray: false,
      withObjectString: true,
      key: fc.oneof(fc.string(), fc.constantFrom('__proto__', '$number', '$object', '$x')),
    });
    fc.assert(
      fc.property(data, (value) => {
        const text = JSON.stringify(encodeValue(value, (each) => each));
        assert.equal(canonical(decodeValue(JSON.parse(text))), canonical(value));
      }),
      { numRuns: runs(2000) },
    );
    for (const bad of [{ $number: '1' }, { $date: 'x' }, { $bigint: '1.5' }, { $undefined: 1 }]) {
      assert.throws(() => decodeValue(bad), { code: 'log/bad-value' });
    }
  });
});
