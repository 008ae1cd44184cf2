/**
 * The scenarios that ship with assay as settings. Their tools answer what the scenario says, and nothing
 * outside of this process happens.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { loadPolicy } from '../../planner/agent/policy/load.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import { readToolSchemas, type ToolSchema } from '../../planner/agent/policy/tool-schema.js';
import { AssayError } from '../../semiring/message/error.js';
import { nearest } from '../../semiring/message/nearest.js';
import type { Tool, ToolArguments } from '../../udf/tool.js';
import { shippedFolder } from '../shipped-folder.js';
import { madeKnownCalls } from './known-calls.js';
import type { RunTask, Setting, World } from './setting.js';

const scenarioTasks = v.array(
  v.object({
    id: v.string(),
    prompt: v.string(),
    dataDependency: v.picklist(['di', 'diq', 'dd']),
    groundTruth: v.array(v.object({ function: v.string(), args: v.record(v.string(), v.unknown()) })),
    results: v.array(v.unknown()),
    finalText: v.string(),
  }),
);

type ScenarioTask = v.InferOutput<typeof scenarioTasks>[number];

export interface ScenarioOptions {
  /** Default: all. */
  readonly names?: readonly string[];
  readonly profile?: string;
  /** Default: the scenarios that ship with assay. */
  readonly folder?: string;
}

/** @throws AssayError `run/unknown-suite`, PolicyError */
export async function scenarioSettings(options: ScenarioOptions = {}): Promise<Setting[]> {
  const folder = options.folder ?? shippedFolder('bench/scenarios');
  const entries = await readdir(folder, { withFileTypes: true });
  const known = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const unknown = options.names?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new AssayError(
      'run/unknown-suite',
      `no scenario ${JSON.stringify(unknown)}; ${nearest(unknown, known)}`,
    );
  }
  return Promise.all(
    (options.names ?? known.sort()).map((name) => load(join(folder, name), name, options.profile)),
  );
}

async function load(folder: string, name: string, profile: string | undefined): Promise<Setting> {
  const text = (file: string) => readFile(join(folder, file), 'utf8');
  const policy = loadPolicy(await text('policy.yaml'), { source: join(folder, 'policy.yaml'), profile });
  const schemas = readToolSchemas(await text('tools.json'), join(folder, 'tools.json'));
  const tasks = v.parse(scenarioTasks, JSON.parse(await text('tasks.json')));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return {
    name,
    policy,
    tasks: tasks.map(runTask),
    open: (task) => {
      const scenario = byId.get(task.id);
      if (scenario) return new ScenarioWorld(scenario, schemas, policy);
      throw new AssayError('run/unknown-task', `${name} has no task ${JSON.stringify(task.id)}`);
    },
  };
}

function runTask(task: ScenarioTask): RunTask {
  return {
    id: task.id,
    prompt: task.prompt,
    known: {
      steps: task.groundTruth.map((call) => ({ tool: call.function, arguments: call.args })),
      dataDependent: task.dataDependency === 'dd',
      answer: task.finalText,
    },
  };
}

class ScenarioWorld implements World {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly #task: ScenarioTask;
  readonly #policy: Policy;
  /** Steps whose result was given. */
  readonly #given = new Set<number>();

  constructor(task: ScenarioTask, schemas: readonly ToolSchema[], policy: Policy) {
    this.#task = task;
    this.#policy = policy;
    this.tools = new Map(schemas.map((schema) => [schema.name, this.#tool(schema)]));
  }

  catchUp(session: Parameters<NonNullable<World['catchUp']>>[0]): void {
    for (const call of session.state.calls) {
      if (call.outcome !== 'returned') continue;
      this.#take(call.tool, Object.fromEntries(call.arguments.map(({ name, value }) => [name, value])));
    }
  }

  reached(session: Parameters<NonNullable<World['reached']>>[0]): boolean {
    return madeKnownCalls(session, runTask(this.#task).known?.steps ?? []);
  }

  #tool({ name, description = '', parameters = { type: 'object' } }: ToolSchema): Tool {
    return {
      name,
      description,
      parameters,
      // Nothing happens outside of this world.
      effects: false,
      execute: async (args) => {
        const step = this.#take(name, args);
        if (step !== undefined) return this.#task.results[step];
        throw new Error('This scenario has no answer to this call.');
      },
    };
  }

  /**
   * The step that a call is: the same but for the text that it sends; a step that was not given yet first.
   */
  #take(tool: string, args: ToolArguments): number | undefined {
    const open = new Set(this.#policy.tools.get(tool)?.data.map((term) => term.argument));
    const closed = (all: ToolArguments) =>
      Object.entries(all)
        .filter(([name]) => !open.has(name))
        .sort();
    const wanted = closed(args);
    const same = this.#task.groundTruth.flatMap((call, at) =>
      call.function === tool && isDeepStrictEqual(closed(call.args), wanted) ? [at] : [],
    );
    const step = same.find((at) => !this.#given.has(at)) ?? same[0];
    if (step !== undefined) this.#given.add(step);
    return step;
  }
}
