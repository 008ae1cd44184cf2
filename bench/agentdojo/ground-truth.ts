/**
 * The ground-truth runs of AgentDojo under any design: the known calls of each task, executed through the
 * agent's loop with the recorded results. Rules: COUNTING of the data ("ground truth under a design that
 * hides").
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Design } from '../../planner/agent/decision/design.js';
import { runAgent } from '../../planner/agent/loop/agent-loop.js';
import { Approvals } from '../../planner/agent/oversight/approvals.js';
import { approveAll } from '../../planner/agent/oversight/oversight.js';
import { GroundTruthPlanner } from '../../planner/agent/planners/ground-truth.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import { Session } from '../../planner/agent/session/session.js';
import type { Tool } from '../../udf/tool.js';
import { type Dependency, dependencyOf } from './dependency.js';
import { applyRecorded, directoryOf, loadSuite, newEnvironment, SUITES, type Suite } from './suites/index.js';

const line = v.object({
  suite: v.string(),
  userTask: v.string(),
  steps: v.array(
    v.object({
      call: v.object({ function: v.string(), args: v.record(v.string(), v.unknown()) }),
      result: v.unknown(),
      /**
       * What the model is shown: "None" for nothing, so that a step without a result is told from one never
       * run.
       */
      resultText: v.string(),
    }),
  ),
  finalText: v.string(),
});

export interface GroundTruth extends v.InferOutput<typeof line> {
  readonly prompt: string;
  readonly dependency: Dependency;
}

/** The suites and their ground-truth runs, from a folder with `suites/` and `ground-truth/`. */
export interface AgentDojo {
  readonly suites: ReadonlyMap<string, Suite>;
  readonly groundTruth: readonly GroundTruth[];
}

export async function loadAgentDojo(folder: string): Promise<AgentDojo> {
  const suites = new Map<string, Suite>();
  const groundTruth: GroundTruth[] = [];
  for (const name of SUITES) {
    const path = join(folder, 'suites', `${name}.json`);
    const suite = loadSuite(await readFile(path, 'utf8'), path);
    suites.set(name, suite);
    const runs = await readFile(join(folder, 'ground-truth', `${name}.jsonl`), 'utf8');
    for (const text of runs.split('\n').filter((each) => each !== '')) {
      const run = v.parse(line, JSON.parse(text));
      const task = suite.userTasks.get(run.userTask);
      groundTruth.push({
        ...run,
        prompt: task?.prompt ?? '',
        dependency: dependencyOf(name, run.userTask, task?.dataDependency ?? null) ?? 'diq',
      });
    }
  }
  return { suites, groundTruth };
}

export interface GroundTruthRun {
  readonly session: Session;
  /** v: calls that a human was asked about, plus endorsements. */
  readonly interventions: number;
}

/** Runs a task's known calls under a design, every request approved. */
export async function runGroundTruth(
  task: GroundTruth,
  suite: Suite,
  design: Design,
  policy: Policy,
): Promise<GroundTruthRun> {
  const environment = newEnvironment(suite);
  const session = new Session({ policy, design, directory: directoryOf(environment), id: task.userTask });
  session.prompt(task.prompt);
  const planner = new GroundTruthPlanner(session, {
    steps: task.steps.map(({ call }) => ({ tool: call.function, arguments: call.args })),
    dataDependent: task.dependency === 'dd',
    answer: task.finalText,
  });
  await runAgent({
    session,
    planner,
    quarantine: planner,
    tools: recordedTools(task, (step) => {
      applyRecorded(environment, step.call, { result: step.result, error: null });
    }),
    oversight: approveAll,
    approvals: new Approvals(),
    maxTurns: 200,
  });
  return { session, interventions: session.state.interventions };
}

/** Tools that answer what was recorded, in the order of the steps. */
function recordedTools(
  task: GroundTruth,
  happened: (step: GroundTruth['steps'][number]) => void,
): ReadonlyMap<string, Tool> {
  let next = 0;
  const names = new Set(task.steps.map((step) => step.call.function));
  return new Map(
    [...names].map((name): [string, Tool] => [
      name,
      {
        name,
        description: '',
        parameters: { type: 'object' },
        execute: async () => {
          const step = task.steps[next];
          next += 1;
          happened(step);
          return step.result;
        },
      },
    ]),
  );
}
