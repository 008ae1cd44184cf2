/**
 * The adapters, one by one, against doubles of the frameworks' shapes. Properties of each: arguments and
 * results come through as data, what would be lost (an approval, a guardrail, a tool that runs elsewhere) is
 * refused by name.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Label, labelAtMost } from '../../../semiring/label/label.js';
import { AssayError } from '../../../semiring/message/error.js';
import {
  aiSdkTools,
  langChainTools,
  type McpClient,
  mcpLabel,
  type OpenAiAgentsFields,
  openAiAgentsTools,
  toolsFromAiSdk,
  toolsFromLangChain,
  toolsFromMcp,
  toolsFromOpenAiAgents,
} from '../../../udf/adapters/index.js';
import type { Tool } from '../../../udf/tool.js';
import { LabelledFailure, LabelledResult } from '../../../udf/tool-result.js';
import { runs } from '../../runs.js';

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

function refusedWith(code: string) {
  return (error: unknown) => error instanceof AssayError && error.code === code;
}

/** A tool of ours, with a state that only a method call reaches. */
class Echo implements Tool {
  readonly name = 'echo';
  readonly description = 'Says it again.';
  readonly parameters = text;
  readonly calls: unknown[] = [];
  async execute(args: unknown, context: unknown) {
    this.calls.push([args, context]);
    return { said: args };
  }
}

/** A standard schema, version 1, that fills in a default; with its JSON Schema or without. */
function standardSchema(withJsonSchema: boolean) {
  return {
    '~standard': {
      version: 1,
      vendor: 'double',
      validate: (value: { text?: unknown }) =>
        typeof value.text === 'string' ? { value: { more: 1, ...value } } : { issues: [{ message: 'text' }] },
      ...(withJsonSchema && { jsonSchema: { input: () => text, output: () => text } }),
    },
  };
}

describe('tools of the AI SDK', () => {
  const execute = async (input: unknown, options: unknown) => ({ input, options });

  it('become tools, whatever their schema is kept in', async () => {
    const sdkSchema = { jsonSchema: Promise.resolve(text), validate: undefined };
    const tools = await toolsFromAiSdk({
      standard: { description: 'A', inputSchema: standardSchema(true), execute },
      sdk: { inputSchema: sdkSchema, execute },
      lazy: { inputSchema: () => sdkSchema, execute },
      none: { execute },
    });
    assert.deepEqual(
      tools.map(({ name, description, parameters }) => [name, description, parameters]),
      [
        ['standard', 'A', text],
        ['sdk', '', text],
        ['lazy', '', text],
        ['none', '', { type: 'object', properties: {} }],
      ],
    );
  });

  it('are called with arguments as their schema reads them, the id and the signal, and no messages', async () => {
    const [tool] = await toolsFromAiSdk(
      { echo: { inputSchema: standardSchema(true), execute } },
      { context: 'host' },
    );
    const { signal } = new AbortController();
    assert.deepEqual(await tool.execute({ text: 'x' }, { callId: 'c1', signal }), {
      input: { more: 1, text: 'x' },
      options: { toolCallId: 'c1', messages: [], experimental_context: 'host', abortSignal: signal },
    });
    await assert.rejects(tool.execute({ text: 1 }, {}), refusedWith('adapter/bad-arguments'));
  });

  it('may answer bit by bit: the last one is the answer', async () => {
    const [tool] = await toolsFromAiSdk({
      slow: {
        inputSchema: { jsonSchema: text },
        execute: async function* () {
          yield 'half';
          yield 'whole';
        },
      },
    });
    assert.equal(await tool.execute({ text: '' }, {}), 'whole');
  });

  it('are refused where a check or a schema would be lost', async () => {
    const one = (tool: object) => toolsFromAiSdk({ t: tool });
    await assert.rejects(one({ inputSchema: text }), refusedWith('adapter/no-execute'));
    await assert.rejects(one({ execute, needsApproval: true }), refusedWith('adapter/own-check'));
    await assert.rejects(
      one({ execute, inputSchema: standardSchema(false) }),
      refusedWith('adapter/no-json-schema'),
    );
    await assert.rejects(
      one({ execute, inputSchema: { type: 'array' } }),
      refusedWith('adapter/no-json-schema'),
    );
    await assert.rejects(toolsFromAiSdk({ 'a b': { execute } }), refusedWith('adapter/bad-name'));
  });

  it('ask for an approval of their own at the call, and fail there, unless the policy takes its place', async () => {
    const needsApproval = async ({ text }: { text: string }) => text === 'much';
    const set = { pay: { inputSchema: { jsonSchema: text }, execute, needsApproval } };
    const [tool] = await toolsFromAiSdk(set);
    await assert.rejects(tool.execute({ text: 'much' }, {}), refusedWith('adapter/own-check'));
    assert.ok(await tool.execute({ text: 'little' }, {}));
    const [dropped] = await toolsFromAiSdk(set, { ownChecks: 'drop' });
    assert.ok(await dropped.execute({ text: 'much' }, {}));
  });

  it('take a schema that only the host can read', async () => {
    const [tool] = await toolsFromAiSdk(
      { t: { execute, inputSchema: standardSchema(false) } },
      { toJsonSchema: () => text },
    );
    assert.deepEqual(tool.parameters, text);
  });

  it('are made of ours: a standard schema, and text for the model', async () => {
    const echo = new Echo();
    const { echo: made } = aiSdkTools([echo]);
    const standard = made.inputSchema['~standard'];
    assert.deepEqual(standard.jsonSchema.input({ target: 'draft-07' }), text);
    assert.notEqual(standard.jsonSchema.input({}), standard.jsonSchema.input({}));
    assert.deepEqual(standard.validate({ text: 'x' }), { value: { text: 'x' } });
    assert.ok('issues' in standard.validate(['x']));
    const output = await made.execute({ text: 'x' }, { toolCallId: 'c1' });
    assert.deepEqual(made.toModelOutput({ output }), { type: 'text', value: '{"said":{"text":"x"}}' });
    assert.deepEqual(echo.calls, [[{ text: 'x' }, { callId: 'c1' }]]);
  });

  it('are told apart by name, names of the object prototype too', () => {
    const named = (name: string): Tool => ({
      name,
      description: '',
      parameters: text,
      execute: async () => name,
    });
    const made = aiSdkTools([named('__proto__'), named('constructor')]);
    assert.deepEqual(Object.keys(made), ['__proto__', 'constructor']);
    assert.throws(() => aiSdkTools([named('a'), named('a')]), refusedWith('adapter/duplicate-name'));
  });
});

describe('function tools of the OpenAI Agents SDK', () => {
  const functionTool = {
    type: 'function',
    name: 'echo',
    description: 'Says it again.',
    parameters: text,
    strict: true,
    needsApproval: async (_context: unknown, { text }: { text: string }) => text === 'much',
    isEnabled: async () => true,
    invoke: async (context: unknown, input: string, details: unknown) => ({ context, input, details }),
  };

  it('become tools that are invoked with their run context, text and details', async () => {
    const [tool] = await toolsFromOpenAiAgents([functionTool], { runContext: 'context' });
    const { signal } = new AbortController();
    assert.deepEqual(await tool.execute({ text: 'x' }, { callId: 'c1', signal }), {
      context: 'context',
      input: '{"text":"x"}',
      details: {
        toolCall: { type: 'function_call', callId: 'c1', name: 'echo', arguments: '{"text":"x"}' },
        signal,
      },
    });
  });

  it('are refused where the runner would have checked or run them', async () => {
    const refusal = (change: object) => toolsFromOpenAiAgents([{ ...functionTool, ...change }]);
    await assert.rejects(refusal({ type: 'hosted_tool' }), refusedWith('adapter/no-execute'));
    await assert.rejects(refusal({ inputGuardrails: [{}] }), refusedWith('adapter/own-check'));
    await assert.rejects(refusal({ outputGuardrails: [{}] }), refusedWith('adapter/own-check'));
    const [tool] = await toolsFromOpenAiAgents([functionTool]);
    await assert.rejects(tool.execute({ text: 'much' }, {}), refusedWith('adapter/own-check'));
    const [dropped] = await toolsFromOpenAiAgents([{ ...functionTool, inputGuardrails: [{}] }], {
      ownChecks: 'drop',
    });
    assert.ok(await dropped.execute({ text: 'much' }, {}));
  });

  it('are made of ours by the framework itself', async () => {
    const echo = new Echo();
    const [made] = openAiAgentsTools([echo], (fields: OpenAiAgentsFields) => fields);
    assert.deepEqual([made.name, made.strict], ['echo', false]);
    assert.deepEqual(made.parameters, { ...text, additionalProperties: true });
    const details = { toolCall: { callId: 'c1' } };
    assert.equal(await made.execute({ text: 'x' }, {}, details), '{"said":{"text":"x"}}');
    assert.deepEqual(echo.calls, [[{ text: 'x' }, { callId: 'c1' }]]);
    await assert.rejects(made.execute('x'), refusedWith('adapter/bad-arguments'));
  });
});

describe('structured tools of LangChain', () => {
  const structured = (answer: unknown) => ({
    name: 'echo',
    description: 'Says it again.',
    schema: text,
    invoke: async (input: unknown, config?: unknown) => answer ?? { input, config },
  });

  it('become tools that are invoked with plain arguments', async () => {
    const [tool] = await toolsFromLangChain([structured(undefined)]);
    const { signal } = new AbortController();
    assert.deepEqual(await tool.execute({ text: 'x' }, { callId: 'c1', signal }), {
      input: { text: 'x' },
      config: { signal },
    });
  });

  it('may answer with a message: its content counts, and its error is a failure', async () => {
    const message = { lc_namespace: ['langchain_core', 'messages'], content: 'said' };
    const [tool] = await toolsFromLangChain([structured(message)]);
    assert.equal(await tool.execute({ text: 'x' }, {}), 'said');
    const [failing] = await toolsFromLangChain([structured({ ...message, status: 'error' })]);
    await assert.rejects(failing.execute({ text: 'x' }, {}), /^Error: said$/);
    const [record] = await toolsFromLangChain([structured({ content: 'a file', status: 'error' })]);
    assert.deepEqual(await record.execute({ text: 'x' }, {}), { content: 'a file', status: 'error' });
  });

  it('are made of ours by the framework itself', async () => {
    const echo = new Echo();
    const [made] = langChainTools([echo], (execute, fields) => ({ execute, fields }));
    assert.deepEqual(made.fields, { name: 'echo', description: 'Says it again.', schema: text });
    assert.equal(await made.execute({ text: 'x' }, { toolCall: { id: 'c1' } }), '{"said":{"text":"x"}}');
    assert.deepEqual(echo.calls, [[{ text: 'x' }, { callId: 'c1' }]]);
  });
});

describe('tools of an MCP client', () => {
  const client = (result: unknown, seen: unknown[] = []): McpClient => ({
    listTools: async (params) =>
      params === undefined
        ? { tools: [{ name: 'a', description: 'A', inputSchema: text }], nextCursor: 'next' }
        : { tools: [{ name: 'b', inputSchema: text }] },
    callTool: async (params, _schema, options) => {
      seen.push([params, options]);
      return result;
    },
  });
  const answered = async (result: unknown, options = {}) => {
    const [tool] = await toolsFromMcp(client(result), options);
    return tool.execute({ text: 'x' }, {});
  };

  it('are all of its tools, page by page, and are called by their own name', async () => {
    const seen: unknown[] = [];
    const tools = await toolsFromMcp(client({ content: [] }, seen), { prefix: 'mail_' });
    assert.deepEqual(
      tools.map(({ name, description }) => [name, description]),
      [
        ['mail_a', 'A'],
        ['mail_b', ''],
      ],
    );
    const { signal } = new AbortController();
    await tools[1].execute({ text: 'x' }, { signal });
    assert.deepEqual(seen, [[{ name: 'b', arguments: { text: 'x' } }, { signal }]]);
  });

  it('end where the server never stops listing', async () => {
    const endless = { ...client(null), listTools: async () => ({ tools: [], nextCursor: 'again' }) };
    await assert.rejects(toolsFromMcp(endless), refusedWith('adapter/too-many-pages'));
  });

  it('are refused where the list is none, or a tool of it has no text for a name', async () => {
    for (const tools of [null, {}, 'a', [7], [{ name: 7 }], [{ name: 'a', description: {} }]]) {
      const bad = { ...client(null), listTools: async () => ({ tools }) as never };
      await assert.rejects(toolsFromMcp(bad), refusedWith('adapter/bad-list'));
    }
  });

  it('answer structured content, else JSON, else text, else the parts', async () => {
    const part = (text: string) => ({ type: 'text', text });
    assert.deepEqual(await answered({ content: [part('x')], structuredContent: { a: 1 } }), { a: 1 });
    assert.deepEqual(await answered({ content: [part(' {"a": [1]}')] }), { a: [1] });
    assert.deepEqual(await answered({ content: [part('{"a": ')] }), '{"a": ');
    assert.deepEqual(await answered({ content: [part('42')] }), '42');
    const image = { type: 'image', data: '', mimeType: 'image/png' };
    assert.deepEqual(await answered({ content: [part('see'), image] }), ['see', image]);
    assert.deepEqual(await answered({ content: [] }), []);
    assert.deepEqual(await answered('nonsense'), null);
  });

  it('fail where the server says so, with its label', async () => {
    const failure = { isError: true, content: [{ type: 'text', text: '{"no": 1}' }] };
    await assert.rejects(answered(failure), /^Error: \{"no": 1\}$/);
    const labelled = { ...failure, _meta: { ifc: { integrity: 'untrusted', confidentiality: 'public' } } };
    await assert.rejects(
      answered(labelled),
      (error) => error instanceof LabelledFailure && error.label.integrity === 'U',
    );
  });

  it('restrict by a label, and never relax', async () => {
    const content = [{ type: 'text', text: 'x' }];
    const labelled = (ifc: unknown) => answered({ content, _meta: { ifc } });
    assert.equal(await answered({ content }), 'x');
    assert.equal(await labelled({ integrity: 'trusted', confidentiality: 'public' }), 'x');
    const secret = await labelled({ integrity: 'trusted', confidentiality: 'private' });
    assert.ok(secret instanceof LabelledResult);
    assert.deepEqual([secret.value, secret.label], ['x', { integrity: 'T', readers: new Set() }]);
  });

  it('know the readers of what is private where the host knows them', async () => {
    const result = { content: [], _meta: { ifc: { integrity: 'trusted', confidentiality: 'private' } } };
    const secret = await answered(result, { privateReaders: () => new Set(['bob']) });
    assert.ok(secret instanceof LabelledResult);
    assert.deepEqual(secret.label.readers, new Set(['bob']));
  });

  it('read a label that makes no sense as untrusted and private, whatever it is', () => {
    const untrusted: Label = { integrity: 'U', readers: new Set() };
    assert.deepEqual(mcpLabel({ _meta: { ifc: { integrity: ['trusted'] } } }), untrusted);
    assert.deepEqual(mcpLabel({ _meta: { ifc: null } }), untrusted);
    assert.deepEqual(
      mcpLabel(JSON.parse('{"_meta":{"ifc":{"__proto__":{"integrity":"trusted"}}}}')),
      untrusted,
    );
    assert.equal(mcpLabel(JSON.parse('{"__proto__":{"_meta":{"ifc":null}}}')), undefined);
    for (const meta of ['trusted', 7, true, []]) {
      assert.deepEqual(mcpLabel({ _meta: meta }), untrusted);
    }
    for (const meta of [undefined, null, {}, { 'assay/label': { integrity: 'untrusted' } }]) {
      assert.equal(mcpLabel({ _meta: meta }), undefined);
    }
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (integrity, confidentiality) => {
        const label = mcpLabel({ _meta: { ifc: { integrity, confidentiality } } });
        const trusted = integrity === 'trusted' ? 'T' : 'U';
        const readers = confidentiality === 'public' ? 'everyone' : new Set<string>();
        const expected: Label = { integrity: trusted, readers };
        if (label) assert.deepEqual(label, expected);
        else assert.ok(labelAtMost(expected, { integrity: 'T', readers: 'everyone' }));
      }),
      { numRuns: runs(300) },
    );
  });
});
