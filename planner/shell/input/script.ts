/**
 * A script: lines of SQL and of commands that begin with a dot, in the order in which they are to be done.
 * Every item knows its place, and the same reader serves terminal, pipe, file and argument.
 */
import { type Pending, Splitter } from './splitter.js';

/** Where an item begins; line and column from 1. */
export interface Origin {
  /** The file's name, `-c`, or `input` for a terminal and a pipe. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

export type ScriptItem =
  | { readonly kind: 'sql'; readonly text: string; readonly origin: Origin }
  /** The text begins with the dot. */
  | { readonly kind: 'command'; readonly text: string; readonly origin: Origin };

export class ScriptReader {
  readonly #source: string;
  readonly #splitter = new Splitter();
  #number = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get pending(): Pending {
    return this.#splitter.pending;
  }

  /** The statement that is not complete. */
  get unfinished(): string {
    return this.#splitter.text;
  }

  line(text: string): ScriptItem[] {
    this.#number += 1;
    if (this.#splitter.pending === 'nothing') {
      const blanks = /^\s*/.exec(text)?.[0].length ?? 0;
      if (text[blanks] === '.') {
        const origin = { source: this.#source, line: this.#number, column: blanks + 1 };
        return [{ kind: 'command', text: text.slice(blanks).trimEnd(), origin }];
      }
    }
    return this.#splitter.line(text, this.#number).map((found) => this.#item(found));
  }

  /** What stands at the end without a semicolon. */
  end(): ScriptItem[] {
    const last = this.#splitter.end();
    return last ? [this.#item(last)] : [];
  }

  reset(): void {
    this.#splitter.reset();
  }

  #item({ text, line, column }: { text: string; line: number; column: number }): ScriptItem {
    return { kind: 'sql', text, origin: { source: this.#source, line, column } };
  }
}

/** The lines of a stream, as they come in; a line feed ends one, a carriage return before it is dropped. */
export async function* linesOf(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of stream) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      parts.push(text.slice(from, end));
      yield parts.join('').replace(/\r$/, '');
      parts = [];
      from = end + 1;
    }
    parts.push(text.slice(from));
  }
  const last = parts.join('') + decoder.decode();
  if (last !== '') yield last;
}

export function itemsOf(text: string, source: string): ScriptItem[] {
  const reader = new ScriptReader(source);
  const items = text.split(/\r?\n/).flatMap((line) => reader.line(line));
  return [...items, ...reader.end()];
}
