/**
 * The worlds of recorded runs whose policies stand in folders, `SUITE/policy.yaml`: no directories, and the
 * classes of the tasks from `SUITE/tasks.json` where there is one.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { emptyWorld, type WorldOf } from '../replay/world.js';

const tasks = v.array(v.object({ id: v.string(), dataDependency: v.picklist(['dd', 'diq', 'di']) }));

export async function scenarioWorlds(folder: string): Promise<WorldOf> {
  const dependent = new Map<string, boolean>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const text = await readFile(join(folder, entry.name, 'tasks.json'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    for (const task of v.parse(tasks, JSON.parse(text))) {
      dependent.set(JSON.stringify([entry.name, task.id]), task.dataDependency === 'dd');
    }
  }
  return (run) => {
    const dataDependent = dependent.get(JSON.stringify([run.suite, run.userTask]));
    return { ...emptyWorld(run), ...(dataDependent !== undefined && { dataDependent }) };
  };
}
