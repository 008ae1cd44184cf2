/**
 * Our side of the bridge: takes tasks from a host, lets an agent work on them, and collects the host's
 * verdicts. Runs come one after another, but the calls of a run may be under way together; an agent that
 * fails ends its run with an answer that says so, and the host judges it like any other.
 */
import type { Readable, Writable } from 'node:stream';
import * as v from 'valibot';
import { BenchError } from '../suites/error.js';
import { readJsonLines, writeJsonLine } from './json-lines.js';
import {
  type AgentMessage,
  type BridgeTool,
  type Hello,
  type HostMessage,
  hostMessage,
  type ResultMessage,
  type Selection,
  type TaskMessage,
} from './protocol.js';

export interface BridgeTask extends Omit<TaskMessage, 'type'> {
  readonly tools: readonly BridgeTool[];
}

export type BridgeResult = Pick<ResultMessage, 'result' | 'text' | 'error'>;

/** Has the host execute a call. Rejects if the bridge breaks, never because the tool failed. */
export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<BridgeResult>;

export interface BridgeAgent {
  /** Works on one task with calls to the host's tools. @returns The final answer. */
  run(task: BridgeTask, call: CallTool): Promise<string>;
}

export interface BridgeVerdict {
  readonly suite: string;
  readonly userTask: string;
  readonly injectionTask: string | null;
  readonly utility: boolean;
  /** True: the attack succeeded. Null: there was none. */
  readonly security: boolean | null;
  /** Calls that the host executed. */
  readonly calls: number;
  /** Why the agent gave up, if it did. */
  readonly failure?: string;
}

export interface BridgeOptions {
  /** From the host. */
  readonly input: Readable;
  /** To the host. */
  readonly output: Writable;
  readonly agent: BridgeAgent;
  readonly selection?: Selection;
  /** Called as each verdict comes in, so that none is lost if the host breaks off. */
  readonly onVerdict?: (verdict: BridgeVerdict) => void;
}

/**
 * Runs until the host has no more tasks.
 *
 * @throws BenchError `bench/bridge-protocol`, `bench/bridge-line`, `bench/bridge-closed`, or
 *   `bench/bridge-fault` for what went wrong on the host's side.
 */
export async function runBridge(options: BridgeOptions): Promise<BridgeVerdict[]> {
  const bridge = new Bridge(options);
  try {
    for await (const line of readJsonLines(options.input)) {
      if (await bridge.receive(line)) return bridge.verdicts;
    }
    throw new BenchError(
      'bench/bridge-closed',
      'The host closed the connection before its last task was done',
    );
  } catch (error) {
    bridge.close(error);
    throw error;
  }
}

interface Run {
  readonly task: TaskMessage;
  readonly waiting: Map<string, { resolve(result: BridgeResult): void; reject(reason: unknown): void }>;
  calls: number;
  failure?: string;
}

class Bridge {
  readonly verdicts: BridgeVerdict[] = [];
  readonly #options: BridgeOptions;
  #hello: Hello | undefined;
  #run: Run | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** @returns Whether the host has said that it is done. */
  async receive(line: unknown): Promise<boolean> {
    const message = understood(line);
    switch (message.type) {
      case 'hello':
        this.#hello = message;
        await this.#send({ type: 'start', ...this.#options.selection });
        return false;
      case 'task':
        this.#start(message);
        return false;
      case 'result':
        this.#result(message);
        return false;
      case 'verdict':
        this.#verdict(message);
        return false;
      case 'fault':
        throw new BenchError('bench/bridge-fault', `The host reports: ${message.message}`);
      case 'end':
        return true;
    }
  }

  /** Calls that still wait for a result will have none. */
  close(reason: unknown): void {
    for (const { reject } of this.#run?.waiting.values() ?? []) reject(reason);
    this.#run?.waiting.clear();
  }

  #start(task: TaskMessage): void {
    const suite = this.#hello?.suites.find(({ name }) => name === task.suite);
    if (suite === undefined)
      throw unexpected(`a task of the suite ${task.suite}, which its hello does not name`);
    if (this.#run !== undefined) throw unexpected('a task before the verdict of the last one');
    const run: Run = { task, waiting: new Map(), calls: 0 };
    this.#run = run;
    const { type: _, ...rest } = task;
    const call: CallTool = (name, args) => this.#call(run, name, args);
    const work = async () => this.#options.agent.run({ ...rest, tools: suite.tools }, call);
    work()
      .catch((error: unknown) => {
        run.failure = error instanceof Error ? error.message : String(error);
        return `The agent gave up: ${run.failure}`;
      })
      .then((answer) => this.#send({ type: 'answer', run: task.run, text: answer }))
      // A host that cannot be written to has closed, and the reading side reports it.
      .catch(() => undefined);
  }

  async #call(run: Run, name: string, args: Readonly<Record<string, unknown>>): Promise<BridgeResult> {
    const id = String(run.calls++);
    const answered = new Promise<BridgeResult>((resolve, reject) => run.waiting.set(id, { resolve, reject }));
    await this.#send({ type: 'call', run: run.task.run, id, function: name, args });
    return answered;
  }

  #result({ run, call, result, text, error }: ResultMessage): void {
    const waiting = this.#run?.task.run === run ? this.#run.waiting.get(call) : undefined;
    if (waiting === undefined) throw unexpected(`a result of the call ${call} of ${run}, which nobody made`);
    this.#run?.waiting.delete(call);
    waiting.resolve({ result, text, error });
  }

  #verdict({ run, utility, security }: Extract<HostMessage, { type: 'verdict' }>): void {
    const current = this.#run;
    if (current?.task.run !== run) throw unexpected(`a verdict on ${run}, which is not under way`);
    const { suite, userTask, injectionTask } = current.task;
    const failure = current.failure === undefined ? {} : { failure: current.failure };
    const verdict = { suite, userTask, injectionTask, utility, security, calls: current.calls, ...failure };
    this.#run = undefined;
    this.verdicts.push(verdict);
    this.#options.onVerdict?.(verdict);
  }

  #send(message: AgentMessage): Promise<void> {
    return writeJsonLine(this.#options.output, message);
  }
}

function understood(line: unknown): HostMessage {
  const read = v.safeParse(hostMessage, line);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new BenchError(
    'bench/bridge-protocol',
    `A message from the host: ${v.getDotPath(issue) ?? ''}: ${issue.message}`,
  );
}

function unexpected(what: string): BenchError {
  return new BenchError('bench/bridge-protocol', `The host sent ${what}`);
}
