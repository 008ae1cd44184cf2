/**
 * `assay demo`: the scenarios that ship with assay, replayed: an attack that is stopped, why, and what
 * autonomy costs.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BasicIFC, designs } from '../../planner/agent/decision/design.js';
import { type ExitCode, exitCode } from '../../planner/shell/process/exit-code.js';
import { AssayError } from '../../semiring/message/error.js';
import type { Streams } from '../replay/command.js';
import { explainRun } from '../replay/explain.js';
import { measure } from '../replay/measure.js';
import { policySource } from '../replay/policy-source.js';
import { type ReplayedRun, replay } from '../replay/replay.js';
import { type RunRow, report } from '../replay/report.js';
import { attackTable, modelNote, summaryTable, totals, wentThroughTable } from '../replay/table.js';
import { type InputProblem, readRuns } from '../replay/trace-reader.js';
import { shippedFolder } from '../shipped-folder.js';
import { scenarioWorlds } from './worlds.js';

/** @throws AssayError `demo/broken` where the shipped files are not as they were shipped */
export async function demoCommand(streams: Streams): Promise<ExitCode> {
  const folder = shippedFolder('bench/scenarios');
  const settings = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const traces = settings.map((entry) => join(folder, entry.name, 'traces.jsonl')).sort();
  const policies = await policySource(folder, undefined);
  const worldOf = await scenarioWorlds(folder);
  const rows: RunRow[] = [];
  let stopped: ReplayedRun | undefined;
  for await (const { run } of readRuns(traces, streams.stdin, refuse)) {
    const policy = await policies(run.suite);
    rows.push(...measure(run, designs, policy, worldOf));
    if (stopped === undefined && run.security === true) {
      const replayed = replay(run, BasicIFC, policy, worldOf(run));
      if (run.attackSteps.every((step) => replayed.asked.includes(step))) stopped = replayed;
    }
  }
  const whole = report(rows);
  const result = { ...whole, summary: totals(whole) };
  const parts = [
    stopped && `An attack that succeeded when it was recorded, replayed under information-flow control:\n`,
    stopped && explainRun(stopped),
    'Autonomy: HITL load is how often a human is asked over the tasks that were done; TCR@k is the share of all tasks',
    'done with at most k questions.\n',
    summaryTable(result),
    '',
    attackTable(result),
    '',
    wentThroughTable(whole),
    '',
    modelNote,
  ];
  streams.stdout.write(`${parts.filter((part) => part !== undefined).join('\n')}\n`);
  return exitCode.done;
}

function refuse({ file, line, message }: InputProblem): never {
  throw new AssayError('demo/broken', `${file}:${line ?? 0}: ${message}`);
}
