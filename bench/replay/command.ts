/**
 * `assay replay TRACES... --policy P`: recorded runs in, an autonomy report out. Results go to standard
 * output, everything else to standard error, and bad input is reported and stepped over.
 */
import { stat, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Design, designNamed } from '../../planner/agent/decision/design.js';
import { type ExitCode, exitCode } from '../../planner/shell/process/exit-code.js';
import { Progress } from '../../planner/shell/process/progress.js';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { agentDojoWorlds } from '../agentdojo/worlds.js';
import { scenarioWorlds } from '../scenarios/worlds.js';
import { summaryCsv } from './csv.js';
import { explainRun } from './explain.js';
import { isModelled, measure, replayUnder } from './measure.js';
import { tcrPlot } from './plot.js';
import { type PolicySource, policySource } from './policy-source.js';
import { runName } from './recorded-run.js';
import { type RunRow, report } from './report.js';
import { attackTable, modelNote, summaryTable, wentThroughTable } from './table.js';
import { type InputProblem, type ReadRun, readRuns } from './trace-reader.js';
import { emptyWorld, type WorldOf } from './world.js';

export interface ReplayOptions {
  readonly policy: string;
  readonly profile?: string;
  /** Names, parted by commas. */
  readonly design: string;
  /** A folder of AgentDojo suite files, for policies that ask who is in a channel or may open a file. */
  readonly environment?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly svg?: string;
  /** A run's name, or the beginning of one. */
  readonly explain?: string;
}

/** The streams of a process, so that a test can give its own. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** @throws AssayError where the policy, the design or the environment cannot be had */
export async function replayCommand(
  traces: readonly string[],
  options: ReplayOptions,
  streams: Streams,
): Promise<ExitCode> {
  const designs = options.design.split(',').map((name) => designNamed(name.trim()));
  const policies = await policySource(options.policy, options.profile);
  const worldOf = await worlds(options);
  const problems: InputProblem[] = [];
  const runs = readRuns(traces, streams.stdin, (problem) => problems.push(problem));
  if (options.explain !== undefined) {
    const found = await explainFirst(runs, options.explain, designs, policies, worldOf, streams);
    tell(problems, streams, found ? 1 : 0);
    if (!found) streams.stderr.write(`no run is named ${visibleText(options.explain)}\n`);
    return found ? exitCode.done : exitCode.failed;
  }
  const progress = new Progress(streams.stderr, 'runs');
  const started = performance.now();
  const rows: RunRow[] = [];
  let replayed = 0;
  for await (const read of runs) {
    try {
      const policy = await policies(read.run.suite);
      const measured = measure(read.run, designs, policy, worldOf);
      problems.push(...unknownTools(read, (tool) => policy.tools.has(tool)));
      rows.push(...measured);
      replayed += 1;
    } catch (error) {
      problems.push(runProblem(read, error));
    }
    progress.update(replayed, 0);
  }
  progress.clear();
  const seconds = (performance.now() - started) / 1000;
  const result = report(rows);
  if (options.json) streams.stdout.write(`${JSON.stringify(result)}\n`);
  else if (options.csv) streams.stdout.write(summaryCsv(result));
  else if (rows.length > 0) {
    for (const table of [summaryTable(result), attackTable(result), wentThroughTable(result)]) {
      if (table !== undefined) streams.stdout.write(`${table}\n\n`);
    }
    if (designs.some(isModelled)) streams.stdout.write(`${modelNote}\n`);
  }
  if (options.svg !== undefined) await writeFile(options.svg, await tcrPlot(rows, 'Autonomy: TCR@k'));
  tell(problems, streams, replayed);
  const decisions = rows.reduce((sum, row) => sum + row.decisions, 0);
  const perSecond = Math.round(rows.length / seconds);
  const perDecision = ((1e6 * seconds) / Math.max(1, decisions)).toFixed(1);
  streams.stderr.write(
    `${replayed} runs, ${designs.length} designs, ${decisions} decisions in ${seconds.toFixed(2)} s ` +
      `(${perSecond} replays a second, ${perDecision} µs a decision, reading and labelling included)\n`,
  );
  if (problems.length === 0) return exitCode.done;
  return problems.some((problem) => problem.unopened) ? exitCode.cannotOpen : exitCode.failed;
}

/** What is known of the world that the runs acted on. */
async function worlds({ environment, policy }: ReplayOptions): Promise<WorldOf> {
  if (environment !== undefined) return agentDojoWorlds(environment);
  return (await stat(policy)).isDirectory() ? scenarioWorlds(policy) : emptyWorld;
}

/** Which field of a run an error is about. An error about anything else ends the command. */
const faultyField: Readonly<Record<string, string>> = {
  'policy/no-suite': 'suite',
  'session/too-deep': 'steps',
};

function runProblem({ file, line }: ReadRun, error: unknown): InputProblem {
  const field = error instanceof AssayError ? faultyField[error.code] : undefined;
  if (!(error instanceof AssayError) || field === undefined) throw error;
  return { file, line, field, message: error.message };
}

/** A call to a tool that the policy does not name is decided (it fails closed), and reported. */
function unknownTools({ run, file, line }: ReadRun, known: (tool: string) => boolean): InputProblem[] {
  return run.steps.flatMap((step, index) => {
    const tool = step.call.function;
    if (known(tool) || step.error?.startsWith('ToolNotFoundException')) return [];
    const message = `the policy does not name the tool ${JSON.stringify(tool)}: its calls fail closed`;
    return [{ file, line, field: `steps.${index}.call.function`, message }];
  });
}

/** Problems on standard error, and what was processed all the same. */
function tell(problems: readonly InputProblem[], streams: Streams, processed: number): void {
  if (problems.length === 0) return;
  const shown = 50;
  for (const { file, line, field, message } of problems.slice(0, shown)) {
    const place = [file, line, field].filter((part) => part !== undefined && part !== '').join(':');
    streams.stderr.write(`${visibleText(`${place}: ${message}`)}\n`);
  }
  if (problems.length > shown) streams.stderr.write(`and ${problems.length - shown} more problems\n`);
  streams.stderr.write(`problems: ${problems.length}; runs processed all the same: ${processed}\n`);
}

async function explainFirst(
  runs: AsyncIterable<ReadRun>,
  name: string,
  designs: readonly Design[],
  policies: PolicySource,
  worldOf: WorldOf,
  streams: Streams,
): Promise<boolean> {
  let near: ReadRun | undefined;
  for await (const read of runs) {
    const full = runName(read.run);
    if (full === name) {
      near = read;
      break;
    }
    if (!near && full.startsWith(name)) near = read;
  }
  if (!near) return false;
  const { run } = near;
  const policy = await policies(run.suite);
  for (const design of designs) {
    streams.stdout.write(`${explainRun(replayUnder(design, run, policy, worldOf(run)))}\n`);
  }
  return true;
}

/** For callers that print errors: an error of ours as one line. */
export function errorLine(error: unknown): string {
  if (error instanceof AssayError) return `${error.message}`;
  throw error;
}
