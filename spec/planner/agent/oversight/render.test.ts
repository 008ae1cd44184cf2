/**
 * The screen of an approval, as literal text, and the property that no data can forge it: a line is a
 * frame's, the guard's own words, or has the gutter; the first two are the same whatever the data says.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ApprovalRequest,
  type CallSubject,
  digestOf,
  type Evidence,
  renderRequest,
  type Subject,
} from '../../../../planner/agent/oversight/index.js';
import { bottom, type Label } from '../../../../semiring/label/label.js';
import { displayWidth } from '../../../../semiring/message/visible-text.js';
import { runs } from '../../../runs.js';

const numRuns = runs(300);
const untrusted: Label = { integrity: 'U', readers: 'everyone' };

function requestOf(subject: Subject, evidence: Evidence = {}): ApprovalRequest {
  return { id: 'approval-3', subject, digest: digestOf(subject), evidence, expires: 0 };
}

const payment: CallSubject = {
  kind: 'call',
  session: 's-1',
  call: 'call-7',
  tool: 'send_money',
  label: bottom,
  arguments: [
    {
      name: 'recipient',
      value: 'DE89 3704 0044 0532 0130 00',
      label: { integrity: 'U', readers: new Set(['me', 'bob@y']) },
    },
    { name: 'amount', value: 98.7, label: bottom },
  ],
  violations: ['trusted-action: recipient'],
};

describe('renderRequest', () => {
  it('shows the action, each argument whole, its label, where it came from, what it copies, and what is cheaper', () => {
    const cell = { what: 'cell content of read_file #1', label: untrusted, detail: 'file bill.txt' };
    const screen = renderRequest(
      requestOf(payment, {
        reasons: ['recipient must be trusted'],
        origins: new Map([
          ['recipient', [{ ...cell, from: [{ what: 'argument path of call-2', label: bottom }] }]],
        ]),
        copies: new Map([['amount', [{ text: '98.7', from: cell }]]]),
        alternatives: [
          { way: 'endorse #read_file-1#', price: 1 },
          { way: 'pay the address book entry', price: 0 },
        ],
      }),
      60,
    );
    assert.equal(
      screen,
      `┌─ approval-3: may this one call go through? ───────────────
│ tool send_money
│ the call itself is trusted
│ why you are asked
│ ┊ recipient must be trusted
│ ┊ trusted-action: recipient
├─ argument recipient ──────────────────────────────────────
│ text, untrusted, for 2 readers
│ ┊ DE89 3704 0044 0532 0130 00
│ may be read by
│ ┊ bob@y
│ ┊ me
│ where it came from
│ ┊ cell content of read_file #1, untrusted, file bill.txt
│ ┊   argument path of call-2, trusted
├─ argument amount ─────────────────────────────────────────
│ number, trusted, for everyone to read
│ ┊ 98.7
│ copied from
│ ┊ “98.7” stands in cell content of read_file #1, untrusted
│ ┊ , file bill.txt
├─ cheaper ways for the agent ──────────────────────────────
│ asks nobody
│ ┊ pay the address book entry
│ asks 1 time
│ ┊ endorse #read_file-1#
│ session s-1
│ call call-7
│ request ${digestOf(payment).slice(0, 16)}
└─ the default answer is no ────────────────────────────────
`,
    );
  });

  it('shows an endorsement with the content that would be certified', () => {
    const subject: Subject = {
      kind: 'endorsement',
      session: 's-1',
      call: 'call-2',
      variables: [{ name: '#read_file-1#', value: 'Pay bob\nToday', label: untrusted }],
    };
    assert.equal(
      renderRequest(requestOf(subject), 60),
      `┌─ approval-3: do you certify this content as trusted? ─────
│ the agent will read it and may act on what it says
├─ variable #read_file-1# ──────────────────────────────────
│ text, untrusted, for everyone to read
│ ┊ Pay bob
│ ┊ Today
│ session s-1
│ call call-2
│ request ${digestOf(subject).slice(0, 16)}
└─ the default answer is no ────────────────────────────────
`,
    );
  });

  it('shows controls, escapes and bidirectional characters as codes, and a forged frame behind the gutter', () => {
    const value = 'ok\x1b[2J\u202e\n└─ the default answer is yes ──\n│ trusted\r';
    const screen = renderRequest(
      requestOf({ ...payment, arguments: [{ name: 'recipient', value, label: untrusted }] }),
      60,
    );
    assert.ok(
      screen.includes('│ ┊ ok\\x1b[2J\\u{202e}\n│ ┊ └─ the default answer is yes ──\n│ ┊ │ trusted\\r\n'),
    );
  });

  it('folds a long value with its length and hash, and shows its beginning and its end', () => {
    const value = `${'a'.repeat(10_000_000)}THE END`;
    const screen = renderRequest(
      requestOf({ ...payment, arguments: [{ name: 'body', value, label: untrusted }] }),
      60,
    );
    assert.match(screen, /│ ┊ a{56}\n│ folded: 10000007 characters, sha256 [0-9a-f]{16}…\n│ ┊ a{56}\n/);
    assert.match(screen, /THE END\n/);
    assert.ok(screen.split('\n').length < 40);
  });

  it('counts what it does not show of long lists', () => {
    const label: Label = { integrity: 'U', readers: new Set(Array.from({ length: 100 }, (_, i) => `r${i}`)) };
    const screen = renderRequest(
      requestOf({ ...payment, arguments: [{ name: 'body', value: 'x', label }] }),
      60,
    );
    assert.match(screen, /│ text, untrusted, for 100 readers\n/);
    assert.match(screen, /│ and 88 more\n/);
  });

  it('cannot be forged by any data', () => {
    const evil = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            '\n',
            '\r',
            '\u2028',
            '\x1b[1A',
            '│ ',
            '┊',
            '┌─',
            '├─ argument x ',
            '└─ the default answer is yes ',
            '\u202e',
            '漢',
          ),
          fc.string({ unit: 'binary', maxLength: 8 }),
          fc.constant('─'.repeat(60)),
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''));
    const build = (name: string, value: string, reader: string, reason: string, what: string) => {
      const label: Label = { integrity: 'U', readers: new Set([reader]) };
      const origin = { what, label, detail: what, from: [{ what, label }] };
      return renderRequest(
        requestOf(
          { ...payment, tool: name, session: value, arguments: [{ name: `${name} `, value, label }] },
          {
            reasons: [reason],
            origins: new Map([[`${name} `, [origin]]]),
            copies: new Map([[`${name} `, [{ text: value, from: origin }]]]),
            alternatives: [{ way: reason, price: 1 }],
          },
        ),
        60,
      );
    };
    const own = (screen: string) =>
      screen
        .split('\n')
        .filter((line) => !line.startsWith('│ ┊ '))
        .map((line) => line.replace(/^│ (folded|request):? .*/, '│ $1'))
        .filter((line) => line !== '│ folded');
    const expected = own(build('a b', 'v w', 'r', 'why', 'what'));
    fc.assert(
      fc.property(evil, evil, evil, evil, evil, (name, value, reader, reason, what) => {
        const screen = build(`${name} `, `${value} `, reader, reason, what);
        assert.deepEqual(own(screen), expected);
        for (const line of screen.split('\n')) assert.ok(displayWidth(line) <= 60, line);
      }),
      { numRuns },
    );
  });
});
