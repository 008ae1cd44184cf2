/** Leaves and their labels, as literal tables: what is a leaf of a result, and what label it has. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BasicIFC } from '../../../planner/agent/decision/design.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';
import { Session } from '../../../planner/agent/session/session.js';
import { showLabel } from '../../../semiring/label/label.js';

const policy = loadPolicy(`user: ann
aliases: [me]
directories: [members]
groups:
  board: [bob, me]
types:
  Person:
    readers: everyone
    trusted: id
    untrusted: name
  Mail:
    readers: sender + keys(shared)
    trusted: [sender, shared]
    untrusted: body
    fields:
      author: Person
tools:
  mail(): Mail or trusted
  strict(): Mail
  words(): untrusted for everyone
  facts(keys): trusted for board
  echo(x): as x
  join(x): joined
  team(channel): trusted for members(channel)
`);

/** Each leaf as `row.field integrity {readers}`. */
function leaves(tool: string, result: unknown, args = {}): string[] {
  const principals = (_: string, key: string | undefined) => (key === 'a' ? ['cy'] : undefined);
  const session = new Session({ policy, design: BasicIFC, directory: { principals } });
  session.beginTurn();
  session.returned(session.decide({ tool, arguments: args }), result);
  return session.state.cells.map(
    ({ row, field, label }) => `${row < 0 ? '' : row}${field === '' ? '' : `.${field}`} ${showLabel(label)}`,
  );
}

const table: readonly (readonly [string, string, unknown, readonly string[], object?])[] = [
  ['a text', 'words', 'x', [' U everyone']],
  ['null', 'words', null, [' U everyone']],
  ['an empty list', 'words', [], []],
  ['an empty object', 'words', {}, []],
  ['a list of texts', 'words', ['x', 'y'], ['0 U everyone', '1 U everyone']],
  ['a list of lists', 'words', [['x', 'y'], []], ['0 U everyone', '1 U everyone']],
  ['an object whose keys nobody wrote', 'words', { k: 1 }, [' U everyone']],
  ['an object of a trusted tool', 'facts', { k: 1, l: [2] }, ['.k T {ann, bob}', '.l T {ann, bob}']],
  ['a key __proto__', 'facts', JSON.parse('{"__proto__": 1}'), ['.__proto__ T {ann, bob}']],
  ['a record', 'mail', { sender: 'bob', body: 'b' }, ['.sender T {ann, bob}', '.body U {ann, bob}']],
  [
    'records of different readers',
    'mail',
    [{ sender: 'bob' }, { sender: 'cy', shared: { dee: 'r', me: 'w' } }],
    ['0.sender T {ann, bob}', '1.sender T {ann, cy, dee}', '1.shared T {ann, cy, dee}'],
  ],
  ['readers who cannot be told: the user alone', 'mail', { sender: 7 }, ['.sender T {ann}']],
  [
    'a nested record, deeper than it is declared',
    'mail',
    { sender: 'bob', author: { id: 1, name: { first: 'x' } } },
    ['.sender T {ann, bob}', '.author.id T {ann, bob}', '.author.name U {ann, bob}'],
  ],
  [
    'a list of nested records',
    'mail',
    { author: [{ id: 1 }, 'odd'] },
    ['.author[0].id T {ann}', '.author[1] U {ann}'],
  ],
  ['an unknown field', 'mail', { sender: 'bob', extra: 1 }, ['.sender T {ann, bob}', '.unknown U {ann}']],
  ['an unknown nested field', 'mail', { author: { extra: 1 } }, ['.author.unknown U {ann}']],
  ['a code in place of a record, as declared', 'mail', '-1', [' T {ann}']],
  ['a code in place of a record, not declared', 'strict', '-1', [' U {ann}']],
  ['same as a literal argument', 'echo', 'x', [' T everyone'], { x: 'x' }],
  ['same as an argument that was left out', 'echo', 'x', [' T everyone']],
  ['joined with all arguments', 'join', 'x', [' T everyone'], { x: 'x' }],
  ['members of a channel', 'team', 'x', [' T {ann, cy}'], { channel: 'a' }],
  ['members of an unknown channel', 'team', 'x', [' T {ann}'], { channel: 'b' }],
  ['members of no channel', 'team', 'x', [' T {ann}']],
];

describe('labels of a result', () => {
  for (const [name, tool, result, expected, args] of table) {
    test(name, () => assert.deepEqual(leaves(tool, result, args), expected));
  }
});

test('a tool that the policy does not name: untrusted, for the user alone', () => {
  assert.deepEqual(leaves('novel', [{ a: 1 }]), ['0 U {ann}']);
});
