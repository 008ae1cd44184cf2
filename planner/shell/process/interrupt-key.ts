/**
 * Ctrl-C while an operator keeps the event loop busy. The executor asks its signal every few thousand rows,
 * and a signal that is asked looks at the keyboard itself; other keys that it finds there are given back.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';

/** Milliseconds between two looks at the keyboard. */
const patience = 50;
const controlC = 3;

export class InterruptKey {
  readonly #terminal: number | undefined;
  readonly #giveBack: (keys: Buffer) => void;
  readonly #buffer = Buffer.alloc(256);
  #last = 0;

  constructor(giveBack: (keys: Buffer) => void) {
    this.#giveBack = giveBack;
    try {
      this.#terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // No such device here: Ctrl-C is seen when the event loop gets a turn.
    }
  }

  /** Makes a controller's signal look at the keyboard whenever it is asked whether it is aborted. */
  watch(controller: AbortController): void {
    const { signal } = controller;
    Object.defineProperty(signal, 'aborted', {
      get: () => {
        if (this.#isPressed()) controller.abort();
        return Reflect.get(AbortSignal.prototype, 'aborted', signal) === true;
      },
    });
  }

  close(): void {
    if (this.#terminal !== undefined) closeSync(this.#terminal);
  }

  #isPressed(): boolean {
    const now = performance.now();
    if (this.#terminal === undefined || now - this.#last < patience) return false;
    this.#last = now;
    let length = 0;
    try {
      length = readSync(this.#terminal, this.#buffer);
    } catch {
      // Nothing has been typed.
      return false;
    }
    const keys = this.#buffer.subarray(0, length);
    if (keys.includes(controlC)) return true;
    if (length > 0) this.#giveBack(Buffer.from(keys));
    return false;
  }
}
