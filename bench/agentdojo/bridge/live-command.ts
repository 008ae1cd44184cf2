/**
 * `assay agentdojo-live`: guarded agents inside the real AgentDojo, which executes the tools and judges the
 * runs. A host is started anew for each design; verdicts are AgentDojo's, interventions are ours.
 */
import { mkdir } from 'node:fs/promises';
import type { Design } from '../../../planner/agent/decision/design.js';
import type { KnownTask } from '../../../planner/agent/planners/ground-truth.js';
import { type ExitCode, exitCode } from '../../../planner/shell/process/exit-code.js';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { openModel } from '../../../udf/model/open-model.js';
import { policySource } from '../../replay/policy-source.js';
import { plainTable } from '../../replay/table.js';
import type { RunStreams } from '../../run/command.js';
import { LiveView } from '../../run/live-view.js';
import { secretsOf } from '../../run/log-file.js';
import { knownMinds, modelMinds } from '../../run/minds.js';
import {
  checkValues,
  designsOf,
  list,
  type ModelOptions,
  modelFlags,
  type RunCommandOptions,
  UsageError,
} from '../../run/options.js';
import { overseer, usualAnswer } from '../../run/overseer.js';
import type { RunOutcome } from '../../run/run-task.js';
import { summarize, summaryText } from '../../run/summary.js';
import { loadAgentDojo } from '../ground-truth.js';
import type { BridgeTask, BridgeVerdict } from './bridge.js';
import { type GuardedAgentOptions, guardedAgent } from './guarded-agent.js';
import { type HostOptions, runHost } from './host-process.js';
import type { Selection } from './protocol.js';

export interface LiveCommandOptions
  extends ModelOptions,
    Pick<RunCommandOptions, 'oversight' | 'onViolation' | 'maxTurns' | 'maxTokens' | 'maxContext'>,
    Pick<RunCommandOptions, 'timeout' | 'temperature' | 'log' | 'json' | 'quiet'> {
  /** The interpreter. */
  readonly python?: string;
  readonly benchmarkVersion?: string;
  /** Names, parted by commas, as are all lists here. */
  readonly suite?: string;
  readonly task?: string;
  readonly design?: string;
  readonly policies?: string;
  readonly profile?: string;
  /** A folder of exported suites and ground truth: the calls to make where no model is configured. */
  readonly groundTruth?: string;
  /** The name of an AgentDojo attack; without one, benign runs. */
  readonly attack?: string;
  readonly injectionTask?: string;
}

/** @param host in place of AgentDojo's, for tests */
export async function liveCommand(
  options: LiveCommandOptions,
  streams: RunStreams,
  host: Pick<HostOptions, 'command'> = {},
): Promise<ExitCode> {
  try {
    return await runLive(options, streams, host);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    streams.stderr.write(`assay agentdojo-live: ${visibleText(error.message)}\n`);
    return exitCode.usage;
  }
}

/** A run as AgentDojo judged it, and what it took. */
interface LiveRun {
  readonly design: string;
  readonly verdict: BridgeVerdict;
  /** Undefined where the run failed before it began. */
  readonly outcome: RunOutcome | undefined;
}

async function runLive(
  options: LiveCommandOptions,
  streams: RunStreams,
  command: Pick<HostOptions, 'command'>,
): Promise<ExitCode> {
  const { timeout, maxTurns, onViolation, oversight, maxTokens, maxContext, temperature } =
    checkValues(options);
  if (options.policies === undefined)
    throw new UsageError("the agent needs AgentDojo's policies: --policies FILE");
  if (options.injectionTask !== undefined && options.attack === undefined) {
    throw new UsageError('--injection-task needs the name of an attack: --attack NAME');
  }
  const model = openModel(modelFlags(options), process.env);
  if (!model && options.groundTruth === undefined) {
    throw new UsageError(
      'name a model (--model or ASSAY_MODEL), or the exported data whose known calls are to be made (--ground-truth FOLDER)',
    );
  }
  const human = overseer(oversight ?? usualAnswer(model !== undefined, streams), streams);
  const known = model ? undefined : await knownTasks(options.groundTruth ?? '');
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  streams.signal?.addEventListener('abort', interrupt, { once: true });
  if (streams.signal?.aborted) stop.abort();
  if (options.log !== undefined) await mkdir(options.log, { recursive: true, mode: 0o700 });
  const view = new LiveView(streams.stderr, { colour: (process.env.NO_COLOR ?? '') === '' });
  const agent: Omit<GuardedAgentOptions, 'design' | 'onOutcome'> = {
    policy: await policySource(options.policies, options.profile),
    minds: model
      ? modelMinds(model, {
          ...(maxTokens !== undefined && { maxTokens }),
          ...(maxContext !== undefined && { maxContextTokens: maxContext }),
          ...(temperature !== undefined && { temperature }),
        })
      : knownMinds,
    oversight: view.around(human.kind === 'ask' ? view.asking(human.oversight) : human.oversight),
    signal: stop.signal,
    secrets: secretsOf(process.env),
    ...(known && { known }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(onViolation && { onViolation }),
    ...(timeout !== undefined && { timeout: Math.ceil(1000 * timeout) }),
    ...(options.log !== undefined && { log: options.log }),
    ...(!options.quiet && { watch: (job, event, session) => view.event(job, event, session) }),
  };
  const runs: LiveRun[] = [];
  try {
    for (const design of designsOf(options.design ?? (model ? 'fides' : 'all'))) {
      if (stop.signal.aborted) break;
      await runDesign(design, agent, { ...hostOptions(options), ...command, signal: stop.signal }, (run) => {
        runs.push(run);
        if (run.outcome && !options.quiet) view.ended(run.outcome);
      });
    }
  } catch (error) {
    if (!stop.signal.aborted) {
      // What was judged before the host broke off is not lost.
      view.clear();
      report(runs, options, streams);
      throw error;
    }
  } finally {
    view.clear();
    process.off('SIGINT', interrupt);
    streams.signal?.removeEventListener('abort', interrupt);
  }
  report(runs, options, streams);
  if (stop.signal.aborted) return exitCode.interrupted;
  if (human.absent && runs.some(({ outcome }) => outcome && outcome.interventions > 0))
    return exitCode.unanswered;
  return runs.some(({ verdict }) => verdict.failure !== undefined) ? exitCode.failed : exitCode.done;
}

async function runDesign(
  design: Design,
  agent: Omit<GuardedAgentOptions, 'design' | 'onOutcome'>,
  host: Omit<HostOptions, 'agent' | 'onVerdict'>,
  judged: (run: LiveRun) => void,
): Promise<void> {
  let last: RunOutcome | undefined;
  await runHost({
    ...host,
    agent: guardedAgent({ ...agent, design, onOutcome: (_, outcome) => (last = outcome) }),
    onVerdict: (verdict) => {
      // Runs come one after another.
      const outcome = last && { ...last, success: verdict.utility };
      last = undefined;
      judged({ design: design.name, verdict, outcome });
    },
  });
}

function hostOptions(
  options: LiveCommandOptions,
): Pick<HostOptions, 'python' | 'benchmarkVersion' | 'selection'> {
  const { python, benchmarkVersion, suite, task, injectionTask, attack } = options;
  const selection: Selection = {
    ...(suite !== undefined && { suites: list(suite) }),
    ...(task !== undefined && { userTasks: list(task) }),
    ...(injectionTask !== undefined && { injectionTasks: list(injectionTask) }),
    ...(attack !== undefined && { attack }),
  };
  return {
    selection,
    ...(python !== undefined && { python }),
    ...(benchmarkVersion !== undefined && { benchmarkVersion }),
  };
}

/** The calls of the exported ground truth. */
export async function knownTasks(folder: string): Promise<(task: BridgeTask) => KnownTask | undefined> {
  const { groundTruth } = await loadAgentDojo(folder);
  const key = (suite: string, userTask: string) => JSON.stringify([suite, userTask]);
  const tasks = new Map(
    groundTruth.map(({ suite, userTask, steps, dependency, finalText }): [string, KnownTask] => [
      key(suite, userTask),
      {
        steps: steps.map(({ call }) => ({ tool: call.function, arguments: call.args })),
        dataDependent: dependency === 'dd',
        answer: finalText,
      },
    ]),
  );
  return ({ suite, userTask }) => tasks.get(key(suite, userTask));
}

function report(runs: readonly LiveRun[], { json }: LiveCommandOptions, { stdout }: RunStreams): void {
  if (runs.length === 0) return;
  const outcomes = runs.flatMap(({ outcome }) => (outcome ? [outcome] : []));
  const summary = summarize(outcomes);
  if (json) {
    const rows = runs.map(({ design, verdict, outcome }) => {
      const { end, interventions, turns, usage } = outcome ?? { end: 'error', interventions: 0 };
      return { design, ...verdict, end, interventions, turns, usage };
    });
    stdout.write(`${JSON.stringify({ summary, runs: rows })}\n`);
    return;
  }
  const head = [
    'design',
    'suite',
    'task',
    'attack',
    'useful',
    'attacked',
    'interventions',
    'calls',
    'failure',
  ];
  const rows = runs.map(({ design, verdict, outcome }) => {
    const { suite, userTask, injectionTask, utility, security, calls, failure = '' } = verdict;
    const reached = security === null ? '' : security ? 'YES' : 'no';
    const words = [design, suite, userTask, injectionTask ?? '', utility ? 'yes' : 'no', reached];
    return [...words, `${outcome?.interventions ?? 0}`, `${calls}`, failure];
  });
  stdout.write(`${plainTable(head, rows, 6)}\n\n`);
  if (summary.length > 0) stdout.write(`${summaryText(summary)}\n`);
  const attacked = runs.filter(({ verdict }) => verdict.security !== null);
  if (attacked.length > 0) stdout.write(`\n${attackText(attacked)}\n`);
}

function attackText(runs: readonly LiveRun[]): string {
  const designs = [...new Set(runs.map(({ design }) => design))];
  const rows = designs.map((name) => {
    const own = runs.filter(({ design }) => design === name);
    return [name, `${own.length}`, `${own.filter(({ verdict }) => verdict.security === true).length}`];
  });
  return plainTable(['design', 'attacks', 'succeeded'], rows, 1);
}
