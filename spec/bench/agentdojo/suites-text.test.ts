import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultText, SUITES } from '../../../bench/agentdojo/suites/index.js';
import { type GroundTruth, type Hijack, type Injected, sharedRecords, sharedSuite, skip } from './shared.js';

for (const name of SUITES) {
  test(`${name}: every recorded result is shown as the recorded text`, { skip }, () => {
    const suite = sharedSuite(name);
    const records = [
      ...sharedRecords<GroundTruth>(`ground-truth/${name}.jsonl`),
      ...sharedRecords<Hijack>(`injected/${name}.hijack.jsonl`),
      ...sharedRecords<Injected>(`injected/${name}.jsonl`).filter((record) => record.full),
    ];
    let steps = 0;
    for (const { call, result, resultText: text } of records.flatMap((record) => record.steps)) {
      assert.equal(resultText(suite.tools.get(call.function)!, result as never), text, call.function);
      steps++;
    }
    assert.ok(steps > 100);
  });
}
