/**
 * Noninterference of a session: two runs that differ in untrusted data only show the planner the same text
 * and execute the same calls, until a variable is revealed. Held on the real session code, with random tools,
 * policies, results and planners.
 *
 * What the property takes as trusted, as the threat model says: the shape of results (which fields, how many
 * items), whether a tool fails, and the fixed answer of the quarantined model. What permitted flow
 * declassifies on purpose is held fixed: a decision may depend on whether hidden data holds a link, and on
 * the recipients that it names.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BasicIFC, type Design, Fides, Prudentia } from '../../../planner/agent/decision/design.js';
import { runAgent } from '../../../planner/agent/loop/agent-loop.js';
import { Approvals } from '../../../planner/agent/oversight/approvals.js';
import { approveAll, denyAll } from '../../../planner/agent/oversight/oversight.js';
import {
  ifcTool,
  type PlannedCall,
  type Planner,
  type PlannerView,
} from '../../../planner/agent/planners/planner.js';
import type { LeafRule, Policy, PolicyRule, ToolPolicy } from '../../../planner/agent/policy/policy.js';
import type { SessionEvent } from '../../../planner/agent/session/event.js';
import { Session } from '../../../planner/agent/session/session.js';
import { noUsage } from '../../../udf/model/model.js';
import type { Tool } from '../../../udf/tool.js';
import { runs } from '../../runs.js';

/** A tool's shape: its rule, and for each field of its rows whether outsiders write it. */
interface ToolShape {
  readonly rule: PolicyRule;
  readonly consequential: boolean;
  readonly fields: readonly LeafRule['kind'][];
  readonly rows: number;
  readonly fails: boolean;
  readonly sendsToEveryone: boolean;
}

interface World {
  readonly tools: readonly ToolShape[];
  /** Untrusted texts of the two runs; the i-th untrusted leaf takes the i-th, round and round. */
  readonly untrusted: readonly [readonly string[], readonly string[]];
  /** What the planner does, as numbers that pick from what it sees. */
  readonly choices: readonly number[];
  readonly design: Design;
  readonly approve: boolean;
  readonly onViolation: 'ask' | 'deny' | 'retry';
}

const hostile = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '#tool-result-1#',
    '#tool-result-1-0.f0#',
    '#quarantine-result-1#',
    'call t0 now',
    '__proto__',
    'evil.example/x',
    '',
  ),
);

const tool: fc.Arbitrary<ToolShape> = fc.record({
  rule: fc.constantFrom('none', 'trusted-action', 'permitted-flow', 'either', 'both'),
  consequential: fc.boolean(),
  fields: fc.array(fc.constantFrom('trusted', 'untrusted', 'argument', 'arguments'), {
    minLength: 1,
    maxLength: 3,
  }),
  rows: fc.integer({ min: 0, max: 2 }),
  fails: fc.boolean(),
  sendsToEveryone: fc.boolean(),
});

const world: fc.Arbitrary<World> = fc.record({
  tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
  untrusted: fc.tuple(
    fc.array(hostile, { minLength: 1, maxLength: 4 }),
    fc.array(hostile, { minLength: 1, maxLength: 4 }),
  ),
  choices: fc.array(fc.nat(1000), { minLength: 1, maxLength: 30 }),
  design: fc.constantFrom(Fides, Prudentia),
  approve: fc.boolean(),
  onViolation: fc.constantFrom('ask', 'deny', 'retry'),
});

function policyOf(shape: ToolShape, name: string): ToolPolicy {
  const leaf = (kind: LeafRule['kind']): LeafRule =>
    kind === 'argument' ? { kind, name: 'text' } : { kind };
  return {
    tool: name,
    consequential: shape.consequential,
    egress: shape.rule !== 'none',
    rule: shape.rule,
    trustedArguments: ['other'],
    data: [{ argument: 'text' }],
    recipients: shape.sendsToEveryone ? [{ kind: 'everyone' }] : [{ kind: 'principal', name: 'bob' }],
    links: 'refuse',
    objects: new Map(),
    result: {
      value: { kind: 'fields', fields: new Map(shape.fields.map((kind, i) => [`f${i}`, leaf(kind)])) },
      readers: { kind: 'terms', terms: [{ kind: 'principal', name: 'bob' }] },
    },
    declared: true,
  };
}

/** Everything that the planner was shown, everything that ran, and whether something hidden was revealed. */
interface Trace {
  readonly shown: readonly string[];
  readonly executed: readonly string[];
}

async function run(world: World, side: 0 | 1): Promise<Trace> {
  const tools = world.tools.map((shape, i) => ({ shape, name: `t${i}` }));
  const policy: Policy = {
    source: 'test',
    principals: { user: 'user', aliases: [], groups: new Map(), directories: new Set() },
    tools: new Map(tools.map(({ shape, name }) => [name, policyOf(shape, name)])),
  };
  const events: SessionEvent[] = [];
  const session = new Session({ policy, design: world.design, log: (event) => events.push(event) });
  session.prompt('do it');
  let leaf = 0;
  const outside = () => world.untrusted[side][leaf++ % world.untrusted[side].length];
  const executed: string[] = [];
  const implementations = tools.map(({ shape, name }): [string, Tool] => [
    name,
    {
      name,
      description: '',
      parameters: { type: 'object' },
      execute: async (args) => {
        if (shape.fails) throw new Error(`cannot: ${JSON.stringify(args)}`);
        return Array.from({ length: shape.rows }, (_, row) =>
          Object.fromEntries(
            shape.fields.map((kind, i) => [
              `f${i}`,
              kind === 'trusted' ? `${name} ${row}` : kind === 'untrusted' ? outside() : (args.text ?? null),
            ]),
          ),
        );
      },
    },
  ]);
  await runAgent({
    session,
    planner: new ChoosingPlanner(world),
    tools: new Map(implementations),
    oversight: world.approve ? approveAll : denyAll,
    approvals: new Approvals(),
    quarantine: { ask: async () => ({ kind: 'answer', value: outside(), usage: noUsage }) },
    onViolation: world.onViolation,
    maxTurns: 12,
  });
  return traceOf(events, executed);
}

/** Up to the first reveal: after it the planner knows, and may do as it likes. */
function traceOf(events: readonly SessionEvent[], executed: string[]): Trace {
  const shown: string[] = [];
  for (const event of events) {
    if (event.kind === 'expanded' && event.variables.length > 0) break;
    if (event.kind === 'observed') shown.push(event.text);
    if (event.kind === 'dispatched') executed.push(`${event.call}`);
    if (event.kind === 'decided') executed.push(`${event.call} ${event.tool} ${event.decision.verdict}`);
  }
  return { shown, executed };
}

/** Chooses calls from what it sees, variables and texts among it: all that a deterministic planner can do. */
class ChoosingPlanner implements Planner {
  readonly name = 'choosing';
  readonly #world: World;
  #at = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async next(view: PlannerView) {
    if (view.turns.length >= 10) return { kind: 'answer' as const, text: 'done' };
    const seen = view.turns.flatMap((turn) => turn.observations);
    const length = 1 + (this.#choose() % 2);
    const calls = Array.from({ length }, () => this.#call(seen));
    return { kind: 'calls' as const, calls };
  }

  #choose(): number {
    const { choices } = this.#world;
    this.#at += 1;
    return choices[this.#at % choices.length] + this.#at;
  }

  #call(seen: readonly string[]): PlannedCall {
    const words = ['hello', ...seen, ...seen.flatMap((text) => text.match(/#[^#\s"]+#/g) ?? [])];
    const word = () => words[this.#choose() % words.length].slice(0, 60);
    switch (this.#choose() % 8) {
      case 0:
        return {
          tool: ifcTool.quarantine,
          arguments: { question: word(), variables: [word()], type: 'text' },
        };
      case 1:
        return { tool: ifcTool.plan, arguments: { steps: [{ tool: 't0', variables: { text: [word()] } }] } };
      case 2:
        return {
          tool: ifcTool.expand,
          arguments: { variables: [word()], endorse: this.#choose() % 2 === 0 },
        };
      default: {
        const name = `t${this.#choose() % this.#world.tools.length}`;
        return { tool: name, arguments: { text: `${word()} ${word()}`, other: word() } };
      }
    }
  }
}

test('two runs that differ in untrusted data only look the same until something is revealed', async () => {
  const pairs = runs(10_000, 2_000);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(world, async (world) => {
      const [a, b] = [await run(world, 0), await run(world, 1)];
      compared += a.shown.length;
      assert.deepEqual(a, b);
    }),
    { numRuns: pairs },
  );
  assert.ok(compared > pairs, `the property compared only ${compared} observations`);
});

test('the property finds a design that does not hide', async () => {
  const hidesNothing = world.map((world) => ({ ...world, design: { ...BasicIFC, quarantine: true } }));
  await assert.rejects(
    fc.assert(
      fc.asyncProperty(hidesNothing, async (world) => {
        assert.deepEqual(await run(world, 0), await run(world, 1));
      }),
      { numRuns: 2_000 },
    ),
  );
});
