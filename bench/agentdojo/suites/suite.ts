/**
 * A suite: its environment, its tools, its tasks, read from the exported data (`suites/{suite}.json`). The
 * environment keeps placeholders until `newEnvironment` fills them, with the defaults (benign) or with attack
 * texts.
 */
import * as v from 'valibot';
import {
  copyEnvironment,
  type Environment,
  fileSize,
  readEnvironment,
  SUITES,
  type SuiteName,
} from './environment.js';
import { BenchError } from './error.js';
import { fillInjections } from './injection.js';
import { type Ordered, parseOrdered } from './ordered-json.js';
import { makeTool, type Tool, toolEntry } from './tool.js';

export interface Suite {
  readonly name: SuiteName;
  readonly benchmarkVersion: string;
  /** Where an outsider's text gets in, with the text of the benign environment. */
  readonly injectionVectors: ReadonlyMap<string, string>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly userTasks: ReadonlyMap<string, UserTask>;
  readonly injectionTasks: ReadonlyMap<string, InjectionTask>;
  /** Placeholders `{NAME}` kept. */
  readonly template: Ordered;
  readonly benign: Environment;
}

export interface GroundTruthCall {
  readonly function: string;
  readonly args: { readonly [name: string]: unknown };
}

export type UserTask = v.InferOutput<typeof userTask>;
export type InjectionTask = v.InferOutput<typeof injectionTask>;

const call = v.object({ function: v.string(), args: v.record(v.string(), v.unknown()) });

const userTask = v.object({
  id: v.string(),
  prompt: v.string(),
  /** Text that a right answer holds; "" where only the state counts. */
  groundTruthOutput: v.string(),
  groundTruth: v.array(call),
  /**
   * `dd` data dependent, `diq` independent with a quarantined model, `di` independent; null: not classified.
   */
  dataDependency: v.optional(v.nullable(v.array(v.picklist(['dd', 'diq', 'di']))), null),
});

const injectionTask = v.object({
  id: v.string(),
  goal: v.string(),
  groundTruthOutput: v.string(),
  groundTruth: v.array(call),
  /** Calls that reach the goal where AgentDojo's own ground truth is empty. */
  derivedCalls: v.optional(v.array(call), []),
});

const suiteFile = v.object({
  suite: v.picklist(SUITES),
  benchmarkVersion: v.string(),
  injectionVectors: v.record(v.string(), v.object({ default: v.string() })),
  tools: v.array(toolEntry),
  userTasks: v.array(userTask),
  injectionTasks: v.array(injectionTask),
});

/**
 * @param json The text of a suite file.
 * @param source Its name, for messages.
 * @throws BenchError `bench/suite` or `bench/environment` where it has another shape, `bench/unknown-tool`.
 */
export function loadSuite(json: string, source = 'suite'): Suite {
  const tree = parseOrdered(json);
  const file = v.safeParse(suiteFile, JSON.parse(json));
  if (!file.success) {
    const [issue] = file.issues;
    throw new BenchError('bench/suite', `${source}: ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  }
  const template = tree instanceof Map ? tree.get('environment') : undefined;
  const benign = tree instanceof Map ? tree.get('environmentBenign') : undefined;
  if (template === undefined || benign === undefined) {
    throw new BenchError('bench/suite', `${source}: needs environment and environmentBenign`);
  }
  const { suite, benchmarkVersion, injectionVectors, tools, userTasks, injectionTasks } = file.output;
  return {
    name: suite,
    benchmarkVersion,
    injectionVectors: new Map(
      Object.entries(injectionVectors).map(([name, vector]) => [name, vector.default]),
    ),
    tools: new Map(tools.map((entry) => [entry.name, makeTool(entry)])),
    userTasks: new Map(userTasks.map((task) => [task.id, task])),
    injectionTasks: new Map(injectionTasks.map((task) => [task.id, task])),
    template,
    benign: readEnvironment(`${source}: environmentBenign`, benign),
  };
}

/**
 * A fresh copy of the state, independent of every other.
 *
 * @param injections Attack texts by vector; vectors that are not named keep their default. None: the benign
 *   state.
 * @throws BenchError `bench/injection-vector` for a vector that the suite does not have.
 */
export function newEnvironment(
  suite: Suite,
  injections: ReadonlyMap<string, string> = new Map(),
): Environment {
  for (const name of injections.keys()) {
    if (!suite.injectionVectors.has(name)) {
      const known = [...suite.injectionVectors.keys()].join(', ');
      throw new BenchError('bench/injection-vector', `${suite.name} has no vector ${name}; it has ${known}`);
    }
  }
  if (injections.size === 0) return copyEnvironment(suite.benign);
  const environment = readEnvironment(
    suite.name,
    fillInjections(suite.template, injections, suite.injectionVectors),
  );
  for (const file of environment.cloud_drive?.files.values() ?? []) file.size = fileSize(file.content);
  return environment;
}
