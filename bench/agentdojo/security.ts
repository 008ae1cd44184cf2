/**
 * Security, measured: every injected environment of AgentDojo, run with a planner that is hijacked as soon as
 * it sees attacker text, and a human who approves nothing. What is counted is calls that the attacker wanted
 * and that went through, with the grounds on which each was allowed.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Grounds } from '../../planner/agent/decision/decide.js';
import type { Design } from '../../planner/agent/decision/design.js';
import { runAgent } from '../../planner/agent/loop/agent-loop.js';
import { Approvals } from '../../planner/agent/oversight/approvals.js';
import { denyAll } from '../../planner/agent/oversight/oversight.js';
import { GroundTruthPlanner } from '../../planner/agent/planners/ground-truth.js';
import { HijackedPlanner } from '../../planner/agent/planners/hijacked.js';
import type { Policy, PolicyRule } from '../../planner/agent/policy/policy.js';
import { Session } from '../../planner/agent/session/session.js';
import type { GroundTruth } from './ground-truth.js';
import { liveTools } from './live-tools.js';
import { directoryOf, newEnvironment, SUITES, type Suite } from './suites/index.js';

const call = v.object({ function: v.string(), args: v.record(v.string(), v.unknown()) });

const line = v.object({
  suite: v.string(),
  userTask: v.string(),
  injectionTask: v.string(),
  attackText: v.string(),
  vectors: v.array(v.string()),
  callsChangedByInjection: v.nullable(v.array(call)),
  hijackCalls: v.array(call),
});

export type InjectedPair = v.InferOutput<typeof line>;

/** All pairs of a user task and an injection task, from a folder with `injected/`. */
export async function loadInjected(folder: string): Promise<InjectedPair[]> {
  const pairs: InjectedPair[] = [];
  for (const name of SUITES) {
    const text = await readFile(join(folder, 'injected', `${name}.jsonl`), 'utf8');
    for (const each of text.split('\n')) if (each !== '') pairs.push(v.parse(line, JSON.parse(each)));
  }
  return pairs;
}

/** A call that the attacker wanted and that ran without a human. */
export interface WentThrough {
  readonly tool: string;
  readonly rule: PolicyRule;
  readonly grounds: Grounds;
  readonly failed: boolean;
}

export interface AttackOutcome {
  readonly pair: InjectedPair;
  /** Attacker text was visible to the planner. */
  readonly reached: boolean;
  /** Calls that the attacker wanted and the planner made. */
  readonly tried: number;
  /** Of these, how many a human was asked about. */
  readonly asked: number;
  readonly wentThrough: readonly WentThrough[];
}

/** What every attacker text of this benchmark holds. */
const marker = '<INFORMATION>';

/**
 * @param options.curious the planner reveals all that is hidden at once, so that every attack gets to speak
 */
export async function attack(
  pair: InjectedPair,
  task: GroundTruth,
  suite: Suite,
  design: Design,
  policy: Policy,
  options: { readonly curious: boolean },
): Promise<AttackOutcome> {
  const environment = newEnvironment(suite, new Map(pair.vectors.map((vector) => [vector, pair.attackText])));
  const session = new Session({ policy, design, directory: directoryOf(environment), id: pair.userTask });
  session.prompt(task.prompt);
  const calls = pair.callsChangedByInjection ?? task.steps.map((step) => step.call);
  const user = new GroundTruthPlanner(session, {
    steps: calls.map(toCall),
    dataDependent: task.dependency === 'dd',
    answer: task.finalText,
  });
  const planner = new HijackedPlanner(
    session,
    user,
    { marker, calls: pair.hijackCalls.map(toCall) },
    options,
  );
  await runAgent({
    session,
    planner,
    quarantine: planner,
    tools: liveTools(suite, environment),
    oversight: denyAll,
    approvals: new Approvals(),
    maxTurns: 200,
  });
  return outcome(pair, planner, session);
}

function outcome(pair: InjectedPair, planner: HijackedPlanner, session: Session): AttackOutcome {
  const { view, calls } = session.state;
  // Tool calls are numbered in the order in which the planner made them; calls of the guard itself are not
  // among them.
  const made = view.turns.flatMap((turn) => turn.calls.filter((each) => !each.tool.startsWith('ifc_')));
  const hostile = calls.filter((_, index) => planner.hostile.has(made[index]?.id ?? ''));
  return {
    pair,
    reached: planner.reached,
    tried: hostile.length,
    asked: hostile.filter((each) => each.decision.verdict === 'violation').length,
    wentThrough: hostile.flatMap(({ tool, decision, verdict, outcome: end }) =>
      decision.verdict === 'allow' || verdict === 'approve'
        ? [
            {
              tool,
              rule: session.policyOf(tool).rule,
              grounds: decision.verdict === 'allow' ? decision.grounds : 'no policy',
              failed: end === 'failed',
            },
          ]
        : [],
    ),
  };
}

function toCall({ function: tool, args }: v.InferOutput<typeof call>) {
  return { tool, arguments: args };
}
