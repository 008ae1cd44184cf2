/**
 * Replays one recorded run through a session. It is replayed as recorded: a call that the design would ask
 * about is taken as approved, and its result joins the context. Exact for designs that hide nothing, since
 * then the planner saw just what the record shows.
 */
import type { Design } from '../../planner/agent/decision/design.js';
import { nonexistent, type Policy, type ToolPolicy } from '../../planner/agent/policy/policy.js';
import { type Call, type DecidedCall, Session } from '../../planner/agent/session/session.js';
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
  const replayer = new Replayer(run, design, policy, world);
  run.steps.forEach((step, index) => {
    if (fateOf(step) === 'undispatched') replayer.skip(index);
    else replayer.make(index, callOf(step));
  });
  return replayer.replayed();
}

/** A run on its way through a session, step by step, every request approved. */
export class Replayer {
  readonly session: Session;
  endorsements = 0;
  readonly #run: RecordedRun;
  readonly #world: World;
  readonly #steps: ReplayedStep[] = [];
  readonly #asked: number[] = [];
  #executed = 0;

  constructor(run: RecordedRun, design: Design, policy: Policy, world: World) {
    this.#run = run;
    this.#world = world;
    this.session = new Session({ policy, design, directory: world.directory, id: 'replay' });
    this.session.prompt(run.prompt);
  }

  /** Whether a step is the first of its turn. */
  beginsTurn(index: number): boolean {
    return turnOf(this.#run.steps[index], index) !== this.session.state.turn;
  }

  /** A step that is not made. */
  skip(index: number): void {
    this.#steps.push({ step: index, fate: 'undispatched' });
  }

  /** Makes a step as `call` says, with the recorded outcome. */
  make(index: number, call: Call): DecidedCall {
    const { session } = this;
    const step = this.#run.steps[index];
    const fate = fateOf(step);
    if (this.beginsTurn(index)) session.beginTurn(turnOf(step, index));
    const decided = session.decide(call, policyFor(step));
    if (decided.decision.verdict === 'violation') {
      session.review(decided, 'approve');
      this.#asked.push(index);
      if (fate === 'returned') this.#executed += 1;
    }
    if (fate === 'returned') {
      this.#world.apply(step);
      session.returned(decided, dataOf(step));
    } else {
      session.failed(decided, step.error ?? '');
    }
    this.#steps.push({ step: index, fate, decided });
    return decided;
  }

  replayed(): ReplayedRun {
    const { session, endorsements } = this;
    return {
      run: this.#run,
      session,
      steps: this.#steps,
      asked: this.#asked,
      executed: this.#executed,
      endorsements,
    };
  }
}

export function callOf(step: RecordedStep): Call {
  return { tool: step.call.function, arguments: step.call.args };
}

export function turnOf(step: RecordedStep, index: number): number {
  return step.turn ?? index;
}

/** A call to a tool that does not exist can do nothing and bears no policy. */
export function policyFor(step: RecordedStep): ToolPolicy | undefined {
  return step.error?.startsWith('ToolNotFoundException') ? nonexistent(step.call.function) : undefined;
}
