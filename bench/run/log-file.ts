/** Logs of runs: how their files are called, and what must not stand in them. */
import { createHash } from 'node:crypto';
import type { Job } from './run-task.js';

/** A file's name for a job; ids that hold other characters than names of files are told apart by a digest. */
export function logName({ setting, task, design, run }: Job): string {
  const parts = [setting.name, task.id, design.name, `${run}`];
  const safe = parts.map((part) => part.replace(/[^\w-]/g, '_').slice(0, 60));
  const exact = safe.every((part, index) => part === parts[index]);
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
  return `${safe.join('.')}${exact ? '' : `.${digest}`}.jsonl`;
}

/** What an environment keeps secret, by the names of its variables. */
export function secretsOf(environment: NodeJS.ProcessEnv): string[] {
  const secret = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
  return Object.entries(environment).flatMap(([name, value]) => (value && secret.test(name) ? [value] : []));
}
