/** The state of a session: what never happens in any run, and endorsement in literal tables. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Violation } from '../../../planner/agent/decision/decide.js';
import { type Design, Fides, Prudentia } from '../../../planner/agent/decision/design.js';
import { culprits, sources } from '../../../planner/agent/explain/culprits.js';
import { mayRead } from '../../../planner/agent/label/principals.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';
import { Session } from '../../../planner/agent/session/session.js';
import { SessionRelations } from '../../../planner/agent/session/session-relations.js';
import { equalLabels, labelAtMost, readersAtMost } from '../../../semiring/label/label.js';
import { runs } from '../../runs.js';
import { policy } from './conversation.js';
import { allOf, carryOut, newSession, randomRun } from './random-run.js';

describe('in every run', () => {
  test('the context only rises; readers of a variable never grow; no name stands for two values', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        let before = {
          context: undefined as Session['context'] | undefined,
          variables: new Map<string, unknown>(),
        };
        // The first event comes out of the constructor.
        let session: Session | undefined;
        session = newSession(run, {
          log: () => {
            if (!session) return;
            const { state } = session;
            if (before.context) assert.ok(labelAtMost(before.context, state.context));
            for (const [name, value] of before.variables)
              assert.equal(state.variables.get(name)?.value, value);
            for (const variable of state.variables.values()) {
              const now = state.labelOf(variable);
              assert.ok(readersAtMost(variable.cell.label.readers, now.readers));
              assert.ok(readersAtMost(now.readers, variable.cell.label.readers));
            }
            before = {
              context: state.context,
              variables: new Map([...state.variables].map(([name, { value }]) => [name, value])),
            };
          },
        });
        await carryOut(run, session);
      }),
      { numRuns: runs(200) },
    );
  });

  test('every cell that is shown has joined the context; every other has one name, and is hidden', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const session = newSession(run);
        await carryOut(run, session);
        const { state } = session;
        const held = new Map([...state.variables.values()].map((variable) => [variable.cell, variable]));
        assert.equal(held.size, state.variables.size);
        for (const cell of state.cells) {
          const variable = held.get(cell);
          if (cell.shown === undefined) assert.ok(variable && state.hidden.has(variable.name));
          else assert.ok(labelAtMost(variable ? state.labelOf(variable) : cell.label, state.context));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test('the same events give the same state', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const events: Parameters<Session['replay']>[0][] = [];
        const session = newSession(run, { log: (event) => events.push(event) });
        await carryOut(run, session);
        const again = new Session({ policy: session.policy, design: session.design, resumes: true });
        for (const event of events) again.replay(event);
        assert.deepEqual(allOf(again.state), allOf(session.state));
      }),
      { numRuns: runs(200) },
    );
  });

  test('culprits are the untrusted cells that were seen before, of calls that were made in trust', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, async (run) => {
        const session = newSession(run);
        await carryOut(run, session);
        const { state } = session;
        const relations = new SessionRelations(state);
        for (const record of state.calls) {
          const violations: readonly Violation[] =
            record.decision.verdict === 'violation' ? record.decision.violations : [];
          for (const violation of violations) {
            const guilty = (label: Session['context']) => {
              if (violation.kind !== 'unreadable') return label.integrity === 'U';
              const { recipients } = violation;
              const asked = recipients === 'everyone' ? recipients : new Set(recipients);
              return !mayRead(asked, label.readers, 'user');
            };
            const labelled = ['untrusted', 'link', 'unreadable'].includes(violation.kind);
            // A quarantined answer belongs to no call; what a human has certified is no reason.
            const expected = state.cells.filter((cell) => {
              const call = state.call(cell.call);
              const seen = cell.shown !== undefined && cell.shown < record.turn;
              const certified = violation.kind !== 'unreadable' && state.isCertified(cell);
              const brought = guilty(cell.label) && (call === undefined || !guilty(call.label));
              return labelled && seen && brought && !certified;
            });
            const found = culprits(state, relations, record.turn, violation, 'user');
            assert.deepEqual(new Set(found.flatMap((each) => each.cells)), new Set(expected));
            const named = sources(state, relations, record.turn, violation, 'user');
            const ofCalls = found.filter((each) => each.call !== 0).map((each) => each.source);
            assert.deepEqual(new Set(named.filter((name) => name.includes(' #'))), new Set(ofCalls));
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

/** A session that has read one mail of bob's, hidden as far as the design hides. */
function withMail(design: Design): Session {
  const session = new Session({ policy: loadPolicy(policy), design });
  session.prompt('x');
  session.beginTurn();
  const call = session.decide({ tool: 'inbox', arguments: {} });
  session.returned(call, [{ id: 1, sender: 'bob', subject: 's', body: 'b' }]);
  return session;
}

describe('endorsement', () => {
  const subject = '#tool-result-1-0.subject#';
  const body = '#tool-result-1-0.body#';
  const integrity = (session: Session, name: string) =>
    session.state.labelOf(session.variable(name)).integrity;

  test('an answer is trusted once all that it was read from is certified, or it is itself', () => {
    const session = withMail(Prudentia);
    const both = session.extract('q', [subject, body], 'answer');
    const one = session.extract('q', [subject], 'answer');
    assert.deepEqual(session.state.witnessesOf(session.variable(both)), [[both], [subject, body]]);
    session.endorse([subject]);
    assert.deepEqual([integrity(session, one), integrity(session, both)], ['T', 'U']);
    session.endorse([body]);
    assert.equal(integrity(session, both), 'T');
    assert.deepEqual(session.state.witnessesOf(session.variable(both)), [[]]);
    assert.deepEqual(session.state.labelOf(session.variable(both)).readers, new Set(['ann', 'bob']));
  });

  test('certifying an answer does not certify what it was read from', () => {
    const session = withMail(Prudentia);
    const answer = session.extract('q', [body], 'answer');
    session.endorse([answer]);
    assert.deepEqual([integrity(session, answer), integrity(session, body)], ['T', 'U']);
  });

  test('what was asked in an untrusted context stays untrusted', () => {
    const session = withMail(Prudentia);
    session.expand([subject]);
    const answer = session.extract('q', [body], 'answer');
    session.endorse([body]);
    assert.equal(integrity(session, answer), 'U');
    assert.deepEqual(session.state.witnessesOf(session.variable(answer)), [[answer]]);
  });

  test('a design without endorsement refuses it', () => {
    assert.throws(() => withMail(Fides).endorse([body]), { code: 'session/no-endorsement' });
  });
});

describe('a fifth design', () => {
  test('hides what fewer may read, too', () => {
    const session = withMail({ ...Fides, name: 'discreet', hides: 'label' });
    assert.deepEqual(
      [...session.state.hidden].map((name) => name.replace('#tool-result-1-0.', '')),
      ['id#', 'sender#', 'subject#', 'body#'],
    );
    assert.ok(equalLabels(session.context, { integrity: 'T', readers: 'everyone' }));
  });

  test('shows no key of what it hides', () => {
    const text = 'user: ann\ntools:\n  ages(): trusted for user\n';
    const design = { ...Fides, hides: 'label' as const };
    const session = new Session({ policy: loadPolicy(text), design });
    session.beginTurn();
    const call = session.decide({ tool: 'ages', arguments: {} });
    session.returned(call, { secret: 40 });
    assert.equal(session.visible(call.call), '#tool-result-1#');
  });
});
