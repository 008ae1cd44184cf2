/**
 * A model behind an OpenAI-compatible endpoint (OpenAI, Azure, vLLM, Ollama, llama.cpp, … by base URL), one
 * attempt a call. The client package `openai` is an optional peer, loaded at the first call; the key lives in
 * this closure only, and every error text passes the redactor.
 */
import type OpenAI from 'openai';
import { boundedFetch, type Fetch } from './bounded-fetch.js';
import type { Message, Model, ModelRequest } from './model.js';
import { ModelError } from './model-error.js';
import { onAbort } from './on-abort.js';
import { readCompletion } from './openai-answer.js';
import { type Redactor, redactor } from './redact.js';
import { retryAfter } from './retry-after.js';

export interface OpenAiOptions {
  /** As the endpoint calls it; for Azure the deployment. */
  readonly model: string;
  /** Default OpenAI's own. */
  readonly baseUrl?: string;
  /** Absent: no authorisation is sent, as local servers want it. */
  readonly apiKey?: string;
  /** Default `api-key` on hosts under azure.com, else `authorization`. */
  readonly keyHeader?: 'authorization' | 'api-key';
  readonly headers?: Readonly<Record<string, string>>;
  /** For example Azure's `api-version`. */
  readonly query?: Readonly<Record<string, string>>;
  /** Milliseconds for one attempt, to the last byte of the body. Default 60 000. */
  readonly timeout?: number;
  /** Of a response's body. Default 16 MiB. */
  readonly maxBytes?: number;
  /** How an output schema is asked for; endpoints differ. Default `json-schema`. */
  readonly structured?: 'json-schema' | 'json-object' | 'none';
  /**
   * The name of the token limit; servers differ. Default OpenAI's on its own and Azure's hosts, else
   * `max_tokens`.
   */
  readonly tokenLimit?: 'max_completion_tokens' | 'max_tokens';
  /** @internal The transport, for tests. */
  readonly fetch?: Fetch;
  /** @internal Loads the client package, for tests. */
  readonly load?: () => Promise<{ readonly default: typeof OpenAI }>;
}

const openAiBaseUrl = 'https://api.openai.com/v1';

export function openAiModel(options: OpenAiOptions): Model {
  const redact = redactor([options.apiKey, ...Object.values(options.headers ?? {})]);
  let opened: Promise<OpenAI> | undefined;
  return {
    name: options.model,
    async complete(request) {
      opened ??= openClient(options, redact);
      const client = await opened;
      // The client never takes its listener off, so it gets a signal that lives no longer than the request.
      const own = new AbortController();
      const off = onAbort(request.signal, () => own.abort());
      try {
        const body = encodeRequest(options, request);
        return readCompletion(await client.chat.completions.create(body, { signal: own.signal }));
      } catch (error) {
        throw error instanceof ModelError ? error : explain(error, options, request, redact);
      } finally {
        off();
      }
    },
  };
}

async function openClient(options: OpenAiOptions, redact: Redactor): Promise<OpenAI> {
  const baseURL = options.baseUrl ?? openAiBaseUrl;
  const host = URL.canParse(baseURL) ? new URL(baseURL).hostname : undefined;
  if (host === undefined || !/^https?:/.test(baseURL)) {
    throw new ModelError('model/bad-setting', `Not an http(s) base URL: ${redact(baseURL)}`);
  }
  const { default: Client } = await loadClient(options);
  const keyHeader = options.keyHeader ?? (/(^|\.)azure\.com$/.test(host) ? 'api-key' : 'authorization');
  const key = options.apiKey;
  const authorization = key === undefined || keyHeader === 'api-key' ? { Authorization: null } : {};
  return new Client({
    baseURL,
    // The client insists on a key; where none is wanted its header is taken out below.
    apiKey: key ?? 'none',
    organization: null,
    project: null,
    defaultHeaders: {
      ...authorization,
      ...(key !== undefined && keyHeader === 'api-key' ? { 'api-key': key } : {}),
      ...options.headers,
    },
    defaultQuery: options.query,
    timeout: options.timeout ?? 60_000,
    maxRetries: 0,
    logLevel: 'off',
    fetch: boundedFetch(options.maxBytes ?? 16 * 2 ** 20, options.fetch),
  });
}

async function loadClient(options: OpenAiOptions): Promise<{ readonly default: typeof OpenAI }> {
  try {
    return await (options.load ?? (() => import('openai')))();
  } catch (error) {
    throw new ModelError(
      'model/no-client',
      'Live models need the package `openai`, which is not installed with assay: npm install openai@6',
      { cause: error },
    );
  }
}

function encodeRequest(
  options: OpenAiOptions,
  request: ModelRequest,
): OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming {
  const { tools = [], output } = request;
  const structured = options.structured ?? 'json-schema';
  const host = new URL(options.baseUrl ?? openAiBaseUrl).hostname;
  const tokenLimit =
    options.tokenLimit ?? (/(^|\.)(openai|azure)\.com$/.test(host) ? 'max_completion_tokens' : 'max_tokens');
  return {
    model: options.model,
    messages: request.messages.map(encodeMessage),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        function: { name, description, parameters: { ...parameters } },
      })),
    }),
    ...(output !== undefined &&
      structured === 'json-schema' && {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: output.name, schema: { ...output.schema }, strict: output.strict },
        },
      }),
    ...(output !== undefined &&
      structured === 'json-object' && { response_format: { type: 'json_object' as const } }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxTokens !== undefined && { [tokenLimit]: request.maxTokens }),
  };
}

function encodeMessage(message: Message): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: 'function' as const,
            function: {
              name: call.name,
              arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
            },
          })),
        }),
      };
  }
}

/** The client's error as ours. No `cause`: it may hold what the server echoed, a key among it. */
function explain(
  error: unknown,
  options: OpenAiOptions,
  request: ModelRequest,
  redact: Redactor,
): ModelError {
  if (request.signal?.aborted) return new ModelError('model/cancelled', 'The request was cancelled.');
  const inner = rootOf(error);
  if (inner instanceof ModelError) return inner;
  const status = statusOf(error);
  if (status !== undefined) {
    const text = `The endpoint answered ${redact(messageOf(error)).slice(0, 500)}`;
    const details = { status, retryAfter: retryAfter(headersOf(error), Date.now()) };
    if (status === 429) return new ModelError('model/rate-limited', text, { ...details, retryable: true });
    if (status >= 500 || status === 408 || status === 409) {
      return new ModelError('model/server', text, { ...details, retryable: true });
    }
    return new ModelError('model/rejected', text, details);
  }
  if (error instanceof SyntaxError) {
    return new ModelError('model/malformed', 'The answer is not JSON.', { retryable: true });
  }
  if (error instanceof Error && /timed? ?out/i.test(error.message)) {
    const limit = options.timeout ?? 60_000;
    return new ModelError('model/timeout', `No whole answer within ${limit} ms.`, { retryable: true });
  }
  const why = redact(messageOf(inner)).slice(0, 200);
  return new ModelError('model/connection', `The connection failed: ${why}`, { retryable: true });
}

/** The innermost cause, where the transport's own words are. */
function rootOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 8 && root instanceof Error && root.cause !== undefined; depth += 1)
    root = root.cause;
  return root;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;
}

function headersOf(error: unknown): Headers | undefined {
  return error instanceof Error && 'headers' in error && error.headers instanceof Headers
    ? error.headers
    : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
