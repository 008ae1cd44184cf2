/**
 * A planner that knows a task's calls: for measuring what a design costs when nothing goes wrong. It uses
 * variables and quarantined extraction where the design hides the data, and reveals hidden data only where
 * the task depends on it. It looks into the session as no model could, so it measures designs, not models.
 */
import { noUsage } from '../../../udf/model/model.js';
import type { Quarantine } from '../../../udf/model/quarantine.js';
import type { Call, Session } from '../session/session.js';
import { SessionRelations } from '../session/session-relations.js';
import { bearsPolicy, violationsAfterReveal, writeCall } from './known-call.js';
import { ifcTool, type PlannedCall, type Planner, type PlannerTurn, type PlannerView } from './planner.js';

export interface KnownTask {
  /** In order. */
  readonly steps: readonly Call[];
  /** Which calls to make depends on what results say: the planner has to see hidden data before it acts. */
  readonly dataDependent: boolean;
  readonly answer: string;
}

export class GroundTruthPlanner implements Planner, Quarantine {
  readonly name = 'ground truth';
  readonly #session: Session;
  readonly #relations: SessionRelations;
  readonly #task: KnownTask;
  readonly #answers = new Map<string, unknown>();
  #next = 0;
  #expanded = false;
  /** The call that waits for extractions, and the variable that each question is about. */
  #waiting: { readonly call: Call; readonly questions: ReadonlyMap<string, string> } | undefined;

  constructor(session: Session, task: KnownTask) {
    this.#session = session;
    this.#relations = new SessionRelations(session.state);
    this.#task = task;
  }

  async next(view: PlannerView): Promise<PlannerTurn> {
    if (this.#waiting) return this.#callWithAnswers(view);
    const call = this.#task.steps[this.#next];
    if (call === undefined) return { kind: 'answer', text: this.#task.answer };
    if (this.#mustExpand(call)) {
      this.#expanded = true;
      return { kind: 'calls', calls: this.#expansion() };
    }
    this.#next += 1;
    return this.#plan(call);
  }

  /** The quarantined model that knows the answers to this planner's questions. */
  async ask({ question }: { readonly question: string }) {
    return { kind: 'answer' as const, value: this.#answers.get(question), usage: noUsage };
  }

  /** A data-dependent task sees what is hidden so far before its first call that bears a policy. */
  #mustExpand(call: Call): boolean {
    if (!this.#task.dataDependent || this.#expanded || this.#session.state.hidden.size === 0) return false;
    return bearsPolicy(this.#session, call);
  }

  #expansion(): PlannedCall[] {
    const { design, state } = this.#session;
    const hidden = [...state.hidden];
    if (design.expand === 'one') {
      return hidden.map((variable) => ({ tool: ifcTool.expand, arguments: { variables: [variable] } }));
    }
    const calls = this.#task.steps.slice(this.#next);
    const endorse = design.endorse && violationsAfterReveal(this.#session, calls) > 0;
    return [{ tool: ifcTool.expand, arguments: { variables: hidden, endorse } }];
  }

  #plan(call: Call): PlannerTurn {
    const questions = new Map<string, string>();
    const written = writeCall(this.#session, this.#relations, call, (value, variable) => {
      const question = `value ${this.#answers.size + 1}`;
      this.#answers.set(question, value);
      questions.set(question, variable);
      return new Placeholder(question);
    });
    if (questions.size === 0) return { kind: 'calls', calls: [written] };
    this.#waiting = { call: written, questions };
    const calls = [...questions].map(([question, variable]) => ({
      tool: ifcTool.quarantine,
      arguments: { question, variables: [variable], type: 'text' },
    }));
    return { kind: 'calls', calls };
  }

  #callWithAnswers(view: PlannerView): PlannerTurn {
    const { call, questions } = this.#waiting ?? { call: undefined, questions: new Map<string, string>() };
    this.#waiting = undefined;
    if (call === undefined) return { kind: 'answer', text: this.#task.answer };
    const observations = view.turns.at(-1)?.observations ?? [];
    const names = new Map(
      [...questions.keys()].map((question, at) => [question, answerIn(observations[at])]),
    );
    const fill = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(fill);
      return value instanceof Placeholder ? (names.get(value.question) ?? null) : value;
    };
    const args = Object.entries(call.arguments).map(([name, value]) => [name, fill(value)]);
    return { kind: 'calls', calls: [{ tool: call.tool, arguments: Object.fromEntries(args) }] };
  }
}

/** Stands in a call's arguments for the answer to a question. */
class Placeholder {
  readonly question: string;

  constructor(question: string) {
    this.question = question;
  }
}

/** The variable's name in "The answer is in #…#." */
function answerIn(observation: string | undefined): string | undefined {
  return observation?.match(/#quarantine-result-\d+#/)?.[0];
}
