/**
 * The registry against what goes wrong with approvals in the field: edited, replayed, stale, forged,
 * parallel.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ApprovalEvent,
  Approvals,
  approveAll,
  askCallback,
  type CallSubject,
  canonical,
  denyAll,
  digest,
  digestOf,
  type Oversight,
  seekApproval,
} from '../../../../planner/agent/oversight/index.js';
import { bottom, type Label } from '../../../../semiring/label/label.js';
import { AssayError } from '../../../../semiring/message/error.js';
import { runs } from '../../../runs.js';

const numRuns = runs(300);
const untrusted: Label = { integrity: 'U', readers: new Set(['a', 'b']) };

const call: CallSubject = {
  kind: 'call',
  session: 's-1',
  call: 'call-7',
  tool: 'send_email',
  label: bottom,
  arguments: [
    { name: 'to', value: ['bob@x'], label: untrusted },
    { name: 'body', value: 'hello', label: bottom },
  ],
  violations: ['trusted-action: to', 'permitted-flow: body'],
};

function registry(options: { lifetime?: number; limit?: number } = {}) {
  const events: ApprovalEvent[] = [];
  const clock = { now: 1000 };
  let tokens = 0;
  const approvals = new Approvals({
    now: () => clock.now,
    random: () => `token-${++tokens}`,
    record: (event) => events.push(event),
    ...options,
  });
  return { approvals, events, clock };
}

const refused = (reason: string) => ({ ok: false, reason });

describe('Approvals', () => {
  it('lets one approved call through, once', () => {
    const { approvals, events } = registry();
    const { token } = approvals.request(call);
    assert.deepEqual(approvals.answer(token, 'approve'), { ok: true });
    assert.deepEqual(approvals.redeem(token, call), { ok: true });
    assert.deepEqual(approvals.redeem(token, call), refused('used'));
    assert.deepEqual(
      events.map(({ event, reason }) => reason ?? event),
      ['requested', 'answered', 'redeemed', 'used'],
    );
  });

  it('never lets an unanswered or denied call through, whoever jumps to it (a rejected call that ran after all)', () => {
    const { approvals } = registry();
    const { token } = approvals.request(call);
    assert.deepEqual(approvals.redeem(token, call), refused('unanswered'));
    approvals.answer(token, 'deny');
    assert.deepEqual(approvals.redeem(token, call), refused('denied'));
    assert.deepEqual(approvals.answer(token, 'approve'), refused('answered'));
    assert.deepEqual(approvals.redeem(token, call), refused('denied'));
  });

  it('binds to tool, arguments, labels, session, call and violations: an edited call burns the approval', () => {
    const edited: CallSubject[] = [
      { ...call, tool: 'send_money' },
      { ...call, session: 's-2' },
      { ...call, call: 'call-8' },
      { ...call, label: untrusted },
      { ...call, violations: ['trusted-action: to'] },
      { ...call, arguments: [call.arguments[0], { ...call.arguments[1], value: 'hello ' }] },
      { ...call, arguments: [call.arguments[0], { ...call.arguments[1], label: untrusted }] },
      { ...call, arguments: [{ ...call.arguments[0], value: 'bob@x' }, call.arguments[1]] },
      { ...call, arguments: [...call.arguments, { name: '__proto__', value: 1, label: bottom }] },
    ];
    for (const other of edited) {
      const { approvals } = registry();
      const { token } = approvals.request(call);
      approvals.answer(token, 'approve');
      assert.deepEqual(approvals.redeem(token, other), refused('different'));
      assert.deepEqual(approvals.redeem(token, call), refused('different'));
    }
  });

  it('does not care for the order of arguments, violations or readers', () => {
    const { approvals } = registry();
    const { token } = approvals.request(call);
    approvals.answer(token, 'approve');
    const reordered: CallSubject = {
      ...call,
      arguments: [
        call.arguments[1],
        { ...call.arguments[0], label: { integrity: 'U', readers: new Set(['b', 'a']) } },
      ],
      violations: [...call.violations].reverse(),
    };
    assert.deepEqual(approvals.redeem(token, reordered), { ok: true });
  });

  it('expires: a stale answer and a stale approval ask afresh', () => {
    const { approvals, clock } = registry({ lifetime: 100 });
    const late = approvals.request(call);
    clock.now += 100;
    assert.deepEqual(approvals.answer(late.token, 'approve'), refused('expired'));
    const stale = approvals.request(call);
    approvals.answer(stale.token, 'approve');
    clock.now += 100;
    assert.deepEqual(approvals.redeem(stale.token, call), refused('expired'));
    clock.now = Number.NaN;
    const broken = approvals.request(call);
    assert.deepEqual(approvals.answer(broken.token, 'approve'), refused('expired'));
  });

  it('caps what is open, and frees it as requests settle or expire', () => {
    const { approvals, clock } = registry({ limit: 3, lifetime: 100 });
    const tickets = [1, 2, 3].map(() => approvals.request(call));
    assert.throws(() => approvals.request(call), { code: 'oversight/too-many-open' });
    approvals.answer(tickets[0].token, 'deny');
    approvals.request(call);
    clock.now += 100;
    for (let i = 0; i < 50; i++) {
      approvals.answer(approvals.request(call).token, 'deny');
      assert.ok(approvals.save().length <= 7);
    }
  });

  it('keeps parallel requests apart: one approved, one denied, one pending', () => {
    const { approvals } = registry();
    const calls = ['call-1', 'call-2', 'call-3'].map((id): CallSubject => ({ ...call, call: id }));
    const tickets = calls.map((each) => approvals.request(each));
    approvals.answer(tickets[1].token, 'deny');
    approvals.answer(tickets[0].token, 'approve');
    assert.deepEqual(approvals.redeem(tickets[2].token, calls[2]), refused('unanswered'));
    assert.deepEqual(approvals.redeem(tickets[1].token, calls[1]), refused('denied'));
    assert.deepEqual(approvals.redeem(tickets[0].token, calls[0]), { ok: true });
    approvals.answer(tickets[2].token, 'approve');
    assert.deepEqual(approvals.redeem(tickets[2].token, calls[2]), { ok: true });
  });

  it('refuses forged tokens and public ids, and records it', () => {
    const { approvals, events } = registry();
    const { id } = approvals.request(call);
    assert.deepEqual(approvals.answer(id, 'approve'), refused('unknown'));
    assert.deepEqual(approvals.redeem(id, call), refused('unknown'));
    assert.deepEqual(
      events.slice(1).map(({ tried, reason }) => [tried, reason]),
      [
        ['answer', 'unknown'],
        ['redeem', 'unknown'],
      ],
    );
    assert.doesNotMatch(JSON.stringify([events, approvals.save()]), /token-1/);
  });

  it('issues tokens that nobody can guess', () => {
    const approvals = new Approvals();
    const tokens = new Set(Array.from({ length: 100 }, () => approvals.request(call).token));
    assert.equal(tokens.size, 100);
    for (const token of tokens) assert.match(token, /^[\w-]{43}$/);
    const stuck = new Approvals({ random: () => 'same' });
    stuck.request(call);
    assert.throws(() => stuck.request(call), { code: 'oversight/token-repeats' });
  });

  it('survives being stored and resumed: approve, serialise, resume, run', () => {
    const { approvals, clock } = registry();
    const [used, approved] = [approvals.request(call), approvals.request(call)];
    for (const { token } of [used, approved]) approvals.answer(token, 'approve');
    approvals.redeem(used.token, call);
    const saved = JSON.parse(JSON.stringify(approvals.save()));
    const resumed = new Approvals({ saved, now: () => clock.now });
    assert.deepEqual(resumed.redeem(used.token, call), refused('used'));
    assert.deepEqual(resumed.redeem(approved.token, call), { ok: true });
    assert.equal(resumed.request(call).id, 'approval-3');
  });

  it('voids what is open when the plan changes', () => {
    const { approvals } = registry();
    const [pending, approved] = [approvals.request(call), approvals.request(call)];
    approvals.answer(approved.token, 'approve');
    approvals.invalidate();
    assert.deepEqual(approvals.answer(pending.token, 'approve'), refused('withdrawn'));
    assert.deepEqual(approvals.redeem(approved.token, call), refused('withdrawn'));
  });

  it('takes no word but approve for an approval', () => {
    for (const word of ['APPROVE', 'yes', true, 1, {}, undefined]) {
      const { approvals } = registry();
      const { token } = approvals.request(call);
      approvals.answer(token, word as 'approve');
      assert.deepEqual(approvals.redeem(token, call), refused('denied'));
    }
  });
});

describe('canonical', () => {
  it('tells apart what JSON does not', () => {
    const values: unknown[] = [
      null,
      undefined,
      Number.NaN,
      0,
      -0,
      1 / 0,
      -1 / 0,
      'null',
      'NaN',
      '0',
      0n,
      1,
      1n,
      '1n',
      [],
      [undefined],
      [null],
      {},
      '',
      '{}',
      new Set(),
      new Set([1]),
      new Map(),
      { a: undefined },
      { a: null },
      JSON.parse('{"__proto__":1}'),
      { a: 1, b: 2 },
      { a: { b: 2 } },
      '\ud800',
      '\ufffd',
      [[1], 2],
      [1, [2]],
      ['1,2'],
      [1, 2],
    ];
    const texts = values.map(canonical);
    assert.equal(new Set(texts).size, values.length, texts.join(' '));
  });

  it('forgets the order of keys and nothing else', () => {
    assert.equal(canonical({ b: 1, a: [{ d: 1, c: 2 }] }), canonical({ a: [{ c: 2, d: 1 }], b: 1 }));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        let same = true;
        try {
          assert.deepStrictEqual(a, b);
        } catch {
          same = false;
        }
        assert.equal(digest(a) === digest(b), same);
      }),
      { numRuns },
    );
  });

  it('refuses what is no data', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const computed = Object.defineProperty({}, 'x', { get: () => 1, enumerable: true });
    for (const value of [() => 1, Symbol('x'), new Date(), cycle, computed, new (class A {})()]) {
      assert.throws(
        () => canonical(value),
        (error) => error instanceof AssayError && error.code === 'oversight/not-data',
      );
    }
  });

  it('separates names from values in a digest', () => {
    const of = (name: string, value: string) =>
      digestOf({ ...call, arguments: [{ name, value, label: bottom }] });
    assert.notEqual(of('a', 'b c'), of('a b', 'c'));
  });
});

describe('seekApproval', () => {
  const decide = async (oversight: Oversight, options = {}, signal?: AbortSignal) => {
    const approvals = new Approvals(options);
    const { ticket, decision } = await seekApproval(approvals, oversight, call, {}, signal);
    assert.equal(approvals.redeem(ticket.token, call).ok, decision === 'approve');
    return decision;
  };

  it('passes on what the oversight says', async () => {
    assert.equal(await decide(approveAll), 'approve');
    assert.equal(await decide(denyAll), 'deny');
    assert.equal(
      await decide(askCallback(({ subject }) => (subject.session === 's-1' ? 'approve' : 'deny'))),
      'approve',
    );
  });

  it('denies on failure, on nonsense, on timeout and on abort', async () => {
    assert.equal(await decide(askCallback(() => Promise.reject(new Error('broken')))), 'deny');
    assert.equal(await decide(askCallback(() => 'Approve' as 'approve')), 'deny');
    const never = askCallback(() => new Promise(() => {}));
    assert.equal(await decide(never, { lifetime: 10 }), 'deny');
    assert.equal(await decide(never, {}, AbortSignal.timeout(10)), 'deny');
    assert.equal(await decide(approveAll, {}, AbortSignal.abort()), 'deny');
  });

  it('shows the oversight no token', async () => {
    await seekApproval(
      new Approvals({ random: () => 'very-secret' }),
      askCallback((request) => {
        assert.doesNotMatch(canonical({ ...request, evidence: {} }), /very-secret/);
        return 'deny';
      }),
      call,
    );
  });
});
