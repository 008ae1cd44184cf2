/** The example in the language's description is a policy that loads. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { checkPolicy, loadPolicy, profilesOf } from '../../../../planner/agent/policy/load.js';

it('the example in the description of the policy language is without errors and warnings', () => {
  const readme = readFileSync(
    join(import.meta.dirname, '../../../../planner/agent/policy/README.md'),
    'utf8',
  );
  const example = /```yaml\n(.*?)```/s.exec(readme)?.[1] ?? '';
  assert.deepEqual(checkPolicy(example), []);
  assert.deepEqual(profilesOf(example), ['everyday', 'strict']);
  assert.equal(loadPolicy(example, { profile: 'strict' }).tools.size, 7);
});
