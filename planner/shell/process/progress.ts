/** A progress line on a terminal: nothing at all where the stream is none. */

/** A terminal, or any other stream. */
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

export class Progress {
  readonly #stream: Output;
  readonly #what: string;
  #shown = 0;

  constructor(stream: Output, what: string) {
    this.#stream = stream;
    this.#what = what;
  }

  /** @param total 0 where it is not known */
  update(done: number, total: number): void {
    if (!this.#stream.isTTY) return;
    const now = Date.now();
    if (now - this.#shown < 100) return;
    this.#shown = now;
    const share = total > 0 ? done / total : 0;
    const bar = total > 0 ? `[${'#'.repeat(Math.round(30 * share)).padEnd(30, '.')}] ` : '';
    this.#stream.write(`\r\x1b[K${bar}${done} ${this.#what}`);
  }

  clear(): void {
    if (this.#stream.isTTY && this.#shown > 0) this.#stream.write('\r\x1b[K');
    this.#shown = 0;
  }
}
