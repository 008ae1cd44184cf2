/**
 * Listening to a signal that many requests share, without leaks and without Node's warning at eleven
 * listeners.
 */
import { setMaxListeners } from 'node:events';

/**
 * Calls `listener` when `signal` aborts, at once where it has already.
 * @returns takes the listener off again
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
