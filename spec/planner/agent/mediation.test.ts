/**
 * Every call of a tool is decided before it runs. Properties, over random runs under every design:
 * 1. a tool runs only behind a decision that allows its call, or a human's approval of that call, once for
 *    each;
 * 2. a call whose policy demands trust is allowed only where the context and the arguments that must be
 *    trusted are;
 * 3. the context never falls: no turn's label is below that of an earlier turn;
 * 4. an endorsement makes a variable trusted and leaves its readers as they were.
 * And what a quarantined model's endpoint says when it fails never reaches the planner.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { designs, Fides } from '../../../planner/agent/decision/design.js';
import { createGuard } from '../../../planner/agent/guard.js';
import type { SessionEvent } from '../../../planner/agent/session/event.js';
import { Session } from '../../../planner/agent/session/session.js';
import { equalLabels, labelAtMost } from '../../../semiring/label/label.js';
import type { Model } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { needsMore } from '../../../udf/model/quarantine.js';
import { runs } from '../../runs.js';
import { carryOut, policyOf, type RandomRun, randomRun } from './random-run.js';

async function carriedOut(run: RandomRun) {
  const events: SessionEvent[] = [];
  const session = new Session({
    policy: policyOf(run),
    design: designs[run.design],
    log: (event) => events.push(event),
  });
  await carryOut(run, session);
  return { events, session };
}

async function eventsOf(run: RandomRun): Promise<readonly SessionEvent[]> {
  return (await carriedOut(run)).events;
}

describe('a session', () => {
  it('runs a tool only behind a decision that allows the call, or an approval of it', async () => {
    const seen = { allowed: 0, approved: 0, stopped: 0 };
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const may = new Set<number>();
        for (const event of await eventsOf(run)) {
          if (event.kind === 'decided' && event.decision.verdict === 'allow') may.add(event.call);
          if (event.kind === 'decided' && event.decision.verdict === 'violation') seen.stopped += 1;
          if (event.kind === 'reviewed' && event.verdict === 'approve') {
            may.add(event.call);
            seen.approved += 1;
          }
          if (event.kind !== 'dispatched') continue;
          assert.ok(may.delete(event.call), `call ${event.call} ran without leave, or twice`);
          seen.allowed += 1;
        }
      }),
      { numRuns: runs(300) },
    );
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 20, `only ${count} ${what}`);
  });

  it('allows what must be trusted in a trusted context and with trusted arguments alone', async () => {
    let trusted = 0;
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const { tools } = policyOf(run);
        for (const event of await eventsOf(run)) {
          if (event.kind !== 'decided' || event.decision.verdict !== 'allow') continue;
          const policy = tools.get(event.tool);
          assert.ok(policy);
          const demands = policy.rule === 'trusted-action' || policy.rule === 'both';
          if (!demands || !designs[run.design].labels) continue;
          trusted += 1;
          assert.equal(event.label.integrity, 'T');
          for (const { name, label } of event.arguments) {
            if (policy.trustedArguments.includes(name)) assert.equal(label.integrity, 'T');
          }
        }
      }),
      { numRuns: runs(300) },
    );
    assert.ok(trusted > 20, `only ${trusted} such calls`);
  });

  it('never forgets what its planner has seen', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const labels = (await eventsOf(run)).flatMap((event) =>
          event.kind === 'decided' ? [event.label] : [],
        );
        for (const [i, label] of labels.entries()) if (i > 0) assert.ok(labelAtMost(labels[i - 1], label));
      }),
      { numRuns: runs(200) },
    );
  });

  it('takes an endorsed variable as trusted, for the readers that it had', async () => {
    let endorsed = 0;
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const { session } = await carriedOut({ ...run, approve: true });
        for (const name of session.state.endorsed) {
          const variable = session.variable(name);
          const { readers } = variable.cell.label;
          assert.ok(equalLabels(session.state.labelOf(variable), { integrity: 'T', readers }));
          endorsed += 1;
        }
      }),
      { numRuns: runs(600) },
    );
    assert.ok(endorsed > 0, `only ${endorsed} endorsements`);
  });
});

describe('a quarantined model whose endpoint fails', () => {
  for (const code of ['model/rejected', 'model/server', 'model/malformed', 'model/timeout'] as const) {
    it(`says no more than one that needs more: ${code}`, async () => {
      const secret = 'the hidden text';
      const model: Model = {
        name: 'refusing',
        complete: async () => {
          throw new ModelError(code, `The endpoint answered 400 Not allowed: "${secret}"`);
        },
      };
      const policy = 'user: ann\ntools:\n  read(): untrusted for everyone\n';
      const conversation = createGuard({ policy, design: Fides, model }).start('Read it');
      const tools = conversation.tools([
        { name: 'read', description: '', parameters: { type: 'object' }, execute: async () => secret },
      ]);
      const call = (name: string, args: object) =>
        tools.find((tool) => tool.name === name)?.execute({ ...args }, {}) ?? assert.fail(`no tool ${name}`);
      assert.equal(await call('read', {}), '#tool-result-1#');
      const question = { question: 'What is in it?', variables: ['#tool-result-1#'], type: 'text' };
      assert.equal(await call('ifc_quarantined_llm', question), needsMore);
    });
  }
});
