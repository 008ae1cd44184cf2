/**
 * Which policy a run is held to. `--policy` names a policy file for all runs, a folder with a policy for each
 * suite (`SUITE.yaml`, `SUITE/policy.yaml`), or the collected policies of AgentDojo as JSON.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPolicy } from '../../planner/agent/policy/load.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import { AssayError } from '../../semiring/message/error.js';
import { isPolicyCollection, policiesOf } from '../agentdojo/policies.js';

/** The policy for a suite. @throws AssayError `policy/no-suite` where there is none for it */
export type PolicySource = (suite: string) => Promise<Policy>;

export async function policySource(path: string, profile: string | undefined): Promise<PolicySource> {
  if ((await stat(path)).isDirectory()) return memoized((suite) => fromFolder(path, suite, profile));
  const text = await readFile(path, 'utf8');
  if (!isPolicyCollection(text)) {
    const policy = loadPolicy(text, { source: path, profile });
    return async () => policy;
  }
  const policies = policiesOf(text, { source: path, profile: profile ?? 'fides' });
  return async (suite) => {
    const policy = policies.get(suite);
    if (policy) return policy;
    throw new AssayError('policy/no-suite', `${path} has no policy for the suite ${JSON.stringify(suite)}`);
  };
}

async function fromFolder(folder: string, suite: string, profile: string | undefined): Promise<Policy> {
  if (!/^[\w.-]+$/.test(suite) || suite.startsWith('.')) {
    throw new AssayError('policy/no-suite', `${JSON.stringify(suite)} is no name of a suite's policy file`);
  }
  for (const name of [`${suite}.yaml`, `${suite}.yml`, `${suite}.json`, join(suite, 'policy.yaml')]) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return loadPolicy(text, { source: path, profile });
  }
  throw new AssayError(
    'policy/no-suite',
    `${folder} has no policy for the suite ${JSON.stringify(suite)}: neither ${suite}.yaml nor ${suite}/policy.yaml`,
  );
}

function memoized(load: PolicySource): PolicySource {
  const loaded = new Map<string, Promise<Policy>>();
  return (suite) => {
    const known = loaded.get(suite);
    if (known) return known;
    const policy = load(suite);
    loaded.set(suite, policy);
    return policy;
  };
}
