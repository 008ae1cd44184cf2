/** Tools of an MCP server: what a server may say, what it may not, and how it may go wrong. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { words } from '../../../bench/run/command-line.js';
import { toolsOfMcpServer } from '../../../bench/run/mcp-tools.js';
import type { ToolBox } from '../../../bench/run/tools-module.js';
import { Fides } from '../../../planner/agent/decision/design.js';
import { startCall } from '../../../planner/agent/loop/carry-out.js';
import { Approvals } from '../../../planner/agent/oversight/approvals.js';
import { denyAll } from '../../../planner/agent/oversight/oversight.js';
import { loadPolicy } from '../../../planner/agent/policy/load.js';
import { Session } from '../../../planner/agent/session/session.js';
import { showLabel } from '../../../semiring/label/label.js';
import { toolsFromMcp } from '../../../udf/adapters/mcp.js';
import type { Tool } from '../../../udf/tool.js';
import { LabelledFailure, LabelledResult } from '../../../udf/tool-result.js';
import { program } from '../../program.js';

const command = (fault = '') => [process.execPath, ...program('spec/bench/run/mcp-stand-in.ts'), fault];

const policy = loadPolicy(`
user: me
tools:
  plain(): trusted for everyone
  json(): trusted for everyone
  structured(): trusted for everyone
  untrusted(): trusted for everyone
  half(): trusted for everyone
  elsewhere(): trusted for everyone
  secret(): trusted for everyone
  relaxing(): untrusted for user
  garbled(): trusted for everyone
  fails(): trusted for everyone
`);

describe('tools of an MCP server', () => {
  let box: ToolBox;
  before(async () => {
    box = await toolsOfMcpServer(command(), {
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
    assert.equal(box.tools.length, 16);
    for (const tool of box.tools) {
      assert.equal(tool.parameters.type, 'object');
      assert.notEqual(tool.effects, false);
    }
  });

  it('answer text, JSON in text, and structured content', async () => {
    assert.equal(await execute('plain'), 'hello');
    assert.deepEqual(await execute('json'), { a: [1, '__proto__'] });
    assert.deepEqual(await execute('structured'), { b: 2 });
    await assert.rejects(async () => execute('odd'), { code: 'mcp/protocol', message: /content: .*array/ });
  });

  it('may restrict what the policy says, and never relax it', async () => {
    const labels = async (name: string) => (await called(name)).labels;
    assert.deepEqual(await labels('plain'), ['T everyone']);
    assert.deepEqual(await called('untrusted'), { shown: '#tool-result-1#', labels: ['U {}'] });
    assert.deepEqual(await labels('relaxing'), ['U {me}']);
    assert.deepEqual(await labels('secret'), ['T {}']);
    // What is missing of a label, or cannot be read, is not assumed.
    assert.deepEqual(await labels('half'), ['U everyone']);
    assert.deepEqual(await labels('garbled'), ['U {}']);
    assert.deepEqual(await called('fails'), { shown: '#tool-result-1#', labels: ['U {}'] });
    // `_meta.ifc` is the only label that there is.
    assert.deepEqual(await labels('elsewhere'), ['T everyone']);
  });

  it('are cancelled, and a server that dies is an error that says why, made visible', async () => {
    const stop = new AbortController();
    const slow = execute('slow', stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(async () => slow, /enough/);
    const { tools, close } = await toolsOfMcpServer(command());
    const dies = tools.find((tool) => tool.name === 'dies');
    await assert.rejects(async () => dies?.execute({}, {}), {
      code: 'mcp/gone',
      message: /gone: out of memory\\x1b\[31m/,
    });
    await assert.rejects(async () => dies?.execute({}, {}), { code: 'mcp/gone' });
    await close?.();
  });

  it('cannot fill the memory with one answer', async () => {
    const { tools, close } = await toolsOfMcpServer(command());
    const floods = tools.find((tool) => tool.name === 'floods');
    await assert.rejects(async () => floods?.execute({}, {}), { code: 'mcp/gone', message: /maximum size/ });
    await close?.();
  });

  it('are refused from a server that does not speak the protocol', async () => {
    const refused = (fault: string, error: object, options = {}) =>
      assert.rejects(toolsOfMcpServer(command(fault), options), error);
    await refused('refuses', { code: 'mcp/refused', message: 'not today' });
    await refused('silent', { code: 'mcp/timeout' }, { timeout: 1500 });
    await refused('bad-list', { code: 'mcp/protocol', message: /tools\.0\.inputSchema/ });
    await refused('bad-name', { code: 'adapter/bad-name' });
    await refused('crashes', { code: 'mcp/gone' });
    await assert.rejects(toolsOfMcpServer(['/nonexistent/program']), {
      code: 'mcp/gone',
      message: /nonexistent.*ENOENT/,
    });
  });

  it('need the SDK, and say which package to install', async () => {
    const load = () => Promise.reject(new Error('Cannot find package'));
    await assert.rejects(toolsOfMcpServer(command(), { load }), {
      code: 'mcp/no-sdk',
      message: /npm install @modelcontextprotocol\/sdk@1/,
    });
  });

  it("are the same through the command and through the library with the SDK's own client", async () => {
    const [program, ...args] = command();
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(new StdioClientTransport({ command: program, args }));
    try {
      const library = await toolsFromMcp(client);
      const face = ({ name, description, parameters }: Tool) => ({ name, description, parameters });
      assert.deepEqual(library.map(face), box.tools.map(face));
      for (const [index, tool] of library.entries()) {
        if (['slow', 'dies', 'floods', 'environment'].includes(tool.name)) continue;
        assert.deepEqual(await outcome(box.tools[index]), await outcome(tool), tool.name);
      }
    } finally {
      await client.close();
    }
  });
});

/** What a call of the tool comes to, as far as a guard sees it. */
async function outcome(tool: Tool): Promise<unknown> {
  try {
    const result = await tool.execute({}, {});
    if (!(result instanceof LabelledResult)) return { value: result };
    return { value: result.value, label: showLabel(result.label) };
  } catch (error) {
    return error instanceof LabelledFailure
      ? { failed: error.message, label: showLabel(error.label) }
      : 'failed';
  }
}

describe('a command line', () => {
  it('is words, with quotes as in a shell', () => {
    assert.deepEqual(words(`node "a b" 'c "d"' e\\ f "" g"h"i`), ['node', 'a b', 'c "d"', 'e f', '', 'ghi']);
    assert.deepEqual(words('  '), []);
    assert.throws(() => words('a "b'), { code: 'run/command-line' });
  });
});
