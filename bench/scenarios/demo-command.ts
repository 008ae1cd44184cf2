/**
 * `assay demo`: the scenarios that ship with assay, replayed: an attack that is stopped, why, and what autonomy costs.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExitCode, exitCode } from '../../engine/exit-code.js';
import { Basic, BasicIFC } from '../../planner/agent/design.js';
import type { Streams } from '../replay/command.js';
import { explainRun } from '../replay/explain.js';
import { policySource } from '../replay/policy-source.js';
import { type ReplayedRun, replay } from '../replay/replay.js';
import { type RunRow, report, runRow } from '../replay/report.js';
import { attackTable, summaryTable, wentThroughTable } from '../replay/table.js';
import { type InputProblem, readRuns } from '../replay/trace-reader.js';
import { emptyWorld } from '../replay/world.js';
import { scenariosFolder } from './folder.js';

export async function demoCommand(streams: Streams): Promise<ExitCode> {
  const folder = scenariosFolder();
  const settings = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const traces = settings.map((entry) => join(folder, entry.name, 'traces.jsonl')).sort();
  const policies = await policySource(folder, undefined);
  const rows: RunRow[] = [];
  let stopped: ReplayedRun | undefined;
  const fail = ({ file, message }: InputProblem) => {
    throw new Error(`${file}: ${message}`);
  };
  for await (const { run } of readRuns(traces, streams.stdin, fail)) {
    for (const design of [Basic, BasicIFC]) {
      const replayed = replay(run, design, await policies(run.suite), emptyWorld(run));
      const row = runRow(replayed, design.name);
      rows.push(row);
      if (design.labels && row.attack.some((step) => step.stopped)) stopped ??= replayed;
    }
  }
  const result = report(rows);
  const out = (text: string | undefined) => {
    if (text !== undefined) streams.stdout.write(`${text}\n\n`);
  };
  if (stopped) {
    out('An attacked run, replayed under information-flow control:');
    out(explainRun(stopped));
  }
  out(
    'Autonomy: how often a human is asked (HITL load), and how many tasks are done with at most k questions (TCR@k):',
  );
  out(summaryTable(result));
  out(attackTable(result));
  out(wentThroughTable(result));
  return exitCode.done;
}
