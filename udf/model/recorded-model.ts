/**
 * Record once, replay offline, fail on drift. Exchanges are found by the request, not by their order, so
 * requests may run in parallel; each exchange is used once.
 */
import { existsSync } from 'node:fs';
import { appendExchange, type Exchange, readCassette, recordable, startCassette } from './cassette.js';
import { jsonDifference } from './json-difference.js';
import type { Model } from './model.js';
import { ModelError } from './model-error.js';
import { type Redactor, redactor } from './redact.js';

export interface RecordOptions {
  /** `auto` (default) replays where the file is there and records where it is not. */
  readonly mode?: 'auto' | 'record' | 'replay';
  /** Texts that must not reach the file, beyond what looks like a key. */
  readonly secrets?: readonly string[];
}

/**
 * @param path the cassette
 * @param inner the model to record; needed only then
 * @throws ModelError `model/bad-cassette`, `model/bad-setting`
 */
export function recordedModel(path: string, inner?: Model, options: RecordOptions = {}): Model {
  const { mode = 'auto', secrets = [] } = options;
  const redact = redactor(secrets);
  if (mode === 'replay' || (mode === 'auto' && existsSync(path))) return replay(path, redact);
  if (inner === undefined) {
    throw new ModelError('model/bad-setting', `${path} is not there, and there is no model to record.`);
  }
  return record(path, inner, redact);
}

function record(path: string, inner: Model, redact: Redactor): Model {
  startCassette(path, inner.name);
  return {
    name: inner.name,
    async complete(request) {
      const completion = await inner.complete(request);
      appendExchange(path, { request: recordable(request, redact), completion }, redact);
      return completion;
    },
  };
}

function replay(path: string, redact: Redactor): Model {
  const { model, exchanges } = readCassette(path);
  // Insertion order is file order; what is left first is what a drifted request is compared with.
  const unused = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const key = JSON.stringify(exchange.request);
    const same = unused.get(key);
    if (same === undefined) unused.set(key, [exchange]);
    else same.push(exchange);
  }
  return {
    name: model,
    async complete(request) {
      if (request.signal?.aborted) throw new ModelError('model/cancelled', 'The request was cancelled.');
      const asked = recordable(request, redact);
      const key = JSON.stringify(asked);
      const same = unused.get(key);
      const found = same?.shift();
      if (same?.length === 0) unused.delete(key);
      if (found !== undefined) return found.completion;
      const [next] = unused.values();
      const why =
        next === undefined
          ? 'all its exchanges are used'
          : `the next one differs:\n  ${jsonDifference(next[0].request, asked).join('\n  ')}`;
      throw new ModelError(
        'model/drift',
        `${path} has no answer to this request; ${why}\nRecord it again if this is meant.`,
      );
    },
  };
}
