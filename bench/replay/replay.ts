/**
 * Replays one recorded run through a session. The one thing to know: it is replayed as recorded: a call that the
 * design would ask about is taken as approved, and its result joins the context. Exact for designs that hide
 * nothing, since then the planner saw just what the record shows.
 */
import type { Design } from '../../planner/agent/design.js';
import { nonexistent, type Policy, type ToolPolicy } from '../../planner/agent/policy/policy.js';
import { type DecidedCall, Session } from '../../planner/agent/session.js';
import { dataOf, type Fate, fateOf, type RecordedRun, type RecordedStep } from './recorded-run.js';
import type { World } from './world.js';

export interface ReplayedStep {
  readonly step: number;
  readonly fate: Fate;
  /** Absent for a call that was never run: nobody would have been asked. */
  readonly decided?: DecidedCall;
}

export interface ReplayedRun {
  readonly run: RecordedRun;
  readonly session: Session;
  readonly steps: readonly ReplayedStep[];
  /** Indexes of the steps that needed a human: results and errors alike, since the human is asked before. */
  readonly asked: readonly number[];
  /** How many of `asked` had a result. */
  readonly executed: number;
  /** Endorsements that a human was asked for, besides. */
  readonly endorsements: number;
}

/** v: calls that a human was asked about, plus endorsements. */
export function interventions(replayed: ReplayedRun): number {
  return replayed.asked.length + replayed.endorsements;
}

export function replay(run: RecordedRun, design: Design, policy: Policy, world: World): ReplayedRun {
  const session = new Session({ policy, design, directory: world.directory, id: 'replay' });
  session.prompt(run.prompt);
  const steps: ReplayedStep[] = [];
  const asked: number[] = [];
  let executed = 0;
  run.steps.forEach((step, index) => {
    const fate = fateOf(step);
    if (fate === 'undispatched') {
      steps.push({ step: index, fate });
      return;
    }
    const turn = turnOf(step, index);
    if (turn !== session.state.turn) session.beginTurn(turn);
    const decided = session.decide({ tool: step.call.function, arguments: step.call.args }, policyFor(step));
    if (decided.decision.verdict === 'violation') {
      session.review(decided, 'approve');
      asked.push(index);
      if (fate === 'returned') executed += 1;
    }
    if (fate === 'returned') {
      world.apply(step);
      session.returned(decided, dataOf(step));
    } else {
      session.failed(decided, step.error ?? '');
    }
    steps.push({ step: index, fate, decided });
  });
  return { run, session, steps, asked, executed, endorsements: 0 };
}

export function turnOf(step: RecordedStep, index: number): number {
  return step.turn ?? index;
}

/** A call to a tool that does not exist can do nothing and bears no policy. */
export function policyFor(step: RecordedStep): ToolPolicy | undefined {
  return step.error?.startsWith('ToolNotFoundException') ? nonexistent(step.call.function) : undefined;
}
