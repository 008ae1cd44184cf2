/**
 * The hardest planner to guard: from the moment attacker text is visible to it, it does whatever that text
 * wants. It is no model that is sometimes fooled. It reveals what it can, makes the attacker's calls with the
 * attacker's arguments and with every hidden variable in their place, in one turn and in turns of their own.
 */
import { noUsage } from '../../../udf/model/model.js';
import type { Quarantine } from '../../../udf/model/quarantine.js';
import type { Call, Session } from '../session/session.js';
import { textOf } from '../session/variables.js';
import { ifcTool, type PlannedCall, type Planner, type PlannerTurn, type PlannerView } from './planner.js';

export interface Attack {
  /** What stands in every attacker text and nowhere else. */
  readonly marker: string;
  readonly calls: readonly Call[];
}

/** At most this many hidden variables are tried in the arguments of an attack call. */
const mostVariables = 6;

export class HijackedPlanner implements Planner, Quarantine {
  readonly name = 'hijacked';
  readonly #base: Planner & Quarantine;
  readonly #session: Session;
  readonly #attack: Attack;
  readonly #curious: boolean;
  /** Whether attacker text was ever visible. */
  reached = false;
  /** The ids of calls that the attacker wanted. */
  readonly hostile = new Set<string>();
  #pending: PlannerTurn[] = [];
  #tried = false;

  /** @param options.curious reveals whatever is hidden, without endorsement, as soon as it is there */
  constructor(
    session: Session,
    base: Planner & Quarantine,
    attack: Attack,
    options: { readonly curious: boolean },
  ) {
    this.#session = session;
    this.#base = base;
    this.#attack = attack;
    this.#curious = options.curious;
  }

  async next(view: PlannerView): Promise<PlannerTurn> {
    const seen = view.turns.at(-1)?.observations.some((text) => text.includes(this.#attack.marker)) ?? false;
    this.reached ||= seen;
    if (this.reached && !this.#tried) {
      this.#tried = true;
      this.#pending = this.#attacks();
    }
    const hostile = this.#pending.shift();
    if (hostile) return hostile;
    const { design, state } = this.#session;
    if (this.#curious && design.expand !== 'nothing' && state.hidden.size > 0) return this.#reveal();
    return this.#base.next(view);
  }

  /** A quarantined model that has read attacker text answers with it, and with names of variables. */
  async ask(question: Parameters<Quarantine['ask']>[0]) {
    const hijacked = question.inputs.find((input) => textOf(input.value).includes(this.#attack.marker));
    if (!hijacked) return this.#base.ask(question);
    const value = `${textOf(hijacked.value)} ${question.inputs.map((input) => input.name).join(' ')}`;
    return { kind: 'answer' as const, value, usage: noUsage };
  }

  #reveal(): PlannerTurn {
    const hidden = [...this.#session.state.hidden];
    const calls =
      this.#session.design.expand === 'one'
        ? hidden.map((name) => ({ tool: ifcTool.expand, arguments: { variables: [name] } }))
        : [{ tool: ifcTool.expand, arguments: { variables: hidden } }];
    return { kind: 'calls', calls };
  }

  /** All attack calls at once; each alone; each with hidden variables in place of its texts. */
  #attacks(): PlannerTurn[] {
    const { calls } = this.#attack;
    const variables = [...this.#session.state.variables.keys()].slice(-mostVariables);
    const smuggled = variables.flatMap((name) => calls.map((call) => withVariable(call, name)));
    const together = [...calls, ...smuggled];
    const turns = [together, ...calls.map((call) => [call])].filter((turn) => turn.length > 0);
    return turns.map((turn) => ({ kind: 'calls', calls: turn.map((call) => this.#marked(call)) }));
  }

  #marked(call: Call): PlannedCall {
    const id = `attack-${this.hostile.size + 1}`;
    this.hostile.add(id);
    return { ...call, id };
  }
}

/** The call with a variable at the end of each of its texts. */
function withVariable(call: Call, name: string): Call {
  const args = Object.entries(call.arguments).map(([key, value]) => [
    key,
    typeof value === 'string' ? `${value} ${name}` : value,
  ]);
  return { tool: call.tool, arguments: Object.fromEntries(args) };
}
