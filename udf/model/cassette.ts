/**
 * The file of a recorded model: JSON lines, a header and one line for each exchange. What is written has
 * passed the redactor, so a cassette can be committed.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Completion, ModelRequest } from './model.js';
import { ModelError } from './model-error.js';
import type { Redactor } from './redact.js';

export const cassetteVersion = 1;

/** A request as plain data: without its signal, its nonce replaced by a fixed word. */
export type RecordedRequest = Omit<ModelRequest, 'signal' | 'nonce'>;

export interface Exchange {
  readonly request: RecordedRequest;
  readonly completion: Completion;
}

export function recordable(
  { signal: _, nonce, ...request }: ModelRequest,
  redact: Redactor,
): RecordedRequest {
  let text = JSON.stringify(request);
  if (nonce) text = text.replaceAll(nonce, '[nonce]');
  return JSON.parse(redact(text)) as RecordedRequest;
}

export function startCassette(path: string, model: string): void {
  writeFileSync(path, `${JSON.stringify({ cassette: cassetteVersion, model })}\n`, { mode: 0o600 });
}

export function appendExchange(path: string, exchange: Exchange, redact: Redactor): void {
  appendFileSync(path, `${redact(JSON.stringify(exchange))}\n`);
}

/** @throws ModelError `model/bad-cassette` with the line */
export function readCassette(path: string): {
  readonly model: string;
  readonly exchanges: readonly Exchange[];
} {
  const lines = readText(path).split('\n');
  const header = parseLine(path, 1, lines[0]);
  if (header.cassette !== cassetteVersion || typeof header.model !== 'string') {
    throw new ModelError('model/bad-cassette', `${path}:1: not a cassette of version ${cassetteVersion}`);
  }
  const exchanges: Exchange[] = [];
  for (let i = 1; i < lines.length; i += 1) {
    if (lines[i] === '') continue;
    const line = parseLine(path, i + 1, lines[i]);
    if (!isExchange(line)) {
      throw new ModelError(
        'model/bad-cassette',
        `${path}:${i + 1}: expected {"request": …, "completion": …}`,
      );
    }
    exchanges.push(line);
  }
  return { model: header.model, exchanges };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ModelError('model/bad-cassette', `${path}: cannot be read; record it first`, { cause: error });
  }
}

function parseLine(path: string, number: number, line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // said below
  }
  throw new ModelError('model/bad-cassette', `${path}:${number}: not a JSON object`);
}

function isExchange(line: Record<string, unknown>): line is Record<string, unknown> & Exchange {
  const { request, completion } = line;
  if (typeof request !== 'object' || request === null) return false;
  if (typeof completion !== 'object' || completion === null) return false;
  const message: unknown = Reflect.get(completion, 'message');
  return (
    Array.isArray(Reflect.get(request, 'messages')) &&
    typeof message === 'object' &&
    message !== null &&
    typeof Reflect.get(message, 'text') === 'string' &&
    Array.isArray(Reflect.get(message, 'toolCalls')) &&
    typeof Reflect.get(completion, 'usage') === 'object' &&
    typeof Reflect.get(completion, 'finish') === 'string'
  );
}
