/**
 * Kill -9 at random moments of a run: on resume no call with an effect is made twice without a human saying
 * so, no effect is there of which the log knows nothing, and no event is lost.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readLogFile } from '../../../planner/agent/log/index.js';
import { canonical } from '../../../planner/agent/oversight/canonical.js';
import { approveAll, denyAll } from '../../../planner/agent/oversight/oversight.js';
import { program } from '../../program.js';
import { runs } from '../../runs.js';
import { chance, seed } from '../../seed.js';
import { go, ids } from './killed-run.js';

const root = mkdtempSync(join(tmpdir(), 'assay-kill-'));
after(() => rmSync(root, { recursive: true }));

/** Whole lines of a file that may not be there. */
function lines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Starts or resumes the run in a process of its own, and kills it within 200 ms; whether it was alive. */
async function killed(folder: string, name: string): Promise<boolean> {
  const delay = 200 * chance('kill', name);
  const child = spawn(process.execPath, [...program('spec/bench/run/kill-child.ts'), folder, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ASSAY_SEED: `${seed}` },
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_, signal) => resolve(signal));
  });
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), delay));
  return (await ended) === 'SIGKILL';
}

function eventsOf(folder: string) {
  const path = join(folder, 'log.jsonl');
  // A run may be killed before the log has a line.
  return lines(path).length === 0 ? [] : readLogFile(path).events;
}

/** What must hold whenever the process is gone. */
function checkDead(folder: string): void {
  const effects = lines(join(folder, 'effects'));
  const events = eventsOf(folder);
  const dispatched = new Set(events.flatMap((event) => (event.kind === 'dispatched' ? [event.call] : [])));
  const known = new Set(
    events.flatMap((event) =>
      event.kind === 'decided' && dispatched.has(event.call) ? event.arguments.map(({ value }) => value) : [],
    ),
  );
  for (const id of effects) assert.ok(known.has(id), `${id} had its effect, and the log does not know`);
}

/** @returns what moments the kills hit */
async function trial(number: number): Promise<{ kills: number; underWay: number; truncated: number }> {
  const folder = mkdtempSync(join(root, `${number}-`));
  const hit = { kills: 0, underWay: 0, truncated: 0 };
  let before: readonly unknown[] = [];
  for (let kill = 0; kill < 1 + (number % 2); kill += 1) {
    if (await killed(folder, `${number}.${kill}`)) hit.kills += 1;
    checkDead(folder);
    const events = eventsOf(folder);
    assert.equal(canonical(events.slice(0, before.length)), canonical(before), 'an event was lost');
    before = events;
    if (events.length > 0) hit.truncated += readLogFile(join(folder, 'log.jsonl')).truncated > 0 ? 1 : 0;
  }
  const human = number % 4 < 2 ? denyAll : approveAll;
  const outcome = await go(folder, `${number}`, human);
  assert.equal(outcome.end, 'answer');
  checkDead(folder);
  const { events } = readLogFile(join(folder, 'log.jsonl'));
  assert.equal(canonical(events.slice(0, before.length)), canonical(before), 'an event was lost');
  const cutOff = events.filter((event) => event.kind === 'failed').length;
  const approved = events.filter((event) => event.kind === 'reviewed' && event.verdict === 'approve').length;
  hit.underWay = events.filter((event) => event.kind === 'reviewed').length;
  const effects = lines(join(folder, 'effects'));
  const different = new Set(effects);
  assert.ok(effects.length - different.size <= approved, 'an effect happened twice, and nobody said so');
  if (human === denyAll) assert.equal(effects.length, different.size);
  assert.ok(ids.filter((id) => !different.has(id)).length <= cutOff, 'a call was neither made nor cut off');
  return hit;
}

test('a run that is killed at random moments goes on without a second effect and without a loss', async (t) => {
  const wanted = runs(50, 20);
  const total = { kills: 0, underWay: 0, truncated: 0 };
  let trials = 0;
  const worker = async () => {
    while (total.kills < wanted) {
      trials += 1;
      const { kills, underWay, truncated } = await trial(trials);
      total.kills += kills;
      total.underWay += underWay;
      total.truncated += truncated;
    }
  };
  await Promise.all([worker(), worker()]);
  const { kills, underWay, truncated } = total;
  t.diagnostic(`${kills} kills; ${underWay} calls were under way; ${truncated} logs had a cut line`);
  assert.ok(underWay >= wanted / 2, `only ${underWay} calls were under way when a kill came`);
});
