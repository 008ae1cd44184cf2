/**
 * The replay of recorded runs against a second, independent reading of the counting rules, run by run; and
 * the totals that are published.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { policiesOf } from '../../../bench/agentdojo/policies.js';
import { applyRecorded, directoryOf, newEnvironment, SUITES } from '../../../bench/agentdojo/suites/index.js';
import { type RecordedRun, recordedRun } from '../../../bench/replay/recorded-run.js';
import { type ReplayedRun, replay } from '../../../bench/replay/replay.js';
import { report, runRow } from '../../../bench/replay/report.js';
import type { World } from '../../../bench/replay/world.js';
import { Basic, BasicIFC } from '../../../planner/agent/decision/design.js';
import { sharedRecords, sharedSuite, sharedText, skip, traceFiles } from '../agentdojo/shared.js';
import { type Collected, type CountedRun, count, type Profile } from './counting-reference.js';

interface Data {
  readonly collected: Collected;
  readonly environments: ReadonlyMap<string, unknown>;
  readonly traces: readonly CountedRun[];
  readonly groundTruth: readonly CountedRun[];
  readonly replayed: (run: CountedRun, design: typeof Basic, profile: Profile) => ReplayedRun;
}

function load(): Data {
  const text = sharedText('policies.json');
  const suites = new Map(SUITES.map((name) => [name as string, sharedSuite(name)]));
  const policies = {
    fides: policiesOf(text, { profile: 'fides' }),
    strict: policiesOf(text, { profile: 'strict' }),
  };
  const worldOf = (name: string): World => {
    const suite = suites.get(name);
    assert.ok(suite);
    const environment = newEnvironment(suite);
    return {
      directory: directoryOf(environment),
      apply: ({ call, result, error }) => applyRecorded(environment, call, { result: result ?? null, error }),
    };
  };
  return {
    collected: JSON.parse(text),
    environments: new Map(
      SUITES.map((name) => [name, JSON.parse(sharedText(`suites/${name}.json`)).environmentBenign]),
    ),
    traces: traceFiles().flatMap((file) => sharedRecords<CountedRun>(`traces/${file}`)),
    groundTruth: SUITES.flatMap((name) => sharedRecords<CountedRun>(`ground-truth/${name}.jsonl`)),
    replayed: (line, design, profile) => {
      const run = read(line);
      const policy = policies[profile].get(run.suite);
      assert.ok(policy);
      return replay(run, design, policy, worldOf(run.suite));
    },
  };
}

function read(line: CountedRun): RecordedRun {
  const run = recordedRun(line);
  assert.ok('steps' in run, JSON.stringify(run));
  return run;
}

describe('counting on the recorded runs', { skip }, () => {
  let data: Data;
  before(() => {
    data = load();
  });

  for (const profile of ['fides', 'strict'] as const) {
    for (const design of [Basic, BasicIFC]) {
      test(`${design.name} asks about the same steps of every run as the reference, profile ${profile}`, () => {
        const { collected, environments, traces, groundTruth, replayed } = data;
        assert.equal(traces.length, 1906);
        for (const run of [...traces, ...groundTruth]) {
          const name = design === Basic ? 'basic' : 'basic-ifc';
          const reference = count(run, name, profile, collected, environments.get(run.suite));
          const ours = replayed(run, design, profile);
          const where = JSON.stringify({ ...run, steps: undefined, prompt: undefined, finalText: undefined });
          assert.deepEqual(ours.asked, reference.attempted, where);
          assert.equal(ours.executed, reference.executed.length, where);
        }
      });
    }
  }

  test('ground truth under basic: 100 interventions, 36 of 97 tasks without one', () => {
    const { collected, environments, groundTruth, replayed } = data;
    const perSuite = new Map<string, number>();
    let without = 0;
    for (const run of groundTruth) {
      const { attempted } = count(run, 'basic', 'fides', collected, environments.get(run.suite));
      assert.deepEqual(replayed(run, Basic, 'fides').asked, attempted);
      perSuite.set(run.suite, (perSuite.get(run.suite) ?? 0) + attempted.length);
      if (attempted.length === 0) without += 1;
    }
    assert.deepEqual(Object.fromEntries(perSuite), { workspace: 28, banking: 14, slack: 52, travel: 6 });
    assert.equal(without, 36);
  });

  test('recorded runs: load attempted and executed, successes, attack steps stopped', () => {
    const { traces, replayed } = data;
    const rows = [Basic, BasicIFC].flatMap((design) =>
      traces.map((run) => runRow(replayed(run, design, 'fides'), design.name)),
    );
    const totals = report(rows).summary.filter((row) => row.model === 'all' && row.suite === 'all');
    const shown = totals.map((row) => ({
      design: row.design,
      runs: row.runs,
      successes: row.successes,
      hitlLoad: row.hitlLoad,
      hitlLoadExecuted: row.hitlLoadExecuted,
      attackSteps: row.attackSteps,
      stopped: row.attackStepsStopped,
    }));
    const common = { runs: 1906, successes: 973, attackSteps: 246 };
    assert.deepEqual(shown, [
      { design: 'basic', ...common, hitlLoad: 1096, hitlLoadExecuted: 1076, stopped: 246 },
      { design: 'basic-ifc', ...common, hitlLoad: 743, hitlLoadExecuted: 727, stopped: 245 },
    ]);
  });
});
