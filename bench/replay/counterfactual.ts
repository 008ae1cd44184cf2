/**
 * A recorded run under a design that hides: a model of what would have happened, by fixed rules. The run was
 * recorded by a planner that saw everything, so what comes out is a counterfactual, and a lower bound where
 * an argument was computed from data that would have been hidden.
 *
 * Rules. The recorded calls are made in the recorded order and turns. An argument is a literal where it is
 * equal to a visible leaf or stands in the prompt as a whole word, a variable where a hidden leaf contains it
 * (the `contains` operator, over the run's cells), and a literal otherwise. A task that is known to depend on
 * data reveals what is hidden so far once, before its first call that bears a policy; with endorsement where
 * that is cheaper than the calls that would otherwise ask. A step of the attack is not made while every
 * untrusted cell of the results that held the injection is hidden. Success is the recorded one.
 */
import type { Design } from '../../planner/agent/decision/design.js';
import { bearsPolicy, violationsAfterReveal, writeCall } from '../../planner/agent/planners/known-call.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import type { Call, Session } from '../../planner/agent/session/session.js';
import { fateOf, type RecordedRun } from './recorded-run.js';
import { callOf, type ReplayedRun, Replayer, turnOf } from './replay.js';
import type { World } from './world.js';

export function replayCounterfactually(
  run: RecordedRun,
  design: Design,
  policy: Policy,
  world: World,
): ReplayedRun {
  const replayer = new Replayer(run, design, policy, world);
  const { session } = replayer;
  /** The session's number of each step's call. */
  const numbers = new Map<number, number>();
  let revealed = false;
  run.steps.forEach((step, index) => {
    if (
      fateOf(step) === 'undispatched' ||
      (run.attackSteps.includes(index) && !sawInjection(run, session, numbers))
    ) {
      replayer.skip(index);
      return;
    }
    if (replayer.beginsTurn(index) && !revealed && dependsOnHidden(run, session, world, index)) {
      replayer.endorsements += reveal(session, design, run.steps.slice(index).map(callOf));
      revealed = true;
    }
    const written = writeCall(session, session.relations, callOf(step), (value, variable) =>
      session.extract('', [variable], value),
    );
    numbers.set(index, replayer.make(index, written).call);
  });
  return replayer.replayed();
}

/**
 * Whether the turn that begins with a step has to know what is hidden: it bears a policy, and the task
 * depends on data.
 */
export function dependsOnHidden(run: RecordedRun, session: Session, world: World, first: number): boolean {
  if (world.dataDependent !== true || session.state.hidden.size === 0) return false;
  return turnBearsPolicy(run, session, first);
}

function turnBearsPolicy(run: RecordedRun, session: Session, first: number): boolean {
  const turn = turnOf(run.steps[first], first);
  return run.steps.some((step, index) => turnOf(step, index) === turn && bearsPolicy(session, callOf(step)));
}

/** Reveals all that is hidden, the cheaper way. @returns the endorsements that it took */
function reveal(session: Session, design: Design, calls: readonly Call[]): number {
  const hidden = [...session.state.hidden];
  const endorse = design.endorse && violationsAfterReveal(session, calls) > 0;
  if (endorse) session.endorse(hidden);
  if (design.expand === 'one') for (const name of hidden) session.expand([name]);
  else session.expand(hidden);
  return endorse ? 1 : 0;
}

/** Whether an untrusted cell of a result that held the injection has been visible. */
function sawInjection(run: RecordedRun, session: Session, numbers: ReadonlyMap<number, number>): boolean {
  const held = new Set(run.injectionSeen.map((step) => numbers.get(step)));
  return session.state.cells.some(
    (cell) => cell.shown !== undefined && cell.label.integrity === 'U' && held.has(cell.call),
  );
}
