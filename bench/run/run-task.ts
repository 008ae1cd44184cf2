/**
 * One run of one task: a session, its log, a planner, and how it ended. Whatever ends a run (a model's error,
 * a limit, an interruption) is an outcome, and the log holds all that happened before.
 */
import { existsSync, rmSync } from 'node:fs';
import { type FinalAnswer, finalAnswer } from '../../planner/agent/answer/final-answer.js';
import type { Design } from '../../planner/agent/decision/design.js';
import {
  LogError,
  type ReadLog,
  readLogFile,
  replayLog,
  SessionLog,
  sessionOf,
} from '../../planner/agent/log/index.js';
import { runAgent } from '../../planner/agent/loop/agent-loop.js';
import type { Reactions } from '../../planner/agent/loop/reactions.js';
import { Approvals } from '../../planner/agent/oversight/approvals.js';
import type { Oversight } from '../../planner/agent/oversight/oversight.js';
import type { Planner } from '../../planner/agent/planners/planner.js';
import type { SessionEvent } from '../../planner/agent/session/event.js';
import { Session } from '../../planner/agent/session/session.js';
import { AssayError } from '../../semiring/message/error.js';
import { noUsage, type Usage } from '../../udf/model/model.js';
import type { Quarantine } from '../../udf/model/quarantine.js';
import type { RunTask, Setting, World } from './setting.js';

export interface Job {
  readonly setting: Setting;
  readonly task: RunTask;
  readonly design: Design;
  /** From 1. */
  readonly run: number;
}

/** A planner for one run, and what it may ask. */
export interface Minds {
  readonly planner: Planner;
  readonly quarantine?: Quarantine;
  /** Whether the planner keeps a state of its own, so that it has to see a resumed session's past again. */
  readonly remembers: boolean;
  usage?(): Usage;
}

export interface RunOptions {
  readonly minds: (session: Session, task: RunTask, world: World) => Minds;
  readonly oversight: Oversight;
  readonly onViolation?: Reactions['onViolation'];
  readonly maxTurns: number;
  /** Milliseconds for one run. */
  readonly timeout?: number;
  /** A path for the log; undefined: none is kept. */
  readonly log?: string;
  /** Go on with the log if there is one. */
  readonly resume?: boolean;
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
  readonly watch?: (event: SessionEvent, session: Session) => void;
}

export type RunEnd =
  | 'answer'
  | 'refused'
  | 'turn limit'
  | 'token limit'
  | 'time limit'
  | 'interrupted'
  | 'error';

export interface RunOutcome {
  readonly job: Job;
  readonly end: RunEnd;
  /** Of `error` and the limits. */
  readonly message?: string;
  readonly success: boolean;
  /** v */
  readonly interventions: number;
  readonly turns: number;
  readonly usage: Usage;
  readonly answer?: FinalAnswer;
  readonly resumed: boolean;
  /** Bytes of a last line of the resumed log that was cut off, and left out. */
  readonly truncated: number;
}

/**
 * @throws LogError where a log cannot be written, read or resumed: going on without it would lose what
 *   happens; and what is a fault of the program
 */
export async function runTask(job: Job, options: RunOptions): Promise<RunOutcome> {
  const { setting, task } = job;
  const world = setting.open(task);
  const past = options.log !== undefined && options.resume ? pastOf(options.log) : undefined;
  const log = openLog(job, past, options);
  try {
    const session = beginSession(job, world, past, (event) => {
      log?.write(event);
      // The first event comes while the session is being made.
      if (event.kind !== 'started') options.watch?.(event, session);
    });
    const minds = options.minds(session, task, world);
    if (past) {
      await replayLog(session, past, minds.remembers ? minds.planner : undefined);
      checkTask(session, task, options.log ?? '');
      world.catchUp?.(session);
    }
    if (session.state.prompts.length === 0) session.prompt(task.prompt);
    const { end, message } = await untilEnd(session, world, minds, options);
    const { answer } = session.state;
    return {
      job,
      end,
      ...(message !== undefined && { message }),
      success: end === 'answer' && (world.reached?.(session) ?? true),
      interventions: session.state.interventions,
      turns: session.state.view.turns.length,
      usage: minds.usage?.() ?? noUsage,
      ...(answer !== undefined && { answer: finalAnswer(session, answer) }),
      resumed: past !== undefined,
      truncated: past?.truncated ?? 0,
    };
  } finally {
    log?.close();
  }
}

function pastOf(path: string): ReadLog | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readLogFile(path);
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== 'log/empty') throw error;
    // Cut off before its first line was whole: nothing had happened.
    rmSync(path);
    return undefined;
  }
}

function openLog(
  { setting, design }: Job,
  past: ReadLog | undefined,
  options: RunOptions,
): SessionLog | undefined {
  const { log: path, secrets = [] } = options;
  if (path === undefined) return undefined;
  if (past) return SessionLog.append(path, past, { secrets });
  return SessionLog.create(path, { policy: setting.policy, design }, { secrets });
}

function beginSession(
  { setting, task, design, run }: Job,
  { directory }: World,
  past: ReadLog | undefined,
  log: (event: SessionEvent) => void,
): Session {
  const options = { policy: setting.policy, design, log, ...(directory && { directory }) };
  if (past && past.events.length > 0) return sessionOf(past, options);
  return new Session({ ...options, id: `${setting.name}/${task.id}/${design.name}/${run}` });
}

function checkTask(session: Session, task: RunTask, path: string): void {
  const [prompt = task.prompt] = session.state.prompts;
  if (prompt === task.prompt) return;
  throw new LogError('log/other-task', `${path} is the log of another task: its prompt differs`);
}

async function untilEnd(
  session: Session,
  world: World,
  minds: Minds,
  options: RunOptions,
): Promise<{ readonly end: RunEnd; readonly message?: string }> {
  // Not AbortSignal.timeout: its timer would let the process end while a tool is silent.
  const clock = new AbortController();
  const timer = options.timeout === undefined ? undefined : setTimeout(() => clock.abort(), options.timeout);
  const signals = [clock.signal, ...(options.signal ? [options.signal] : [])];
  try {
    const end = await runAgent({
      session,
      planner: minds.planner,
      ...(minds.quarantine && { quarantine: minds.quarantine }),
      tools: world.tools,
      oversight: options.oversight,
      approvals: new Approvals(),
      maxTurns: Math.max(0, options.maxTurns - session.state.view.turns.length),
      ...(options.onViolation && { onViolation: options.onViolation }),
      signal: AbortSignal.any(signals),
    });
    return { end };
  } catch (error) {
    if (options.signal?.aborted) return { end: 'interrupted' };
    if (clock.signal.aborted) return { end: 'time limit', message: `no answer within ${options.timeout} ms` };
    if (!(error instanceof AssayError) || error instanceof LogError) throw error;
    return { end: error.code === 'model/limit' ? 'token limit' : 'error', message: error.message };
  } finally {
    clearTimeout(timer);
  }
}
