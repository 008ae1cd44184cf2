/**
 * An endpoint that speaks the OpenAI protocol on the loopback interface, with faults on demand. The n-th
 * request gets the n-th reply, and every request is kept for inspection.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Reply =
  | { readonly text: string; readonly usage?: { input: number; output: number }; readonly delay?: number }
  | { readonly toolCalls: readonly { id?: string; name: string; arguments: string }[] }
  | { readonly refusal: string }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly message?: string }
  /** Sends the body byte by byte. */
  | { readonly drip: string; readonly every: number }
  /** Promises the whole body, sends a part, cuts the connection. */
  | { readonly cut: string }
  /** A body of any kind with status 200. */
  | { readonly raw: string }
  /** Closes the connection without a word. */
  | { readonly hangUp: true };

export interface LoopbackServer {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** The most requests that were under way at a time. */
  readonly most: number;
  close(): Promise<void>;
}

export async function startLoopback(
  replies: readonly Reply[] | ((request: Received) => Reply),
): Promise<LoopbackServer> {
  const received: Received[] = [];
  let running = 0;
  let most = 0;
  const server = createServer((request, response) => {
    running += 1;
    most = Math.max(most, running);
    response.on('close', () => {
      running -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      const entry = { path: request.url ?? '', headers: request.headers, body };
      received.push(entry);
      const reply = typeof replies === 'function' ? replies(entry) : replies[received.length - 1];
      send(response, reply ?? { status: 500, message: 'the test has no reply for this request' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    get most() {
      return most;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A chat completion with this message. */
export function completionBody(
  message: Record<string, unknown>,
  finish = 'stop',
  usage = { input: 7, output: 3 },
): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'loopback',
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content: null, ...message } }],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  });
}

function send(response: ServerResponse, reply: Reply): void {
  const json = { 'content-type': 'application/json' };
  if ('hangUp' in reply) {
    response.destroy();
  } else if ('status' in reply) {
    response.writeHead(reply.status, { ...json, ...reply.headers });
    response.end(JSON.stringify({ error: { message: reply.message ?? 'as asked' } }));
  } else if ('drip' in reply) {
    response.writeHead(200, json);
    let sent = 0;
    const timer = setInterval(() => {
      if (sent >= reply.drip.length || response.destroyed) {
        clearInterval(timer);
        response.end();
      } else {
        response.write(reply.drip[sent]);
        sent += 1;
      }
    }, reply.every);
  } else if ('cut' in reply) {
    response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(reply.cut)) });
    response.write(reply.cut.slice(0, reply.cut.length >> 1), () => response.destroy());
  } else if ('raw' in reply) {
    response.writeHead(200, json);
    response.end(reply.raw);
  } else if ('refusal' in reply) {
    response.writeHead(200, json);
    response.end(completionBody({ refusal: reply.refusal }));
  } else if ('toolCalls' in reply) {
    const calls = reply.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    response.writeHead(200, json);
    response.end(completionBody({ tool_calls: calls }, 'tool_calls'));
  } else {
    setTimeout(() => {
      response.writeHead(200, json);
      response.end(completionBody({ content: reply.text }, 'stop', reply.usage));
    }, reply.delay ?? 0);
  }
}
