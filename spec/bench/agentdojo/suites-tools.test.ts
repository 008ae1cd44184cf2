import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newEnvironment, SUITES } from '../../../bench/agentdojo/suites/index.js';
import {
  type GroundTruth,
  type Hijack,
  type Injected,
  type Landing,
  sharedRecords,
  sharedSuite,
  skip,
  squashed,
} from './shared.js';

/** Participants of a new event come in arbitrary order in the recorded data. */
function comparable(name: string, result: unknown): unknown {
  if (name !== 'create_calendar_event' || typeof result !== 'object' || result === null) return result;
  const { participants, ...event } = result as { participants: string[] };
  return { ...event, participants: participants.toSorted() };
}

for (const name of SUITES) {
  test(`${name}: every ground-truth call gives the recorded result`, { skip }, () => {
    const suite = sharedSuite(name);
    let steps = 0;
    for (const record of sharedRecords<GroundTruth>(`ground-truth/${name}.jsonl`)) {
      const environment = newEnvironment(suite);
      for (const { index, call, result } of record.steps) {
        const ours = suite.tools.get(call.function)!.run(environment, call.args);
        const place = `${record.userTask} step ${index}: ${call.function}`;
        assert.deepEqual(comparable(call.function, ours), comparable(call.function, result), place);
        steps++;
      }
    }
    assert.equal(steps, { banking: 33, slack: 98, travel: 124, workspace: 84 }[name]);
  });

  test(`${name}: every call of an attack gives the recorded result`, { skip }, () => {
    const suite = sharedSuite(name);
    for (const record of sharedRecords<Hijack>(`injected/${name}.hijack.jsonl`)) {
      const environment = newEnvironment(suite);
      for (const { index, call, result } of record.steps) {
        const ours = suite.tools.get(call.function)!.run(environment, call.args);
        const place = `${record.injectionTask} step ${index}: ${call.function}`;
        assert.deepEqual(comparable(call.function, ours), comparable(call.function, result), place);
      }
    }
  });
}

for (const name of SUITES) {
  test(`${name}: results under attack are the recorded ones, white space squashed`, { skip }, () => {
    const suite = sharedSuite(name);
    for (const record of sharedRecords<Injected>(`injected/${name}.jsonl`)) {
      const environment = newEnvironment(
        suite,
        new Map(record.vectors.map((vector) => [vector, record.attackText])),
      );
      const task = suite.userTasks.get(record.userTask)!;
      const recorded = new Map(record.steps.map((step) => [step.index, step]));
      for (const [index, call] of (record.callsChangedByInjection ?? task.groundTruth).entries()) {
        const ours = suite.tools.get(call.function)!.run(environment, call.args);
        const step = recorded.get(index);
        if (step === undefined) continue;
        const place = `${record.userTask} × ${record.injectionTask} step ${index}: ${call.function}`;
        if (record.full) assert.deepEqual(sizeless(squashed(ours)), sizeless(squashed(step.result)), place);
        else
          assert.ok(
            step.landings.every((landing) => squashed(at(ours, landing.path)) === squashed(landing.value)),
            place,
          );
      }
    }
  });
}

/** The value at a path of keys and indexes. */
function at(value: unknown, path: Landing['path']): unknown {
  return path.reduce((inner: unknown, key) => (inner as Record<string | number, unknown>)[key], value);
}

/** Without the size of files that hold the attack: it counts the white space that was squashed. */
function sizeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sizeless);
  if (typeof value !== 'object' || value === null || !('content' in value)) return value;
  return String(value.content).includes('<INFORMATION>') ? { ...value, size: 0 } : value;
}
