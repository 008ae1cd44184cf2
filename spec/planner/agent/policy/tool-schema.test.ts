import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showDiagnostic } from '../../../../planner/agent/policy/diagnostic.js';
import { checkPolicy } from '../../../../planner/agent/policy/load.js';
import { readToolSchemas } from '../../../../planner/agent/policy/tool-schema.js';

const text = { type: 'string' };
const mail = {
  type: 'object',
  properties: { id: text, author: { type: 'object', properties: { name: text } } },
};
const tools = [
  { name: 'send', parameters: { type: 'object', properties: { to: text, body: text } } },
  {
    name: 'inbox',
    parameters: { type: 'object' },
    returns: { type: 'array', items: { $ref: '#/$defs/Mail' }, $defs: { Mail: mail } },
  },
];
const found = (policy: string) => checkPolicy(policy, { tools }).map((one) => showDiagnostic('p', one));

describe('a policy held against the tools', () => {
  it('is fine where both say the same', () => {
    const policy = `user: a
tools:
  send(to, body): {rule: permitted flow, sends: body, to: to, returns: joined}
  inbox(): {returns: {trusted: id, untrusted: author.name}}`;
    assert.deepEqual(found(policy), []);
  });

  it('names a tool, an argument and a field that the server does not have', () => {
    const policy = `user: a
tools:
  sned: trusted
  send(to, bdy): joined
  inbox: {returns: {trusted: [id, author.nam]}}`;
    assert.deepEqual(found(policy), [
      'p:3:3: error: the server has no tool "sned"; did you mean "send"?',
      'p:4:3: warning: tool "send" also takes "body"; declare them',
      'p:4:12: error: tool "send" has no argument "bdy"; did you mean "body"?',
      'p:5:35: error: the result of tool "inbox" has no field "author.nam"; did you mean "author.name"?',
    ]);
  });

  it('warns of tools and fields that the policy does not name, which fail closed', () => {
    assert.deepEqual(found('user: a\ntools:\n  inbox(): {returns: {trusted: id}}'), [
      'p:1:1: warning: the policy does not name "send"; they fail closed: every call needs a trusted context',
      'p:3:22: warning: the result of tool "inbox" also has "author"; without a label: untrusted, for the user alone',
    ]);
  });

  it('survives types that are made of themselves', () => {
    const policy =
      'user: a\ntypes: {A: {like: B, trusted: x}, B: {like: A, trusted: y}}\ntools: {inbox: A, send: A}';
    assert.ok(found(policy).some((line) => line.endsWith('error: type "A" is made of itself')));
  });

  it('knows the arguments of a tool that declares none in the policy', () => {
    const policy =
      'user: a\ntools:\n  send: {rule: trusted action, trusted arguments: too}\n  inbox: trusted';
    assert.deepEqual(found(policy), ['p:3:51: error: tool "send" has no argument "too"; did you mean "to"?']);
  });
});

describe('reading the tools', () => {
  it('takes a list, a list under tools, and the answer of an MCP server', () => {
    const [send] = tools;
    const mcp = { tools: [{ name: 'send', inputSchema: send.parameters, annotations: {} }] };
    for (const form of [[send], { tools: [send] }, mcp]) {
      assert.deepEqual(readToolSchemas(JSON.stringify(form), 't'), [send]);
    }
  });

  it('names the file and the field where they are not as they should be', () => {
    assert.throws(() => readToolSchemas('[', 't.json'), /^PolicyError|t\.json: not JSON/);
    assert.throws(
      () => readToolSchemas('[{"nam": "x"}]', 't.json'),
      /t\.json: .*expected \[\{ name, parameters \}\]/,
    );
  });

  it('survives references that lead round in a circle or nowhere', () => {
    for (const $ref of ['#', '#/a', '#/$defs/a', 'http://x/', '#/__proto__']) {
      const returns = { $ref, $defs: { a: { $ref: '#/$defs/a' } } };
      const schema = [{ name: 'f', parameters: { $ref: '#' }, returns }];
      assert.deepEqual(checkPolicy('user: a\ntools: {f: {returns: {trusted: id}}}', { tools: schema }), []);
    }
  });
});
