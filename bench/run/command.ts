/**
 * `assay run [TASKS]`: guarded agents at work, live. Results go to standard output, everything else to
 * standard error; without a model the known calls of the tasks are carried out, and that is said.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPolicy } from '../../planner/agent/policy/load.js';
import { type ExitCode, exitCode } from '../../planner/shell/process/exit-code.js';
import { showLabel } from '../../semiring/label/label.js';
import { AssayError } from '../../semiring/message/error.js';
import { visibleText } from '../../semiring/message/visible-text.js';
import { openModel } from '../../udf/model/open-model.js';
import type { Streams } from '../replay/command.js';
import { agentDojoSettings } from './agentdojo-setting.js';
import { words } from './command-line.js';
import { madeKnownCalls } from './known-calls.js';
import { LiveView } from './live-view.js';
import { logName, secretsOf } from './log-file.js';
import { toolsOfMcpServer } from './mcp-tools.js';
import { knownMinds, modelMinds } from './minds.js';
import {
  type CheckedOptions,
  checkOptions,
  designsOf,
  list,
  modelFlags,
  type RunCommandOptions,
  UsageError,
} from './options.js';
import { type Human, overseer, usualAnswer } from './overseer.js';
import { type Job, type RunOptions, type RunOutcome, runTask } from './run-task.js';
import { scenarioSettings } from './scenario-setting.js';
import type { RunTask, Setting } from './setting.js';
import { summarize, summaryText } from './summary.js';
import { type ToolBox, toolsFromModule } from './tools-module.js';
import { readTasks } from './user-tasks.js';

export type { RunCommandOptions } from './options.js';

export interface RunStreams extends Streams {
  /** Ends the runs; their logs can be resumed. Default: the interrupt of a terminal. */
  readonly signal?: AbortSignal;
}

const defaultTurns = 50;

/**
 * @param tasks a file of tasks
 * @throws AssayError where a policy, a design, a tool or a log cannot be had; errors of the file system
 */
export async function runCommand(
  tasks: string | undefined,
  options: RunCommandOptions,
  streams: RunStreams,
): Promise<ExitCode> {
  try {
    const checked = checkOptions(tasks, options);
    const opened = await openSettings(tasks, options, checked);
    try {
      return await runAll(opened.settings, options, checked, streams);
    } finally {
      await opened.close?.();
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    streams.stderr.write(`assay run: ${visibleText(error.message)}\n`);
    return exitCode.usage;
  }
}

interface Opened {
  readonly settings: readonly Setting[];
  close?(): Promise<void>;
}

async function openSettings(
  tasks: string | undefined,
  options: RunCommandOptions,
  checked: CheckedOptions,
): Promise<Opened> {
  const { agentdojo, suite, profile, policy } = options;
  const names = suite === undefined || suite === 'all' ? undefined : list(suite);
  if (agentdojo !== undefined) {
    const settings = await agentDojoSettings({ folder: agentdojo, policies: policy, profile, suites: names });
    return { settings };
  }
  if (options.tools === undefined && options.mcp === undefined) {
    return { settings: await scenarioSettings({ names, profile }) };
  }
  return openOwn(tasks, options, checked);
}

/** Tools of the user's, from a module or a server. */
async function openOwn(
  tasks: string | undefined,
  options: RunCommandOptions,
  checked: CheckedOptions,
): Promise<Opened> {
  const { policy: source = '', profile, prompt = '' } = options;
  const policy = loadPolicy(await readFile(source, 'utf8'), { source, profile });
  const own: readonly RunTask[] = tasks === undefined ? [{ id: 'prompt', prompt }] : await readTasks(tasks);
  const box = await openTools(options, checked.timeout);
  const { directory } = box;
  const byName = new Map(box.tools.map((tool) => [tool.name, tool]));
  if (byName.size < box.tools.length) throw new AssayError('run/tools', 'two tools have the same name');
  const setting: Setting = {
    name: 'own',
    policy,
    tasks: own,
    open: ({ known }) => ({
      tools: byName,
      ...(directory && { directory }),
      ...(known && { reached: (session) => madeKnownCalls(session, known.steps) }),
    }),
  };
  return { settings: [setting], ...(box.close && { close: () => box.close?.() ?? Promise.resolve() }) };
}

/** @param timeout seconds of one run: a server that does not even greet in that time is given up */
async function openTools(options: RunCommandOptions, timeout: number | undefined): Promise<ToolBox> {
  if (options.tools !== undefined) return toolsFromModule(options.tools);
  // The model's key is nothing that a server needs.
  const { OPENAI_API_KEY: _, ...environment } = process.env;
  return toolsOfMcpServer(words(options.mcp ?? ''), {
    environment,
    ...(timeout !== undefined && { timeout: Math.ceil(1000 * timeout) }),
  });
}

async function runAll(
  settings: readonly Setting[],
  options: RunCommandOptions,
  checked: CheckedOptions,
  streams: RunStreams,
): Promise<ExitCode> {
  const { maxTokens, maxContext, temperature, timeout, maxTurns = defaultTurns, onViolation } = checked;
  const model = openModel(modelFlags(options), process.env);
  const minds = model
    ? modelMinds(model, {
        ...(maxTokens !== undefined && { maxTokens }),
        ...(maxContext !== undefined && { maxContextTokens: maxContext }),
        ...(temperature !== undefined && { temperature }),
      })
    : knownMinds;
  const own = options.tools !== undefined || options.mcp !== undefined;
  const human = overseer(checked.oversight ?? usualAnswer(model !== undefined || own, streams), streams);
  const designs = designsOf(options.design ?? (model ? 'fides' : 'all'));
  const jobs = jobsOf(settings, designs, checked.runs ?? 1, options.task);
  const note = (text: string) => streams.stderr.write(`${text}\n`);
  if (!model) {
    note(
      'No model is configured (--model or ASSAY_MODEL): the known calls of each task are carried out instead,',
    );
    note(`by a planner without a model. Requests to the human: ${human.kind}.`);
  }
  if (options.log !== undefined) await mkdir(options.log, { recursive: true, mode: 0o700 });
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  streams.signal?.addEventListener('abort', interrupt, { once: true });
  if (streams.signal?.aborted) stop.abort();
  const colour = (process.env.NO_COLOR ?? '') === '';
  const view = new LiveView(streams.stderr, { colour });
  const oversight = view.around(human.kind === 'ask' ? view.asking(human.oversight) : human.oversight);
  const outcomes: RunOutcome[] = [];
  const secrets = secretsOf(process.env);
  try {
    await pool(jobs, checked.parallel ?? 1, async (job) => {
      if (stop.signal.aborted) return;
      const run: RunOptions = {
        minds,
        oversight,
        maxTurns,
        signal: stop.signal,
        secrets,
        ...(onViolation && { onViolation }),
        ...(timeout !== undefined && { timeout: Math.ceil(1000 * timeout) }),
        ...(options.log !== undefined && { log: join(options.log, logName(job)), resume: options.resume }),
        ...(!options.quiet && { watch: (event, session) => view.event(job, event, session) }),
      };
      const outcome = await runTask(job, run);
      outcomes.push(outcome);
      // Quiet is about what goes well: whatever kept a run from its answer is said.
      if (!options.quiet || outcome.message !== undefined) view.ended(outcome);
    });
  } finally {
    view.clear();
    process.off('SIGINT', interrupt);
    streams.signal?.removeEventListener('abort', interrupt);
  }
  const order = new Map(jobs.map((job, index) => [job, index]));
  outcomes.sort((a, b) => (order.get(a.job) ?? 0) - (order.get(b.job) ?? 0));
  report(outcomes, options, streams);
  if (model) {
    const { usage, cost } = model;
    const price = cost === undefined ? '' : `, cost ${cost.toFixed(4)}`;
    note(
      `${usage.calls} answers of ${model.name}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out${price}`,
    );
  }
  return codeOf(outcomes, human, stop.signal.aborted);
}

/** Runs first, so that a table over all tasks is whole as early as can be. */
function jobsOf(
  settings: readonly Setting[],
  designs: ReturnType<typeof designsOf>,
  runs: number,
  only: string | undefined,
): Job[] {
  const ids = only === undefined ? undefined : new Set(list(only));
  const jobs: Job[] = [];
  for (let run = 1; run <= runs; run += 1) {
    for (const design of designs) {
      for (const setting of settings) {
        for (const task of setting.tasks)
          if (ids?.has(task.id) ?? true) jobs.push({ setting, task, design, run });
      }
    }
  }
  if (jobs.length === 0) throw new UsageError(`no task is called ${only}`);
  return jobs;
}

/** Jobs in order, at most `size` at a time; the first failure stops the rest. */
async function pool(jobs: readonly Job[], size: number, work: (job: Job) => Promise<void>): Promise<void> {
  const queue = jobs.values();
  let failed = false;
  const worker = async () => {
    for (const job of queue) {
      if (failed) return;
      try {
        await work(job);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(size, jobs.length) }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

function report(outcomes: readonly RunOutcome[], options: RunCommandOptions, streams: RunStreams): void {
  if (outcomes.length === 0) return;
  const summary = summarize(outcomes);
  if (options.json) {
    const runs = outcomes.map(({ job, answer, ...outcome }) => ({
      setting: job.setting.name,
      task: job.task.id,
      design: job.design.name,
      run: job.run,
      ...outcome,
      ...(answer && {
        answer: { text: answer.text, label: showLabel(answer.label), decision: answer.decision.verdict },
      }),
    }));
    streams.stdout.write(`${JSON.stringify({ summary, runs })}\n`);
    return;
  }
  if (options.prompt !== undefined) for (const outcome of outcomes) streams.stdout.write(answerText(outcome));
  streams.stdout.write(`${summaryText(summary)}\n`);
}

/** The answer to a single prompt. */
function answerText({ job, answer }: RunOutcome): string {
  if (!answer) return '';
  if (answer.decision.verdict === 'violation')
    return `${job.design.name}: the policy withholds the answer\n\n`;
  const label = visibleText(showLabel(answer.label));
  return `${visibleText(answer.text, { newlines: 'keep' })}\n(${job.design.name}; the answer is ${label})\n\n`;
}

function codeOf(outcomes: readonly RunOutcome[], human: Human, stopped: boolean): ExitCode {
  if (stopped) return exitCode.interrupted;
  if (outcomes.some(({ end }) => end !== 'answer')) return exitCode.failed;
  if (human.kind === 'approve' || outcomes.every(({ interventions }) => interventions === 0))
    return exitCode.done;
  if (human.absent) return exitCode.unanswered;
  return human.kind === 'deny' ? exitCode.denied : exitCode.done;
}
