/**
 * The ground-truth planner through the live loop on AgentDojo's tasks, with tools that run: the same
 * interventions as the replay of the recorded results, every task's goal reached under approval, also where a
 * run is cut and resumed.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadAgentDojo, runGroundTruth } from '../../../bench/agentdojo/ground-truth.js';
import { agentDojoSettings } from '../../../bench/run/agentdojo-setting.js';
import { knownMinds } from '../../../bench/run/minds.js';
import { type Job, type RunOptions, type RunOutcome, runTask } from '../../../bench/run/run-task.js';
import { type Design, designNamed } from '../../../planner/agent/decision/design.js';
import { approveAll, denyAll } from '../../../planner/agent/oversight/oversight.js';

const folder = join(process.env.ASSAY_SHARED ?? join(import.meta.dirname, '../../../../shared'), 'agentdojo');
const skip = existsSync(folder) ? false : `no AgentDojo data at ${folder} (set ASSAY_SHARED)`;
const logs = mkdtempSync(join(tmpdir(), 'assay-agentdojo-'));
after(() => rmSync(logs, { recursive: true }));

const options: RunOptions = { minds: knownMinds, oversight: approveAll, maxTurns: 200 };

async function jobs(design: Design, profile = 'fides'): Promise<Job[]> {
  const settings = await agentDojoSettings({ folder, profile });
  return settings.flatMap((setting) => setting.tasks.map((task) => ({ setting, task, design, run: 1 })));
}

/** HITL loads of the ground truth under the profile `fides`, as the replay counts them. */
const loads = [
  ['basic', 100],
  ['basic-ifc', 70],
  ['fides', 32],
  ['prudentia', 18],
] as const;

for (const [name, load] of loads) {
  test(`${name}: ${load} interventions over 97 tasks, all of them done, as in the replay`, {
    skip,
  }, async () => {
    const design = designNamed(name);
    const data = await loadAgentDojo(folder);
    const outcomes: RunOutcome[] = [];
    for (const job of await jobs(design)) {
      const outcome = await runTask(job, options);
      outcomes.push(outcome);
      const known = data.groundTruth.find(
        ({ suite, userTask }) => suite === job.setting.name && userTask === job.task.id,
      );
      const suite = data.suites.get(job.setting.name);
      assert.ok(known && suite);
      const replayed = await runGroundTruth(known, suite, design, job.setting.policy);
      assert.equal(outcome.interventions, replayed.interventions, `${job.setting.name}/${job.task.id}`);
    }
    assert.equal(outcomes.length, 97);
    assert.equal(outcomes.filter((outcome) => outcome.success).length, 97);
    assert.equal(
      outcomes.reduce((sum, outcome) => sum + outcome.interventions, 0),
      load,
    );
  });
}

test('a human who approves nothing leaves undone what needs approval, and nothing else', {
  skip,
}, async () => {
  let undone = 0;
  for (const job of await jobs(designNamed('basic'))) {
    const { success, interventions } = await runTask(job, { ...options, oversight: denyAll });
    if (interventions === 0) assert.ok(success, job.task.id);
    if (!success) undone += 1;
  }
  // 97 tasks, 36 of them without a consequential call.
  assert.ok(undone > 40 && undone <= 61, `${undone} tasks were not done`);
});

test('a log that is cut at any place is resumed to the same end, with the world as it was', {
  skip,
}, async () => {
  let resumed = 0;
  for (const [index, job] of (await jobs(designNamed('prudentia'))).entries()) {
    if (index % 3 !== 0) continue;
    const log = join(logs, `${index}.jsonl`);
    const whole = await runTask(job, { ...options, log });
    const bytes = readFileSync(log);
    const lines = bytes.filter((byte) => byte === 10).length;
    // A place of its own for each task, so that together they cover beginning, middle and end.
    const cut = bytes.indexOf(10) + 1 + ((index * 7919) % (bytes.length - bytes.indexOf(10) - 1));
    truncateSync(log, cut);
    const again = await runTask(job, { ...options, log, resume: true });
    assert.equal(again.success, whole.success, `${job.setting.name}/${job.task.id} cut at ${cut}`);
    assert.equal(again.end, 'answer');
    assert.ok(again.resumed);
    assert.ok(lines > 2);
    resumed += 1;
  }
  assert.ok(resumed > 30);
});
