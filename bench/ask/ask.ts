/**
 * How close `ask` in SQL comes to the ideal: 1,000 rows, 50 ms a call, 16 at a time, then the same again from
 * the cache. The ideal is ceil(rows / concurrency) rounds of pure latency; the overhead is ours.
 *
 *     npx tsx bench/ask/ask.ts [--rows 1000] [--latency 50] [--concurrency 16]
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { Database } from '../../planner/query/database.js';
import type { Model } from '../../udf/model/model.js';
import { openAiModel } from '../../udf/model/openai-model.js';

export interface AskFigures {
  readonly name: string;
  /** Milliseconds of a run that sends everything. */
  readonly cold: number;
  readonly ideal: number;
  readonly calls: number;
  /** Milliseconds and calls of the run after it. */
  readonly warm: number;
  readonly warmCalls: number;
}

const answer = '{"answer": true}';

/** A model in this process that answers after `latency` milliseconds. */
function slowModel(latency: number): Model {
  return {
    name: 'in process',
    complete: () =>
      new Promise((resolve) => {
        const completion = {
          message: { role: 'assistant', text: answer, toolCalls: [] },
          usage: { calls: 1, inputTokens: 100, outputTokens: 5 },
          finish: 'stop',
        } as const;
        setTimeout(() => resolve(completion), latency);
      }),
  };
}

/** The same behind HTTP, through the client that live models use. */
async function slowEndpoint(latency: number): Promise<{ readonly model: Model; close(): void }> {
  const body = JSON.stringify({
    choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: answer } }],
  });
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(body);
      }, latency);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const model = openAiModel({ model: 'loopback', baseUrl: `http://127.0.0.1:${port}/v1` });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { model: { ...model, name: 'over HTTP' }, close };
}

export async function measureAsk(
  model: Model,
  rows: number,
  latency: number,
  concurrency: number,
): Promise<AskFigures> {
  let calls = 0;
  const counted: Model = {
    name: model.name,
    complete: (request) => {
      calls += 1;
      return model.complete(request);
    },
  };
  const db = new Database();
  const body = (i: number) => `Message ${i}: ${'lorem ipsum '.repeat(20)}`;
  db.load(
    'mail',
    Array.from({ length: rows }, (_, i) => ({ id: i, body: body(i) })),
  );
  db.useModel(counted, { concurrency });
  const run = async (): Promise<number> => {
    const start = performance.now();
    const result = await db.query(
      "SELECT id FROM mail WHERE ask('Is this message urgent?', body, 'boolean')",
    );
    if (result.rowCount !== rows) throw new Error(`${result.rowCount} rows came out`);
    return performance.now() - start;
  };
  await db.query('SELECT 1');
  // The client is loaded at the first request; that is not the operator's time.
  await model.complete({ messages: [{ role: 'user', text: 'hello' }] });
  const cold = await run();
  const coldCalls = calls;
  const warm = await run();
  const ideal = Math.ceil(rows / concurrency) * latency;
  return { name: model.name, cold, ideal, calls: coldCalls, warm, warmCalls: calls - coldCalls };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '1000' },
      latency: { type: 'string', default: '50' },
      concurrency: { type: 'string', default: '16' },
    },
  });
  const [rows, latency, concurrency] = [values.rows, values.latency, values.concurrency].map(Number);
  const endpoint = await slowEndpoint(latency);
  for (const model of [slowModel(latency), endpoint.model]) {
    const figures = await measureAsk(model, rows, latency, concurrency);
    const times = (figures.cold / figures.ideal).toFixed(3);
    console.log(
      `${figures.name}: ${figures.calls} calls in ${figures.cold.toFixed(0)} ms, ${times} times the ideal ${figures.ideal} ms; ` +
        `again ${figures.warm.toFixed(0)} ms, ${figures.warmCalls} calls`,
    );
  }
  endpoint.close();
}

if (import.meta.filename === process.argv[1]) await main();
