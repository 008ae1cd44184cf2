/** The suites of AgentDojo as settings, over tools that run in this process. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../../planner/agent/policy/policy.js';
import { AssayError } from '../../semiring/message/error.js';
import { nearest } from '../../semiring/message/nearest.js';
import type { Tool } from '../../udf/tool.js';
import { type AgentDojo, type GroundTruth, loadAgentDojo } from '../agentdojo/ground-truth.js';
import { liveTools } from '../agentdojo/live-tools.js';
import { policiesOf } from '../agentdojo/policies.js';
import {
  directoryOf,
  newEnvironment,
  type Suite,
  ToolError,
  taskReached,
} from '../agentdojo/suites/index.js';
import type { RunTask, Setting, World } from './setting.js';

export interface AgentDojoOptions {
  /** Holds `suites/`, `ground-truth/` and, unless `policies` names another file, `policies.json`. */
  readonly folder: string;
  readonly policies?: string;
  readonly profile?: string;
  /** Default: all. */
  readonly suites?: readonly string[];
}

/** @throws AssayError `run/unknown-suite`, or as the loaders of suites and policies do */
export async function agentDojoSettings(options: AgentDojoOptions): Promise<Setting[]> {
  const { folder, profile = 'fides' } = options;
  const source = options.policies ?? join(folder, 'policies.json');
  const data = await loadAgentDojo(folder);
  const policies = policiesOf(await readFile(source, 'utf8'), { source, profile });
  return (options.suites ?? [...data.suites.keys()]).map((name) => {
    const suite = data.suites.get(name);
    const policy = policies.get(name);
    if (suite && policy) return agentDojoSetting(suite, policy, data);
    throw new AssayError(
      'run/unknown-suite',
      `no suite ${JSON.stringify(name)}; ${nearest(name, data.suites.keys())}`,
    );
  });
}

function agentDojoSetting(suite: Suite, policy: Policy, data: AgentDojo): Setting {
  return {
    name: suite.name,
    policy,
    tasks: data.groundTruth.filter((task) => task.suite === suite.name).map(runTask),
    open: (task) => openWorld(suite, task),
  };
}

function runTask(task: GroundTruth): RunTask {
  return {
    id: task.userTask,
    prompt: task.prompt,
    known: {
      steps: task.steps.map(({ call }) => ({ tool: call.function, arguments: call.args })),
      dataDependent: task.dependency === 'dd',
      answer: task.finalText,
    },
  };
}

function openWorld(suite: Suite, task: RunTask): World {
  const environment = newEnvironment(suite);
  // The effects die with the process, so a call that was cut off has had none.
  const tools = [...liveTools(suite, environment).values()].map(
    (tool): Tool => ({ ...tool, effects: false }),
  );
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    described: tools.map((tool) => ({ ...tool, parameters: { ...suite.tools.get(tool.name)?.parameters } })),
    directory: directoryOf(environment),
    catchUp: (session) => {
      for (const call of session.state.calls) {
        if (call.outcome !== 'returned') continue;
        const args = Object.fromEntries(call.arguments.map(({ name, value }) => [name, value]));
        try {
          suite.tools.get(call.tool)?.run(environment, args);
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
        }
      }
    },
    reached: () => taskReached(suite, task.id, environment).reached,
  };
}
