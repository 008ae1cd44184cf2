/**
 * Random runs of a session, for properties: random tools, policies, results (hostile ones among them) and
 * planners.
 */
import fc from 'fast-check';
import { designs } from '../../../planner/agent/decision/design.js';
import { runAgent } from '../../../planner/agent/loop/agent-loop.js';
import { Approvals } from '../../../planner/agent/oversight/approvals.js';
import { approveAll, denyAll } from '../../../planner/agent/oversight/oversight.js';
import {
  ifcTool,
  type PlannedCall,
  type Planner,
  type PlannerView,
} from '../../../planner/agent/planners/planner.js';
import type { FieldRule, Policy, PolicyRule, ToolPolicy } from '../../../planner/agent/policy/policy.js';
import { Session } from '../../../planner/agent/session/session.js';
import type { SessionState } from '../../../planner/agent/session/session-state.js';
import { noUsage } from '../../../udf/model/model.js';
import type { Tool } from '../../../udf/tool.js';

export interface RandomRun {
  readonly design: number;
  readonly rules: readonly PolicyRule[];
  readonly results: readonly unknown[];
  readonly choices: readonly number[];
  readonly approve: boolean;
}

const hostile = fc.constantFrom(
  '__proto__',
  'constructor',
  '$number',
  '#tool-result-1#',
  '\ud800',
  '\u2028',
  '',
);
const text = fc.oneof(fc.string({ maxLength: 8, unit: 'binary' }), hostile);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    // Object.fromEntries: `__proto__` as a key of its own.
    fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

export const randomRun: fc.Arbitrary<RandomRun> = fc.record({
  design: fc.nat(designs.length - 1),
  rules: fc.array(fc.constantFrom('none', 'trusted-action', 'permitted-flow', 'either', 'both'), {
    minLength: 1,
    maxLength: 3,
  }),
  results: fc.array(json, { minLength: 1, maxLength: 6 }),
  choices: fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }),
  approve: fc.boolean(),
});

export function policyOf({ rules }: RandomRun): Policy {
  return {
    source: 'random',
    principals: { user: 'user', aliases: [], groups: new Map(), directories: new Set() },
    tools: new Map(rules.map((rule, i) => [`t${i}`, toolPolicy(`t${i}`, rule, i)])),
  };
}

function toolPolicy(tool: string, rule: PolicyRule, index: number): ToolPolicy {
  const kinds: FieldRule[] = [
    { kind: 'untrusted' },
    { kind: 'fields', fields: new Map([['__proto__', { kind: 'trusted' }]]) },
    { kind: 'argument', name: 'text' },
  ];
  return {
    tool,
    consequential: rule !== 'none',
    egress: rule !== 'none',
    rule,
    trustedArguments: ['__proto__'],
    data: [{ argument: 'text' }],
    recipients: [{ kind: 'argument', name: 'to' }],
    links: 'refuse',
    objects: new Map(),
    result: {
      value: kinds[index % kinds.length],
      readers: { kind: 'terms', terms: [{ kind: 'principal', name: index === 0 ? 'bob' : '__proto__' }] },
    },
    declared: true,
  };
}

/** Carries the run out. @param session made under `policyOf(run)` and the run's design */
export async function carryOut(run: RandomRun, session: Session): Promise<void> {
  let next = 0;
  const result = () => run.results[next++ % run.results.length];
  const tools = run.rules.map((_, i): [string, Tool] => [
    `t${i}`,
    {
      name: `t${i}`,
      description: '',
      parameters: { type: 'object' },
      execute: async () => {
        if (next % 5 === 4) throw new Error(`no: ${JSON.stringify(result())}`);
        return result();
      },
    },
  ]);
  session.prompt('do it');
  await runAgent({
    session,
    planner: new Chooser(run),
    tools: new Map(tools),
    oversight: run.approve ? approveAll : denyAll,
    approvals: new Approvals(),
    quarantine: {
      ask: async () => ({ kind: 'answer', value: JSON.stringify(result()) ?? '', usage: noUsage }),
    },
    maxTurns: 8,
  });
}

class Chooser implements Planner {
  readonly name = 'chooser';
  readonly #run: RandomRun;
  #at = 0;

  constructor(run: RandomRun) {
    this.#run = run;
  }

  async next(view: PlannerView) {
    if (view.turns.length >= 6) return { kind: 'answer' as const, text: `done ${this.#word(view)}` };
    const calls = Array.from({ length: 1 + (this.#choose() % 3) }, () => this.#call(view));
    return { kind: 'calls' as const, calls, text: 'well' };
  }

  #choose(): number {
    const { choices } = this.#run;
    this.#at += 1;
    return choices[this.#at % choices.length] + this.#at;
  }

  #word(view: PlannerView): string {
    const seen = view.turns.flatMap((turn) => turn.observations);
    const words = ['x', ...seen.flatMap((shown) => shown.match(/#[^#\s"]+#/g) ?? []), ...seen];
    return words[this.#choose() % words.length].slice(0, 60);
  }

  #call(view: PlannerView): PlannedCall {
    const variables = [this.#word(view)];
    switch (this.#choose() % 8) {
      case 0:
        return { tool: ifcTool.quarantine, arguments: { question: 'what', variables, type: 'text' } };
      case 1:
        return { tool: ifcTool.plan, arguments: { steps: [{ tool: 't0' }] } };
      case 2:
        return { tool: ifcTool.expand, arguments: { variables, endorse: this.#choose() % 2 === 0 } };
      case 3:
        return { tool: 't0', arguments: {}, malformed: '{"text": "\u0000' };
      default: {
        const entries: [string, unknown][] = [
          ['text', this.#word(view)],
          ['to', [this.#word(view)]],
          ['__proto__', this.#choose() % 2 === 0 ? -0 : this.#word(view)],
        ];
        const tool = `t${this.#choose() % (this.#run.rules.length + 1)}`;
        return { id: 'call-1', tool, arguments: Object.fromEntries(entries) };
      }
    }
  }
}

export function newSession(
  run: RandomRun,
  options: { log?: ConstructorParameters<typeof Session>[0]['log'] } = {},
) {
  return new Session({
    policy: policyOf(run),
    design: designs[run.design],
    ...(options.log && { log: options.log }),
  });
}

/** All that can be told of a state. */
export function allOf(state: SessionState) {
  const { context, turnContext, session, turn, prompts, calls, cells, plans, answer, interventions, view } =
    state;
  return {
    context,
    turnContext,
    session,
    turn,
    prompts,
    calls,
    cells,
    plans,
    answer,
    interventions,
    view,
    nextAnswer: state.nextAnswer,
    variables: [...state.variables],
    labels: [...state.variables.values()].map((variable) => state.labelOf(variable)),
    hidden: [...state.hidden],
    endorsed: [...state.endorsed],
    names: calls.map(({ call }) => state.namesOf(call)),
  };
}
