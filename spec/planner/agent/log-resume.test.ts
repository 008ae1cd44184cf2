/**
 * Sessions that are cut off and go on, in process: for random runs that are cut after any event, the resumed
 * run makes no call with an effect twice unless a human says so, makes each that was decided and not started,
 * and ends.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Basic, Fides, Prudentia } from '../../../planner/agent/decision/design.js';
import { runAgent } from '../../../planner/agent/loop/agent-loop.js';
import { Approvals } from '../../../planner/agent/oversight/approvals.js';
import { approveAll, denyAll, type Oversight } from '../../../planner/agent/oversight/oversight.js';
import { ifcTool, type PlannedCall, type PlannerTurn } from '../../../planner/agent/planners/planner.js';
import { scriptedPlanner } from '../../../planner/agent/planners/scripted.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';
import type { SessionEvent } from '../../../planner/agent/session/event.js';
import { Session } from '../../../planner/agent/session/session.js';
import { noUsage } from '../../../udf/model/model.js';
import type { Tool } from '../../../udf/tool.js';
import { runs } from '../../runs.js';

const policy = loadPolicy(`
user: me
tools:
  read(): untrusted for everyone
  act(id):
    rule: trusted action
    returns: trusted for everyone
`);

/** The process dies here. */
class Killed extends Error {}

/** Tools that keep what they did; an `act` is told by its id. */
function world(effects: boolean) {
  const done: string[] = [];
  const tools: Tool[] = [
    {
      name: 'read',
      description: '',
      parameters: { type: 'object' },
      effects: false,
      execute: async () => 'some text of a stranger',
    },
    {
      name: 'act',
      description: '',
      parameters: { type: 'object' },
      effects,
      execute: async ({ id }) => {
        done.push(String(id));
        return `did ${id}`;
      },
    },
  ];
  return { done, tools: new Map(tools.map((tool) => [tool.name, tool])) };
}

const calls = fc.array(
  fc.constantFrom<PlannedCall>(
    { tool: 'read', arguments: {} },
    { tool: 'act', arguments: { id: 'a' } },
    { tool: 'act', arguments: { id: 'b' } },
    { tool: 'unknown', arguments: {} },
    { tool: 'act', arguments: {}, malformed: '{' },
    { tool: ifcTool.expand, arguments: { variables: ['#tool-result-1#'], endorse: true } },
    { tool: ifcTool.quarantine, arguments: { question: 'who', variables: ['#tool-result-1#'] } },
    { tool: ifcTool.plan, arguments: { steps: [] } },
  ),
  { minLength: 1, maxLength: 4 },
);

const script = fc.array(calls, { minLength: 1, maxLength: 5 }).map((turns) =>
  turns.map(
    (turn, t): PlannerTurn => ({
      kind: 'calls',
      // Each act has an id of its own, so that a second time can be told.
      calls: turn.map((call, at) =>
        call.tool === 'act' && call.malformed === undefined
          ? { ...call, arguments: { id: `${t}.${at}` } }
          : call,
      ),
    }),
  ),
);

interface Run {
  readonly turns: readonly PlannerTurn[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly oversight: Oversight;
}

function go(session: Session, { turns, tools, oversight }: Run) {
  return runAgent({
    session,
    planner: scriptedPlanner(turns),
    tools,
    oversight,
    approvals: new Approvals(),
    quarantine: { ask: async () => ({ kind: 'answer', value: 'bob', usage: noUsage }) },
  });
}

/** Runs until the event number `cut` is written, then dies and is resumed. */
async function cutAndResume(
  design: typeof Fides,
  turns: readonly PlannerTurn[],
  cut: number,
  effects: boolean,
  later: Oversight,
) {
  const events: SessionEvent[] = [];
  const { done, tools } = world(effects);
  const first = new Session({
    policy,
    design,
    log: (event) => {
      if (events.length >= cut) throw new Killed();
      events.push(event);
    },
  });
  try {
    first.prompt('go');
    await go(first, { turns, tools, oversight: approveAll });
  } catch (error) {
    assert.ok(error instanceof Killed, String(error));
  }
  const before = events.length;
  const session = new Session({ policy, design, resumes: true, log: (event) => events.push(event) });
  for (const event of events.slice(0, before)) session.replay(event);
  if (session.state.prompts.length === 0) session.prompt('go');
  const end = await go(session, { turns, tools, oversight: later });
  return { done, session, end, events, before };
}

function count(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

const acts = (turns: readonly PlannerTurn[]) =>
  turns.flatMap((turn) =>
    turn.kind === 'calls'
      ? turn.calls.flatMap((call) => (typeof call.arguments.id === 'string' ? [call.arguments.id] : []))
      : [],
  );

describe('a session that was cut off', () => {
  const designs = fc.constantFrom(Basic, Fides, Prudentia);

  it('makes no call with an effect twice where nobody says so, and no other is left out', async () => {
    let interrupted = 0;
    await fc.assert(
      fc.asyncProperty(designs, script, fc.integer({ min: 1, max: 60 }), async (design, turns, cut) => {
        const { done, session, end } = await cutAndResume(design, turns, cut, true, denyAll);
        assert.equal(end, 'answer');
        for (const [id, times] of count(done)) assert.equal(times, 1, id);
        for (const call of session.state.calls) {
          assert.notEqual(call.outcome, 'dispatched');
          if (call.error?.startsWith('The call was cut off')) interrupted += 1;
        }
        for (const turn of session.state.view.turns)
          assert.equal(turn.observations.length, turn.calls.length);
        // Basic asks about each act, and the human of the second half denies.
        if (design === Basic) return;
        const denied = session.state.calls.filter((call) => call.verdict === 'deny').length;
        assert.equal(done.length + denied >= acts(turns).length, true);
      }),
      { numRuns: runs(400) },
    );
    assert.ok(interrupted > 5, `only ${interrupted} calls were cut off`);
  });

  it('makes it again where a human says so, or where the tool is declared to have no effects', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.integer({ min: 1, max: 60 }), fc.boolean(), async (turns, cut, effects) => {
        const { done, session, events } = await cutAndResume(Fides, turns, cut, effects, approveAll);
        const started = events.flatMap((event) =>
          event.kind === 'dispatched' && session.state.call(event.call)?.tool === 'act' ? [event.call] : [],
        );
        const again = started.length - new Set(started).size;
        const approved = events.filter((event) => event.kind === 'reviewed').length;
        if (effects) assert.ok(again <= approved);
        assert.deepEqual(new Set(done), new Set(acts(turns)));
        assert.ok(session.state.calls.every((call) => call.outcome === 'returned'));
      }),
      { numRuns: runs(200) },
    );
  });

  it('ends as the run that was not cut would have, if no call was under way', async () => {
    await fc.assert(
      fc.asyncProperty(designs, script, fc.integer({ min: 1, max: 60 }), async (design, turns, cut) => {
        const whole = await cutAndResume(design, turns, Number.POSITIVE_INFINITY, true, approveAll);
        const { events, session } = await cutAndResume(design, turns, cut, true, approveAll);
        const twice =
          events.filter((event) => event.kind === 'dispatched').length > whole.session.state.calls.length;
        const asked = session.state.interventions > whole.session.state.interventions;
        // A second answer of the quarantined model is a second variable.
        if (twice || asked || session.state.variables.size !== whole.session.state.variables.size) return;
        assert.deepEqual(session.state.view, whole.session.state.view);
        assert.deepEqual(session.context, whole.session.context);
      }),
      { numRuns: runs(200) },
    );
  });

  it('is not run again once it has answered', async () => {
    const turns: PlannerTurn[] = [{ kind: 'calls', calls: [{ tool: 'act', arguments: { id: '1' } }] }];
    const { done, events, before } = await cutAndResume(Fides, turns, 1000, true, approveAll);
    assert.deepEqual(done, ['1']);
    assert.equal(events.length, before);
  });
});
