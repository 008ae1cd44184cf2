/**
 * A thousand sessions in one process, their steps interleaved at random, share nothing: each is as if it were
 * alone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { designs } from '../../../planner/agent/decision/design.js';
import { canonical } from '../../../planner/agent/oversight/canonical.js';
import { allOf, carryOut, newSession, type RandomRun, randomRun } from '../../planner/agent/random-run.js';
import '../../seed.js';

test('a thousand sessions that are interleaved are what they are alone', async () => {
  const all = fc.sample(randomRun, { numRuns: 1000, seed: 7 });
  const alone: string[] = [];
  for (const run of all) alone.push(await stateAfter(run));
  // All at once: every await of one lets the others go on.
  const together = await Promise.all(all.map(stateAfter));
  assert.equal(together.length, 1000);
  for (const [index, state] of together.entries()) assert.equal(state, alone[index], `session ${index}`);
  assert.ok(new Set(together).size > 900, 'the sessions are too much alike to tell');
  assert.equal(new Set(all.map((run) => run.design)).size, designs.length);
});

async function stateAfter(run: RandomRun): Promise<string> {
  const session = newSession(run);
  await carryOut(run, session);
  return canonical(allOf(session.state));
}
