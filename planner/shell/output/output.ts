/**
 * Where results go: standard output, or a file for a while. `write` waits when the reader is slow, so a
 * result of a million rows never piles up in memory, and a reader that has gone away ends the writing
 * quietly.
 */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { isTerminal } from '../process/stream.js';

/** The reader of the output has gone away. */
export class OutputClosed extends Error {}

export class Output {
  readonly #standard: NodeJS.WritableStream;
  #file: { readonly stream: WriteStream; readonly once: boolean; used: boolean } | undefined;
  #closed = false;

  constructor(standard: NodeJS.WritableStream) {
    this.#standard = standard;
    const gone = () => {
      this.#closed = true;
    };
    standard.on('error', gone);
    standard.on('close', gone);
  }

  /** Whether a person looks at what is written now. */
  get isScreen(): boolean {
    return this.#file === undefined && isTerminal(this.#standard);
  }

  /** Columns of the screen; undefined where there is none. */
  get columns(): number | undefined {
    return isTerminal(this.#standard) ? this.#standard.columns : undefined;
  }

  get rows(): number | undefined {
    return this.isScreen && isTerminal(this.#standard) ? this.#standard.rows : undefined;
  }

  /** @throws OutputClosed */
  async write(text: string): Promise<void> {
    if (text === '') return;
    if (this.#file) this.#file.used = true;
    const stream = this.#file?.stream ?? this.#standard;
    if (this.#closed && !this.#file) throw new OutputClosed();
    if (stream.write(text)) return;
    const settled = new AbortController();
    try {
      await Promise.race([
        once(stream, 'drain', { signal: settled.signal }),
        once(stream, 'close', { signal: settled.signal }),
      ]);
    } catch (error) {
      if (!this.#closed) throw error;
    } finally {
      settled.abort();
    }
    if (this.#closed && !this.#file) throw new OutputClosed();
  }

  /** From now on to a file; for one statement where `forOne` is set. Waits until the file is open. */
  async toFile(path: string, forOne: boolean): Promise<void> {
    await this.toStandard();
    const stream = createWriteStream(path);
    await once(stream, 'open');
    this.#file = { stream, once: forOne, used: false };
  }

  /** Back to standard output; the file is complete when this is done. */
  async toStandard(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    file.stream.end();
    await once(file.stream, 'close');
  }

  /** A statement is done: what was for one statement ends, once something has been written. */
  async statementDone(): Promise<void> {
    if (this.#file?.once && this.#file.used) await this.toStandard();
  }
}
