/** The decision, as literal tables: every rule against integrity, readers, links and recipients. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Decider, type Decision } from '../../../planner/agent/decision/decide.js';
import { Basic, BasicIFC } from '../../../planner/agent/decision/design.js';
import { emptyDirectory, PrincipalResolver } from '../../../planner/agent/label/principals.js';
import type { PolicyRule, PrincipalTerm, ToolPolicy } from '../../../planner/agent/policy/policy.js';
import { undeclared } from '../../../planner/agent/policy/policy.js';
import type { Integrity, Label, Readers } from '../../../semiring/label/label.js';

const resolver = new PrincipalResolver(
  {
    source: 'test',
    principals: { user: 'ann', aliases: ['me'], groups: new Map(), directories: new Set() },
    tools: new Map(),
  },
  emptyDirectory,
);

const bob: readonly PrincipalTerm[] = [{ kind: 'principal', name: 'bob' }];
const nobody: readonly PrincipalTerm[] = [];
const user: readonly PrincipalTerm[] = [{ kind: 'principal', name: 'me' }];
const everyone: readonly PrincipalTerm[] = [{ kind: 'everyone' }];
const unresolved: readonly PrincipalTerm[] = [{ kind: 'lookup', directory: 'members' }];

function policy(
  rule: PolicyRule,
  recipients: readonly PrincipalTerm[],
  more: Partial<ToolPolicy> = {},
): ToolPolicy {
  return { ...undeclared('f'), rule, recipients, data: [{ argument: 'body' }], ...more };
}

interface Case {
  readonly context?: Integrity;
  /** Of the argument `body`. */
  readonly body?: Label;
  readonly text?: unknown;
}

const open: Label = { integrity: 'T', readers: 'everyone' };
const hostile: Label = { integrity: 'U', readers: 'everyone' };
const to = (...names: string[]): Readers => new Set(names);

function decide(
  tool: ToolPolicy,
  { context = 'T', body = open, text = 'hi' }: Case,
  design = BasicIFC,
): Decision {
  return new Decider(design, resolver, 'ann').decide({
    policy: tool,
    label: { integrity: context, readers: 'everyone' },
    arguments: [
      { name: 'to', value: 'x', label: { integrity: context, readers: 'everyone' } },
      { name: 'body', value: text, label: body },
    ],
  });
}

/** The grounds, or the violations with their arguments, as one word. */
function verdict(decision: Decision): string {
  if (decision.verdict === 'allow') return decision.grounds;
  return decision.violations
    .map((each) => ('argument' in each && each.argument ? `${each.kind} ${each.argument}` : each.kind))
    .join(', ');
}

/** Names of the columns: context T or U, and whether bob may read the body. */
const cases: readonly (readonly [string, Case])[] = [
  ['T, readable', { body: open }],
  ['T, unreadable', { body: { integrity: 'T', readers: to('ann') } }],
  ['U, readable', { context: 'U', body: hostile }],
  ['U, unreadable', { context: 'U', body: { integrity: 'U', readers: to('ann') } }],
];

const table: Readonly<Record<PolicyRule, readonly string[]>> = {
  none: ['no policy', 'no policy', 'no policy', 'no policy'],
  'trusted-action': ['trusted action', 'trusted action', 'untrusted', 'untrusted'],
  'permitted-flow': ['permitted flow', 'unreadable body', 'permitted flow', 'unreadable body'],
  either: ['trusted action', 'trusted action', 'permitted flow', 'untrusted, unreadable body'],
  both: ['trusted action', 'unreadable body', 'untrusted', 'untrusted, unreadable body'],
};

describe('rules', () => {
  for (const [rule, expected] of Object.entries(table)) {
    for (const [at, [name, given]] of cases.entries()) {
      test(`${rule}, ${name}: ${expected[at]}`, () => {
        assert.equal(verdict(decide(policy(rule as PolicyRule, bob), given)), expected[at]);
      });
    }
  }
});

describe('recipients of a permitted flow', () => {
  const secret: Label = { integrity: 'T', readers: to('ann') };
  for (const [name, recipients, body, expected] of [
    ['nobody receives anything', nobody, secret, 'permitted flow'],
    ['the user alone, by any name', user, secret, 'permitted flow'],
    ['the user, of data for nobody', user, { integrity: 'T', readers: to() }, 'permitted flow'],
    ['everyone, of public data', everyone, open, 'permitted flow'],
    [
      'everyone, of data for many',
      everyone,
      { integrity: 'T', readers: to('ann', 'bob') },
      'unreadable body',
    ],
    ['one who may read', bob, { integrity: 'T', readers: to('bob') }, 'permitted flow'],
    ['one who may not', bob, secret, 'unreadable body'],
    [
      'one of two may not',
      [...bob, { kind: 'principal', name: 'cy' }],
      { integrity: 'T', readers: to('bob') },
      'unreadable body',
    ],
    ['nobody knows who', unresolved, open, 'unresolved'],
    ['nobody knows who, beside one who may read', [...bob, ...unresolved], open, 'unresolved'],
  ] as const satisfies readonly (readonly [string, readonly PrincipalTerm[], Label, string])[]) {
    test(`${name}: ${expected}`, () => {
      assert.equal(verdict(decide(policy('permitted-flow', recipients), { body })), expected);
    });
  }

  test('a violation names those who may not read, and not the user', () => {
    const both: readonly PrincipalTerm[] = [...user, ...bob, { kind: 'principal', name: 'cy' }];
    const decision = decide(policy('permitted-flow', both), { body: { integrity: 'T', readers: to('cy') } });
    assert.ok(decision.verdict === 'violation' && decision.violations[0].kind === 'unreadable');
    assert.deepEqual(decision.violations[0].recipients, ['bob']);
  });
});

describe('links', () => {
  const text = 'see https://evil.example/?q=1';
  for (const [name, recipients, body, links, expected] of [
    ['untrusted', bob, hostile, 'refuse', 'link body'],
    ['trusted', bob, open, 'refuse', 'permitted flow'],
    ['allowed by the policy', bob, hostile, 'allow', 'permitted flow'],
    ['to nobody', nobody, hostile, 'refuse', 'permitted flow'],
  ] as const) {
    test(`${name}: ${expected}`, () => {
      const tool = policy('permitted-flow', recipients, { links });
      assert.equal(verdict(decide(tool, { body, text })), expected);
      assert.equal(verdict(decide(tool, { body, text: { deep: [{ [text]: 1 }] } })), expected);
    });
  }

  test('an argument of 300,000 items is looked through', () => {
    const tool = policy('permitted-flow', bob);
    const items = Array.from({ length: 300_000 }, (_, i) => `${i}`);
    assert.equal(verdict(decide(tool, { body: hostile, text: items })), 'permitted flow');
    assert.equal(verdict(decide(tool, { body: hostile, text: [...items, text] })), 'link body');
  });
});

describe('arguments that must be trusted', () => {
  const tool = policy('trusted-action', bob, { trustedArguments: ['body'] });
  test('a trusted one complies', () => assert.equal(verdict(decide(tool, {})), 'trusted action'));
  test('an untrusted one does not', () =>
    assert.equal(verdict(decide(tool, { body: hostile })), 'untrusted body'));
  test('the context is named too', () =>
    assert.equal(verdict(decide(tool, { context: 'U', body: hostile })), 'untrusted, untrusted body'));
  test('one that is absent demands nothing', () => {
    const absent = policy('trusted-action', bob, { trustedArguments: ['cc'] });
    assert.equal(verdict(decide(absent, { body: hostile })), 'trusted action');
  });
});

test('what leaves may be a stored object: its label counts, not that of its name', () => {
  const decision = new Decider(BasicIFC, resolver, 'ann').decide({
    policy: policy('permitted-flow', bob),
    label: open,
    arguments: [{ name: 'body', value: 'f1', label: open, stored: { integrity: 'U', readers: to('ann') } }],
  });
  assert.equal(verdict(decision), 'unreadable body');
});

test('without labels a human sees every consequential call, and no other', () => {
  for (const rule of ['none', 'trusted-action', 'permitted-flow', 'either', 'both'] as const) {
    assert.equal(verdict(decide(policy(rule, bob), {}, Basic)), 'consequential');
    assert.equal(
      verdict(decide(policy(rule, bob, { consequential: false }), {}, Basic)),
      'not consequential',
    );
  }
});
