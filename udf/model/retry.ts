/**
 * Tries again where that may help. A server's `Retry-After` is obeyed; where it asks for more patience than
 * we have, we give up at once instead of coming back too early.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Model, ModelRequest } from './model.js';
import { ModelError } from './model-error.js';

export interface RetryOptions {
  /** Attempts in all. Default 4. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt; doubles with each. Default 500. */
  readonly firstDelay?: number;
  /** The longest pause of our own. Default 30 000. */
  readonly maxDelay?: number;
  /** The longest pause that a server may ask for. Default 60 000. */
  readonly maxRetryAfter?: number;
  /** In [0, 1); a pause is between half and the whole of its nominal length. Default `Math.random`. */
  readonly jitter?: () => number;
  readonly pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly onRetry?: (error: ModelError, attempt: number, delay: number) => void;
}

export function retrying(model: Model, options: RetryOptions = {}): Model {
  const { attempts = 4, maxRetryAfter = 60_000, pause = abortablePause, onRetry } = options;
  return {
    name: model.name,
    async complete(request: ModelRequest) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await model.complete(request);
        } catch (error) {
          if (!(error instanceof ModelError) || !error.retryable || attempt >= attempts) throw error;
          if ((error.retryAfter ?? 0) > maxRetryAfter) throw error;
          const delay = error.retryAfter ?? backoff(attempt, options);
          onRetry?.(error, attempt, delay);
          await pause(delay, request.signal);
        }
      }
    },
  };
}

/** Exponential, with jitter so that many clients do not come back together. */
function backoff(attempt: number, options: RetryOptions): number {
  const { firstDelay = 500, maxDelay = 30_000, jitter = Math.random } = options;
  const nominal = Math.min(maxDelay, firstDelay * 2 ** (attempt - 1));
  return nominal * (0.5 + 0.5 * jitter());
}

async function abortablePause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch {
    throw new ModelError('model/cancelled', 'The request was cancelled between two attempts.');
  }
}
