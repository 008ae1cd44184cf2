/**
 * A concurrency limit: at most `limit` tasks run at a time, the others wait in the order in which they came.
 */

import type { Model } from './model.js';
import { ModelError } from './model-error.js';
import { onAbort } from './on-abort.js';

export class Limiter {
  readonly #limit: number;
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new ModelError('model/bad-setting', `A concurrency limit is a whole number from 1: ${limit}`);
    }
    this.#limit = limit;
  }

  /**
   * Runs `task` when there is room.
   * @throws ModelError `model/cancelled` where `signal` aborts while the task waits
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await this.#room(signal);
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      // The slot goes straight to the next one, so nobody who comes later can overtake.
      if (next === undefined) this.#running -= 1;
      else {
        this.#waiting.delete(next);
        next();
      }
    }
  }

  #room(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let off = () => {};
      const enter = () => {
        off();
        resolve();
      };
      this.#waiting.add(enter);
      off = onAbort(signal, () => {
        this.#waiting.delete(enter);
        reject(new ModelError('model/cancelled', 'The request was cancelled while it waited.'));
      });
    });
  }
}

/** `model`, with at most `limit` requests under way. */
export function limited(model: Model, limit: number): Model {
  const limiter = new Limiter(limit);
  return {
    name: model.name,
    complete: (request) => limiter.run(() => model.complete(request), request.signal),
  };
}
