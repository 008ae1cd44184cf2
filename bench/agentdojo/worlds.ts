/**
 * The worlds of recorded AgentDojo runs: the suite's benign environment, plus the effects that the run's
 * earlier calls had (Slack membership and users, rows that file and event calls return).
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyWorld, type WorldOf } from '../replay/world.js';
import { dependencyOf } from './dependency.js';
import { applyRecorded, directoryOf, loadSuite, newEnvironment, type Suite } from './suites/index.js';

/** Worlds from a folder of suite files (`banking.json`, …); a run of another suite has an empty world. */
export async function agentDojoWorlds(folder: string): Promise<WorldOf> {
  const suites = new Map<string, Suite>();
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()) {
    const path = join(folder, name);
    const suite = loadSuite(await readFile(path, 'utf8'), path);
    suites.set(suite.name, suite);
  }
  return (run) => {
    const suite = suites.get(run.suite);
    if (!suite) return emptyWorld(run);
    const environment = newEnvironment(suite);
    const classes = suite.userTasks.get(run.userTask)?.dataDependency ?? null;
    const dependency = dependencyOf(run.suite, run.userTask, classes);
    return {
      ...(dependency && { dataDependent: dependency === 'dd' }),
      directory: directoryOf(environment),
      apply: (step) =>
        applyRecorded(environment, step.call, { result: step.result ?? null, error: step.error }),
    };
  };
}
