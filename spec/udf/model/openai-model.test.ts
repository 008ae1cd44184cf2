import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { limited } from '../../../udf/model/limiter.js';
import type { Message, Model, ModelRequest } from '../../../udf/model/model.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { type OpenAiOptions, openAiModel } from '../../../udf/model/openai-model.js';
import { retrying } from '../../../udf/model/retry.js';
import { checkArguments, ToolArgumentsError } from '../../../udf/tool.js';
import { completionBody, type LoopbackServer, type Reply, startLoopback } from './loopback-server.js';

const key = 'correct-horse-battery-staple';
const hello: ModelRequest = { messages: [{ role: 'user', text: 'hello' }] };

/** Runs `body` against a server with these replies. */
async function withServer(
  replies: readonly Reply[],
  body: (model: Model, server: LoopbackServer) => Promise<void>,
  options: Partial<OpenAiOptions> = {},
): Promise<void> {
  const server = await startLoopback(replies);
  try {
    const { baseUrl } = server;
    await body(openAiModel({ model: 'loopback', baseUrl, apiKey: key, timeout: 2000, ...options }), server);
  } finally {
    await server.close();
  }
}

/** The error that a request ends with. */
async function failure(model: Model, request: ModelRequest = hello): Promise<ModelError> {
  try {
    await model.complete(request);
  } catch (error) {
    assert.ok(error instanceof ModelError, inspect(error));
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(key), 'the key is in the error');
    return error;
  }
  assert.fail('the request was answered');
}

/** No pauses, so that retry tests take no time; `delays` keeps what was asked for. */
function patient(model: Model, delays: number[] = []): Model {
  return retrying(model, {
    jitter: () => 1,
    pause: async (delay) => {
      delays.push(delay);
    },
  });
}

describe('an OpenAI-compatible endpoint', () => {
  it('answers a message, with the key in the header and usage counted', async () => {
    await withServer([{ text: 'hi', usage: { input: 11, output: 2 } }], async (model, server) => {
      const completion = await model.complete({ ...hello, temperature: 0, maxTokens: 50 });
      assert.deepEqual(completion, {
        message: { role: 'assistant', text: 'hi', toolCalls: [] },
        usage: { calls: 1, inputTokens: 11, outputTokens: 2 },
        finish: 'stop',
      });
      const [request] = server.received;
      assert.equal(request.path, '/v1/chat/completions');
      assert.equal(request.headers.authorization, `Bearer ${key}`);
      assert.deepEqual(request.body, {
        model: 'loopback',
        messages: [{ role: 'user', content: 'hello' }],
        temperature: 0,
        max_tokens: 50,
      });
    });
  });

  it('sends tools and a whole conversation, and reads parallel tool calls', async () => {
    const toolCalls = [
      { id: 'a', name: 'send', arguments: '{"to":"bob"}' },
      { id: 'b', name: 'read', arguments: '' },
    ];
    const messages: Message[] = [
      { role: 'system', text: 'be brief' },
      { role: 'user', text: 'go' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'x', name: 'read', arguments: { n: 1 } }] },
      { role: 'tool', callId: 'x', text: 'nothing' },
    ];
    const tools = [{ name: 'read', description: 'reads', parameters: { type: 'object' } }];
    await withServer([{ toolCalls }], async (model, server) => {
      const { message, finish } = await model.complete({ messages, tools });
      assert.equal(finish, 'tool-calls');
      assert.deepEqual(message.toolCalls, [
        { id: 'a', name: 'send', arguments: { to: 'bob' } },
        { id: 'b', name: 'read', arguments: {} },
      ]);
      assert.deepEqual(server.received[0].body.messages, [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'read', arguments: '{"n":1}' } }],
        },
        { role: 'tool', tool_call_id: 'x', content: 'nothing' },
      ]);
      assert.deepEqual(server.received[0].body.tools, [{ type: 'function', function: tools[0] }]);
    });
  });

  it('asks for structured output in the way that the endpoint takes', async () => {
    const output = { name: 'answer', schema: { type: 'object' }, strict: true };
    const seen: unknown[] = [];
    for (const structured of ['json-schema', 'json-object', 'none'] as const) {
      await withServer(
        [{ text: '{}' }],
        async (model, server) => {
          await model.complete({ ...hello, output });
          seen.push(server.received[0].body.response_format);
        },
        { structured },
      );
    }
    assert.deepEqual(seen, [
      { type: 'json_schema', json_schema: output },
      { type: 'json_object' },
      undefined,
    ]);
  });

  it('sends no authorisation where there is no key, and the environment does not slip one in', async () => {
    const before = process.env.OPENAI_API_KEY;
    process.env.OPENAI_API_KEY = 'not-to-be-sent';
    try {
      await withServer(
        [{ text: 'hi' }],
        async (model, server) => {
          await model.complete(hello);
          assert.ok(!JSON.stringify(server.received[0].headers).includes('not-to-be-sent'));
          assert.equal(server.received[0].headers.authorization, undefined);
        },
        { apiKey: undefined },
      );
    } finally {
      if (before === undefined) delete process.env.OPENAI_API_KEY;
      else process.env.OPENAI_API_KEY = before;
    }
  });

  it('sends the key as Azure wants it', async () => {
    await withServer(
      [{ text: 'hi' }],
      async (model, server) => {
        await model.complete(hello);
        const [{ headers, path }] = server.received;
        assert.equal(headers['api-key'], key);
        assert.equal(headers.authorization, undefined);
        assert.equal(path, '/v1/chat/completions?api-version=2024-10-21');
      },
      { keyHeader: 'api-key', query: { 'api-version': '2024-10-21' } },
    );
  });

  it('calls the token limit as the endpoint does', async () => {
    await withServer(
      [{ text: 'hi' }],
      async (model, server) => {
        await model.complete({ ...hello, maxTokens: 9 });
        assert.equal(server.received[0].body.max_completion_tokens, 9);
        assert.equal(server.received[0].body.max_tokens, undefined);
      },
      { tokenLimit: 'max_completion_tokens' },
    );
  });

  it('says what to install where the client package is missing', async () => {
    const load = () => Promise.reject(new Error("Cannot find package 'openai'"));
    const error = await failure(openAiModel({ model: 'm', load }));
    assert.equal(error.code, 'model/no-client');
    assert.match(error.message, /npm install openai@6/);
  });

  it('refuses a base URL that is none', async () => {
    for (const baseUrl of ['localhost:11434', 'file:///etc/passwd', '']) {
      assert.equal((await failure(openAiModel({ model: 'm', baseUrl }))).code, 'model/bad-setting');
    }
  });
});

describe('faults of an endpoint', () => {
  it('429 with Retry-After in seconds: waits that long, then goes on', async () => {
    const delays: number[] = [];
    const busy = { status: 429, headers: { 'retry-after': '7' } };
    await withServer([busy, busy, { text: 'hi' }], async (model, server) => {
      assert.equal((await patient(model, delays).complete(hello)).message.text, 'hi');
      assert.equal(server.received.length, 3);
    });
    assert.deepEqual(delays, [7000, 7000]);
  });

  it('429 with Retry-After as a date: waits until then', async () => {
    const delays: number[] = [];
    const date = new Date(Date.now() + 20_000).toUTCString();
    await withServer([{ status: 429, headers: { 'retry-after': date } }, { text: 'hi' }], async (model) => {
      await patient(model, delays).complete(hello);
    });
    assert.equal(delays.length, 1);
    assert.ok(delays[0] > 10_000 && delays[0] <= 20_000, String(delays[0]));
  });

  it('429 that asks for more patience than we have: ends at once', async () => {
    await withServer([{ status: 429, headers: { 'retry-after': '86400' } }], async (model, server) => {
      const error = await failure(patient(model));
      assert.equal(error.code, 'model/rate-limited');
      assert.equal(error.retryAfter, 86_400_000);
      assert.equal(server.received.length, 1);
    });
  });

  it('500: backs off exponentially, then ends with the status', async () => {
    const delays: number[] = [];
    const broken = { status: 500, message: 'oh no' };
    await withServer([broken, broken, broken, broken], async (model, server) => {
      const error = await failure(patient(model, delays));
      assert.equal(error.code, 'model/server');
      assert.equal(error.status, 500);
      assert.match(error.message, /oh no/);
      assert.equal(server.received.length, 4);
    });
    assert.deepEqual(delays, [500, 1000, 2000]);
  });

  it('400 and 401: ends at once; a key that the server echoes stays out of the error', async () => {
    for (const status of [400, 401, 404]) {
      await withServer([{ status, message: `Incorrect API key provided: ${key}` }], async (model, server) => {
        const error = await failure(patient(model));
        assert.equal(error.code, 'model/rejected');
        assert.match(error.message, /Incorrect API key provided: \[redacted\]/);
        assert.equal(server.received.length, 1);
      });
    }
  });

  it('a slow drip times out although bytes keep coming', async () => {
    await withServer(
      [{ drip: completionBody({ content: 'slow' }), every: 20 }],
      async (model) => {
        const error = await failure(model);
        assert.equal(error.code, 'model/timeout');
        assert.ok(error.retryable);
      },
      { timeout: 200 },
    );
  });

  it('a body that is cut, and a connection that is closed: tried again', async () => {
    for (const fault of [{ cut: completionBody({ content: 'half' }) }, { hangUp: true }] as const) {
      await withServer([fault, { text: 'hi' }], async (model, server) => {
        assert.equal((await patient(model).complete(hello)).message.text, 'hi');
        assert.equal(server.received.length, 2);
      });
      await withServer([fault], async (model) => {
        assert.equal((await failure(model)).code, 'model/connection');
      });
    }
  });

  it('nobody listening: a clear error', async () => {
    const server = await startLoopback([]);
    await server.close();
    const error = await failure(openAiModel({ model: 'm', baseUrl: server.baseUrl, apiKey: key }));
    assert.equal(error.code, 'model/connection');
    assert.match(error.message, /ECONNREFUSED/);
  });

  const bodies: readonly [string, string][] = [
    ['not JSON', '{"choices": ['],
    ['an HTML page', '<html><body>502</body></html>'],
    ['empty', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['no choice', '{"choices":[]}'],
    ['a message of the wrong type', '{"choices":[{"message":"hi"}]}'],
    ['content of the wrong type', '{"choices":[{"message":{"content":{"a":1}}}]}'],
    ['a tool call without a function', '{"choices":[{"message":{"tool_calls":[{"id":"a"}]}}]}'],
    ['negative usage', '{"choices":[{"message":{"content":""}}],"usage":{"prompt_tokens":-1}}'],
  ];
  for (const [name, raw] of bodies) {
    it(`a malformed answer (${name}): a clear error`, async () => {
      await withServer([{ raw }], async (model) => {
        assert.equal((await failure(model)).code, 'model/malformed');
      });
    });
  }

  it('broken arguments of a tool call reach the tool check, and are refused there', async () => {
    const tool = {
      name: 'send',
      description: '',
      parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      execute: async () => assert.fail('executed'),
    };
    const texts = ['{"to": "bob', '"bob"', '[1]', 'null', '{"to": 3}', '{}', '{"__proto__": {"to": "bob"}}'];
    await withServer(
      [{ toolCalls: texts.map((text) => ({ name: 'send', arguments: text })) }],
      async (model) => {
        const { message } = await model.complete(hello);
        assert.equal(message.toolCalls.length, texts.length);
        assert.equal(new Set(message.toolCalls.map((call) => call.id)).size, texts.length);
        for (const call of message.toolCalls) {
          assert.throws(() => checkArguments(tool, call.arguments), ToolArgumentsError);
        }
      },
    );
  });

  it('a refusal is an answer that says so', async () => {
    await withServer([{ refusal: 'I will not.' }], async (model) => {
      const { finish, message } = await model.complete(hello);
      assert.equal(finish, 'refused');
      assert.equal(message.text, 'I will not.');
    });
  });

  it('an answer of 10 MB comes through; one above the limit ends with a clear error', async () => {
    const text = 'x'.repeat(10 * 2 ** 20);
    await withServer(
      [{ text }],
      async (model) => {
        assert.equal((await model.complete(hello)).message.text.length, text.length);
      },
      { timeout: 20_000 },
    );
    await withServer(
      [{ text }],
      async (model) => {
        assert.equal((await failure(model)).code, 'model/too-large');
      },
      { timeout: 20_000, maxBytes: 2 ** 20 },
    );
  });

  it('cancellation ends a request under way, and one that waits for its next attempt', async () => {
    await withServer([{ text: 'late', delay: 1500 }], async (model) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      assert.equal((await failure(model, { ...hello, signal: controller.signal })).code, 'model/cancelled');
    });
    await withServer([{ status: 429, headers: { 'retry-after': '30' } }], async (model) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const error = await failure(retrying(model), { ...hello, signal: controller.signal });
      assert.equal(error.code, 'model/cancelled');
    });
  });

  it('many requests on one signal leave no listener behind and give no warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const replies = Array.from({ length: 40 }, () => ({ text: 'hi', delay: 5 }));
    await withServer(replies, async (model) => {
      const { signal } = new AbortController();
      const limitedModel = limited(model, 15);
      await Promise.all(replies.map(() => limitedModel.complete({ ...hello, signal })));
      await new Promise(setImmediate);
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });
    process.off('warning', listen);
    assert.deepEqual(warnings, []);
  });

  it('a model does not show its key', async () => {
    const model = openAiModel({ model: 'm', apiKey: key, headers: { 'x-secret': 'another-secret' } });
    const shown = inspect(model, { depth: 9, showHidden: true }) + JSON.stringify(model);
    assert.ok(!shown.includes(key) && !shown.includes('another-secret'));
  });
});
