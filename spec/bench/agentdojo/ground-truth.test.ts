/** The ground-truth runs under all four designs: interventions, and tasks without any. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type AgentDojo, loadAgentDojo, runGroundTruth } from '../../../bench/agentdojo/ground-truth.js';
import { policiesOf } from '../../../bench/agentdojo/policies.js';
import { designNamed } from '../../../planner/agent/decision/design.js';
import { sharedFolder, sharedText, skip } from './shared.js';

describe('97 ground-truth runs, profile fides', { skip }, () => {
  let data: AgentDojo;
  before(async () => {
    data = await loadAgentDojo(sharedFolder);
  });

  const counted = async (design: string) => {
    const policies = policiesOf(sharedText('policies.json'), { profile: 'fides' });
    const perSuite = new Map<string, number>();
    let [interventions, without] = [0, 0];
    for (const task of data.groundTruth) {
      const [suite, policy] = [data.suites.get(task.suite), policies.get(task.suite)];
      assert.ok(suite && policy);
      const run = await runGroundTruth(task, suite, designNamed(design), policy);
      interventions += run.interventions;
      perSuite.set(task.suite, (perSuite.get(task.suite) ?? 0) + run.interventions);
      if (run.interventions === 0) without += 1;
    }
    return { interventions, without, perSuite: Object.fromEntries(perSuite) };
  };

  test('basic', async () => {
    const perSuite = { banking: 14, slack: 52, travel: 6, workspace: 28 };
    assert.deepEqual(await counted('basic'), { interventions: 100, without: 36, perSuite });
  });

  for (const [design, interventions, without] of [
    ['basic-ifc', 70, 51],
    ['fides', 32, 79],
    ['prudentia', 18, 79],
  ] as const) {
    test(`${design}: ${interventions} interventions, ${without} tasks without one`, async () => {
      const { perSuite: _, ...total } = await counted(design);
      assert.deepEqual(total, { interventions, without });
    });
  }
});
