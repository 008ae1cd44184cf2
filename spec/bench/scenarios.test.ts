/**
 * The scenarios that ship with the project are well formed: policy, tools, tasks and runs agree with each
 * other.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Schema, Validator } from '@cfworker/json-schema';
import * as v from 'valibot';
import { fateOf, type RecordedRun, recordedRun, runName } from '../../bench/replay/recorded-run.js';
import { replay } from '../../bench/replay/replay.js';
import { emptyWorld } from '../../bench/replay/world.js';
import { BasicIFC } from '../../planner/agent/decision/design.js';
import { checkPolicy, loadPolicy, profilesOf } from '../../planner/agent/policy/load.js';
import { readToolSchemas } from '../../planner/agent/policy/tool-schema.js';

const root = join(import.meta.dirname, '../../bench/scenarios');
const settings = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());

const call = v.strictObject({ function: v.string(), args: v.record(v.string(), v.unknown()) });
const tasks = v.array(
  v.strictObject({
    id: v.string(),
    prompt: v.string(),
    dataDependency: v.picklist(['di', 'diq', 'dd']),
    groundTruth: v.pipe(v.array(call), v.minLength(1)),
    turns: v.array(v.number()),
    results: v.array(v.unknown()),
    finalText: v.string(),
    injections: v.array(
      v.strictObject({
        id: v.string(),
        goal: v.string(),
        step: v.number(),
        result: v.unknown(),
        calls: v.pipe(v.array(call), v.minLength(1)),
      }),
    ),
  }),
);

function load(setting: string) {
  const read = (file: string) => readFileSync(join(root, setting, file), 'utf8');
  const runs = read('traces.jsonl')
    .trimEnd()
    .split('\n')
    .map((line): RecordedRun => {
      const run = recordedRun(JSON.parse(line));
      assert.ok('steps' in run, JSON.stringify(run));
      return run;
    });
  return {
    policy: read('policy.yaml'),
    tools: readToolSchemas(read('tools.json'), 'tools.json'),
    tasks: v.parse(tasks, JSON.parse(read('tasks.json'))),
    runs,
  };
}

const all = settings.map(({ name }) => ({ name, ...load(name) }));

/** Draft 2020-12, as far as the scenarios use it. */
function assertValid(value: unknown, schema: unknown, what: string): void {
  const { valid, errors } = new Validator(schema as Schema, '2020-12').validate(value);
  assert.ok(
    valid,
    `${what}: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('; ')}`,
  );
}

describe('the scenarios', () => {
  it('are at least twelve tasks in three settings', () => {
    assert.equal(all.length, 3);
    assert.ok(all.flatMap((setting) => setting.tasks).length >= 12);
  });

  it('show every kind of run: attacks that succeed and that are ignored, failures, parallel and unanswered calls', () => {
    const runs = all.flatMap((setting) => setting.runs);
    assert.ok(runs.some((run) => run.security === true && run.attackSteps.length > 0));
    assert.ok(runs.some((run) => run.security === false && run.injectionSeen.length > 0));
    assert.ok(runs.some((run) => !run.utility && run.injectionTask === null));
    const fates = new Set(runs.flatMap((run) => run.steps.map(fateOf)));
    assert.deepEqual([...fates].sort(), ['failed', 'returned', 'undispatched']);
    assert.ok(
      runs.some((run) => run.steps.some((step, at) => at > 0 && step.turn === run.steps[at - 1].turn)),
    );
    const dependencies = new Set(all.flatMap((setting) => setting.tasks.map((task) => task.dataDependency)));
    assert.deepEqual([...dependencies].sort(), ['dd', 'di', 'diq']);
  });

  for (const { name, policy, tools, tasks, runs } of all) {
    const schemas = new Map(tools.map((tool) => [tool.name, tool]));

    it(`${name}: the policy is without errors and warnings, also against the tools`, () => {
      assert.deepEqual(checkPolicy(policy, { tools }), []);
      for (const profile of profilesOf(policy)) loadPolicy(policy, { profile });
    });

    it(`${name}: calls and results are what the tools' schemas say`, () => {
      for (const task of tasks) {
        assert.equal(task.results.length, task.groundTruth.length);
        assert.equal(task.turns.length, task.groundTruth.length);
        task.groundTruth.forEach(({ function: tool, args }, step) => {
          assertValid(args, schemas.get(tool)?.parameters, `${task.id} ${tool}`);
          assertValid(task.results[step], schemas.get(tool)?.returns, `${task.id} ${tool}`);
        });
        for (const injection of task.injections) {
          const { function: read } = task.groundTruth[injection.step];
          assertValid(injection.result, schemas.get(read)?.returns, `${task.id} ${injection.id}`);
          for (const { function: tool, args } of injection.calls) {
            assertValid(args, schemas.get(tool)?.parameters, `${injection.id} ${tool}`);
          }
        }
      }
      for (const run of runs) {
        for (const step of run.steps) {
          const schema = schemas.get(step.call.function);
          assertValid(step.call.args, schema?.parameters, runName(run));
          if (fateOf(step) === 'returned') assertValid(step.result, schema?.returns, runName(run));
        }
      }
    });

    it(`${name}: every run is a run of a task, and of an injection of that task`, () => {
      for (const run of runs) {
        const task = tasks.find(({ id }) => id === run.userTask);
        assert.equal(run.suite, name);
        assert.equal(run.prompt, task?.prompt);
        if (run.injectionTask !== null) {
          assert.ok(
            task?.injections.some(({ id }) => id === run.injectionTask),
            runName(run),
          );
          assert.ok(run.injectionSeen.length > 0, runName(run));
        }
        for (const task of tasks) assert.ok(runs.some((other) => other.userTask === task.id));
      }
      assert.equal(new Set(runs.map(runName)).size, runs.length);
    });

    it(`${name}: no attack goes through under Basic-IFC but to those who may read the data anyway`, () => {
      const loaded = loadPolicy(policy);
      for (const run of runs) {
        const { steps } = replay(run, BasicIFC, loaded, emptyWorld(run));
        for (const index of run.attackSteps) {
          const decision = steps[index].decided?.decision;
          const grounds = decision?.verdict === 'allow' ? decision.grounds : 'stopped';
          assert.ok(
            grounds === 'stopped' || grounds === 'permitted flow',
            `${runName(run)} ${index}: ${grounds}`,
          );
        }
      }
    });

    it(`${name}: some tasks need a human under Basic-IFC, and some that act need none`, () => {
      const loaded = loadPolicy(policy);
      const acts = runs
        .filter((run) => run.utility && run.injectionTask === null)
        .filter((run) => run.steps.some(({ call }) => loaded.tools.get(call.function)?.consequential))
        .map((run) => replay(run, BasicIFC, loaded, emptyWorld(run)).asked.length);
      assert.ok(acts.some((asked) => asked > 0) && acts.includes(0), String(acts));
    });

    it(`${name}: text is what the model saw of the result, and an attack comes in a later turn than its text`, () => {
      for (const run of runs) {
        for (const step of run.steps) {
          if (fateOf(step) !== 'returned') continue;
          const shown = typeof step.result === 'string' ? step.result : JSON.parse(step.resultText ?? '');
          assert.deepEqual(shown, step.result);
        }
        const seen = Math.min(...run.injectionSeen.map((step) => Number(run.steps[step].turn)));
        for (const step of run.attackSteps) assert.ok(Number(run.steps[step].turn) > seen, runName(run));
        assert.equal(run.security === true, run.attackSteps.length > 0, runName(run));
      }
    });
  }
});
