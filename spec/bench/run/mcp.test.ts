/** Tools of an MCP server: what a server may say, what it may not, and how it may go wrong. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { restriction, toolsFromMcp, words } from '../../../bench/run/mcp-tools.js';
import type { ToolBox } from '../../../bench/run/tools-module.js';
import { Fides } from '../../../planner/agent/decision/design.js';
import { startCall } from '../../../planner/agent/loop/carry-out.js';
import { Approvals } from '../../../planner/agent/oversight/approvals.js';
import { denyAll } from '../../../planner/agent/oversight/oversight.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';
import { Session } from '../../../planner/agent/session/session.js';
import { showLabel } from '../../../semiring/label/label.js';
import { program } from '../../program.js';

const command = (fault = '') => [process.execPath, ...program('spec/bench/run/mcp-stand-in.ts'), fault];

const policy = loadPolicy(`
user: me
tools:
  plain(): trusted for everyone
  json(): trusted for everyone
  structured(): trusted for everyone
  untrusted(): trusted for everyone
  relaxing(): untrusted for user
  garbled(): trusted for everyone
  fails(): trusted for everyone
`);

describe('tools of an MCP server', () => {
  let box: ToolBox;
  before(async () => {
    box = await toolsFromMcp(command(), 'me', {
      timeout: 5000,
      environment: { ...process.env, ASSAY_TEST: 'yes' },
    });
  });
  after(() => box.close?.());

  const execute = (name: string, signal?: AbortSignal) =>
    box.tools.find((tool) => tool.name === name)?.execute({}, signal ? { signal } : {});

  /** The cells that a call of this tool leaves in a session, with their labels. */
  async function called(name: string) {
    const session = new Session({ policy, design: Fides });
    session.prompt('go');
    session.beginTurn();
    const tools = new Map(box.tools.map((tool) => [tool.name, tool]));
    const options = { session, tools, oversight: denyAll, approvals: new Approvals() };
    const pending = await startCall(options, { tool: name, arguments: {} });
    const shown = typeof pending === 'string' ? pending : await pending();
    return { shown, labels: session.state.cells.map((cell) => showLabel(cell.label)) };
  }

  it('are all listed, over pages, each with its schema, and none is believed to be without effects', () => {
    assert.equal(box.tools.length, 11);
    for (const tool of box.tools) {
      assert.equal(tool.parameters.type, 'object');
      assert.notEqual(tool.effects, false);
    }
  });

  it('answer text, JSON in text, and structured content', async () => {
    assert.equal(await execute('plain'), 'hello');
    assert.deepEqual(await execute('json'), { a: [1, '__proto__'] });
    assert.deepEqual(await execute('structured'), { b: 2 });
    await assert.rejects(async () => execute('odd'), /as the protocol says/);
  });

  it('may restrict what the policy says, and never relax it', async () => {
    assert.deepEqual((await called('plain')).labels, ['T everyone']);
    assert.deepEqual(await called('untrusted'), { shown: '#tool-result-1#', labels: ['U {ann, me}'] });
    assert.deepEqual((await called('relaxing')).labels, ['U {me}']);
    assert.deepEqual((await called('garbled')).labels, ['U {me}']);
    assert.deepEqual(await called('fails'), { shown: '#tool-result-1#', labels: ['U {me}'] });
  });

  it('are cancelled, and a server that dies is an error that says why, made visible', async () => {
    const stop = new AbortController();
    const slow = execute('slow', stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(async () => slow, /enough/);
    const dying = toolsFromMcp(command(), 'me');
    const { tools, close } = await dying;
    const dies = tools.find((tool) => tool.name === 'dies');
    await assert.rejects(async () => dies?.execute({}, {}), {
      code: 'mcp/gone',
      message: /code 3: out of memory\\x1b\[31m/,
    });
    await assert.rejects(async () => dies?.execute({}, {}), { code: 'mcp/gone' });
    await close?.();
  });

  it('are refused from a server that does not speak the protocol', async () => {
    await assert.rejects(toolsFromMcp(command('refuses'), 'me'), {
      code: 'mcp/refused',
      message: 'not today',
    });
    await assert.rejects(toolsFromMcp(command('silent'), 'me', { timeout: 1500 }), { code: 'mcp/timeout' });
    await assert.rejects(toolsFromMcp(command('bad-list'), 'me'), {
      code: 'mcp/protocol',
      message: /tools\.0\.name/,
    });
    await assert.rejects(toolsFromMcp(command('crashes'), 'me'), { code: 'mcp/gone' });
    await assert.rejects(toolsFromMcp(['/nonexistent/program'], 'me'), { code: 'mcp/gone' });
  });
});

describe('the label that a server sends', () => {
  const shown = (meta: Record<string, unknown> | undefined) => {
    const label = restriction(meta, 'me');
    return label && showLabel(label);
  };

  it('is read in its forms, and one that is none restricts all', () => {
    assert.equal(shown(undefined), undefined);
    assert.equal(shown({ other: 1 }), undefined);
    assert.equal(shown({ ifc: {} }), 'T everyone');
    assert.equal(shown({ ifc: { confidentiality: 'private' } }), 'T {me}');
    assert.equal(shown({ ifc: { confidentiality: [] } }), 'T {me}');
    assert.equal(shown({ ifc: { confidentiality: ['public', 'ann'] } }), 'T {ann, me}');
    assert.equal(shown({ 'assay/label': { integrity: 'U', readers: ['ann'] }, ifc: {} }), 'U {ann, me}');
    for (const bad of [null, 7, 'x', [], { integrity: 'maybe' }, { readers: 7 }]) {
      assert.equal(shown({ 'assay/label': bad }), 'U {me}');
    }
  });
});

describe('a command line', () => {
  it('is words, with quotes as in a shell', () => {
    assert.deepEqual(words(`node "a b" 'c "d"' e\\ f "" g"h"i`), ['node', 'a b', 'c "d"', 'e f', '', 'ghi']);
    assert.deepEqual(words('  '), []);
    assert.throws(() => words('a "b'), { code: 'run/command-line' });
  });
});
