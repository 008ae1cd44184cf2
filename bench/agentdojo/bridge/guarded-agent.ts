/**
 * The guarded agent on the bridge: the host executes the tools, the session labels and decides. Who may read
 * what is told from a copy of the host's state, on which every result has the effects that the host said it
 * had.
 */
import { join } from 'node:path';
import type { Design } from '../../../planner/agent/decision/design.js';
import type { KnownTask } from '../../../planner/agent/planners/ground-truth.js';
import type { Policy } from '../../../planner/agent/policy/policy.js';
import type { JsonSchema } from '../../../udf/json-schema.js';
import type { Tool } from '../../../udf/tool.js';
import { logName } from '../../run/log-file.js';
import { type Job, type RunOptions, type RunOutcome, runTask } from '../../run/run-task.js';
import type { World } from '../../run/setting.js';
import { applyRecorded, BenchError, directoryOf, readEnvironment } from '../suites/index.js';
import type { Ordered } from '../suites/ordered-json.js';
import type { BridgeAgent, BridgeTask, CallTool } from './bridge.js';

export interface GuardedAgentOptions
  extends Omit<RunOptions, 'log' | 'resume' | 'watch' | 'maxTurns'>,
    Partial<Pick<RunOptions, 'maxTurns'>> {
  readonly design: Design;
  /** The policy of a suite. */
  readonly policy: (suite: string) => Promise<Policy>;
  /** The calls that do a task, for a planner without a model. */
  readonly known?: (task: BridgeTask) => KnownTask | undefined;
  /** A folder for the runs' event logs. */
  readonly log?: string;
  readonly watch?: (job: Job, ...of: Parameters<NonNullable<RunOptions['watch']>>) => void;
  /** How a run ended on our side; the host's verdict on it comes later. */
  readonly onOutcome?: (task: BridgeTask, outcome: RunOutcome) => void;
}

/**
 * An agent for {@link runBridge}. Its runs reject where no answer came (a model's error, a limit): the
 * verdict then says why.
 */
export function guardedAgent(options: GuardedAgentOptions): BridgeAgent {
  const { design, known, log, watch, onOutcome, maxTurns = 50, ...run } = options;
  return {
    async run(task, call) {
      const job = jobOf(task, call, design, await options.policy(task.suite), known?.(task));
      const outcome = await runTask(job, {
        ...run,
        maxTurns,
        ...(log !== undefined && { log: join(log, logName(job)) }),
        ...(watch && { watch: (event, session) => watch(job, event, session) }),
      });
      onOutcome?.(task, outcome);
      const { answer, end, message } = outcome;
      if (answer === undefined) {
        throw new BenchError('bench/no-answer', message === undefined ? end : `${end}: ${message}`);
      }
      return answer.text;
    },
  };
}

function jobOf(task: BridgeTask, call: CallTool, design: Design, policy: Policy, known?: KnownTask): Job {
  const { suite, userTask, injectionTask, prompt } = task;
  const id = injectionTask === null ? userTask : `${userTask}-${injectionTask}`;
  const own = { id, prompt, ...(known && { known }) };
  return {
    setting: { name: suite, policy, tasks: [own], open: () => openWorld(task, call) },
    task: own,
    design,
    run: 1,
  };
}

function openWorld(task: BridgeTask, call: CallTool): World {
  // The parts are told apart by name; within a part the reader takes objects as they are.
  const parts = new Map(Object.entries(task.environment)) as Ordered;
  const environment = readEnvironment(`the host's ${task.suite}`, parts);
  const tools = task.tools.map(
    ({ name, description }): Tool => ({
      name,
      description,
      // The host checks the arguments, and says what is wrong with them.
      parameters: { type: 'object' },
      execute: async (args) => {
        const { result, error } = await call(name, args);
        applyRecorded(environment, { function: name, args }, { result, error });
        if (error !== null) throw new Error(error);
        return result;
      },
    }),
  );
  const schemas = new Map(task.tools.map(({ name, parameters }) => [name, parameters as JsonSchema]));
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    described: tools.map((tool) => ({ ...tool, parameters: schemas.get(tool.name) ?? tool.parameters })),
    directory: directoryOf(environment),
  };
}
