/**
 * The all-knowing planner: a lower bound on the interventions with which a run's calls can be done at all,
 * whatever planner does them under whatever design of ours. It may make the calls in any order and in a
 * context that no earlier reading has narrowed; it passes every hidden text as a variable, looks at hidden
 * data only where the task depends on it, and one endorsement may cover all that it needs.
 */
import { Prudentia } from '../../planner/agent/decision/design.js';
import { bearsPolicy, writeCall } from '../../planner/agent/planners/known-call.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import type { Call, Session } from '../../planner/agent/session/session.js';
import type { Label } from '../../semiring/label/label.js';
import { dependsOnHidden } from './counterfactual.js';
import { fateOf, type RecordedRun } from './recorded-run.js';
import { callOf, policyFor, Replayer } from './replay.js';
import type { World } from './world.js';

/** What one call would cost: 0 or 1, with nothing endorsed and with everything endorsed. */
interface Cost {
  readonly plain: number;
  readonly endorsed: number;
}

/** The least v of a run; steps of an attack are not among what has to be done. */
export function allKnowingBound(run: RecordedRun, policy: Policy, world: World): number {
  const replayer = new Replayer(run, Prudentia, policy, world);
  const { session } = replayer;
  const costs: Cost[] = [];
  /** What the calls that depend on data have seen: all that was hidden before the first of them. */
  let seen: Label | undefined;
  run.steps.forEach((step, index) => {
    if (fateOf(step) === 'undispatched' || run.attackSteps.includes(index)) return;
    if (replayer.beginsTurn(index) && dependsOnHidden(run, session, world, index))
      seen ??= hiddenLabel(session);
    const part = (value: unknown, variable: string) => session.extract('', [variable], value);
    const written = writeCall(session, session.relations, callOf(step), part);
    if (policyFor(step) === undefined && bearsPolicy(session, written))
      costs.push(costOf(session, written, seen));
    replayer.make(index, written);
  });
  const sum = (cost: (each: Cost) => number) => costs.reduce((total, each) => total + cost(each), 0);
  return Math.min(
    sum((each) => each.plain),
    1 + sum((each) => each.endorsed),
  );
}

/** The join of all that is hidden now. */
function hiddenLabel(session: Session): Label {
  const { state } = session;
  return state.space.joinAll([...state.hidden].map((name) => state.labelOf(session.variable(name))));
}

function costOf(session: Session, call: Call, seen: Label | undefined): Cost {
  const { space } = session.state;
  const plain = session.preview(call, seen ?? space.bottom);
  const endorsed = session.preview(call, seen ? space.trusted(seen.readers) : space.bottom);
  const { rule } = session.policyOf(call.tool);
  // With all endorsed nothing is untrusted; what may still fail is a flow that has to be permitted.
  const flows = rule === 'permitted-flow' || rule === 'both';
  const unreadable =
    endorsed.verdict === 'violation' &&
    endorsed.violations.some(({ kind }) => kind === 'unreadable' || kind === 'unresolved');
  return { plain: plain.verdict === 'violation' ? 1 : 0, endorsed: flows && unreadable ? 1 : 0 };
}
