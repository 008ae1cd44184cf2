/**
 * What a command of the shell is. A command is one entry of a table; help, completion and the look-up read
 * the table.
 */

import { type Word, wordsOf } from '../input/words.js';
import type { Shell } from '../shell.js';
import { ShellError } from '../shell-error.js';

export type Topic = 'data' | 'provenance' | 'what if' | 'agents' | 'output' | 'scripts';

export interface Command {
  /** Without the dot. */
  readonly name: string;
  /** Its arguments: `FILE [TABLE]`. */
  readonly usage: string;
  /** What it does, one line. */
  readonly summary: string;
  /** One use, as it is typed. */
  readonly example: string;
  readonly topic: Topic;
  /** What an argument could be, for completion. */
  readonly offers?: (shell: Shell, argument: number) => Iterable<string>;
  readonly run: (shell: Shell, args: Arguments) => Promise<void> | void;
}

export class Arguments {
  readonly #command: Pick<Command, 'name' | 'usage' | 'example'>;
  /** The whole line, with the dot and the name as they were typed. */
  readonly line: string;
  /** Where the arguments begin in the line. */
  readonly start: number;
  #words: readonly Word[] | undefined;

  constructor(command: Pick<Command, 'name' | 'usage' | 'example'>, line: string, start: number) {
    this.#command = command;
    this.line = line;
    this.start = start;
  }

  /** Everything after the command's name, without blanks around it. */
  get rest(): string {
    return this.line.slice(this.start).trim();
  }

  /** Offset of `rest` in the line. */
  get restStart(): number {
    return this.start + (/^\s*/.exec(this.line.slice(this.start))?.[0].length ?? 0);
  }

  get words(): readonly Word[] {
    if (this.#words) return this.#words;
    const blank = ' '.repeat(this.start);
    this.#words = wordsOf(blank + this.line.slice(this.start));
    return this.#words;
  }

  get count(): number {
    return this.words.length;
  }

  /** The text of the word number `i`; undefined where there is none. */
  at(i: number): string | undefined {
    return this.words[i]?.text;
  }

  /** @throws ShellError `shell/usage` where it is missing */
  needed(i: number, what: string): Word {
    const word = this.words[i];
    if (!word) throw this.wrong(`${what} is missing`, this.line.length);
    return word;
  }

  /** @throws ShellError `shell/usage` where there are more than `count` words */
  atMost(count: number): void {
    const extra = this.words[count];
    if (extra)
      throw this.wrong(`${JSON.stringify(extra.text.slice(0, 64))} is one argument too many`, extra.start);
  }

  /** A row number of a result, from 1. @throws ShellError */
  rowNumber(i: number, rows: number): number {
    const word = this.needed(i, 'the number of a row');
    const number = /^\d{1,9}$/.test(word.text) ? Number(word.text) : 0;
    if (number < 1 || number > rows) {
      const range = rows === 0 ? 'the last result has no rows' : `the last result has rows 1 to ${rows}`;
      throw new ShellError('shell/no-row', `there is no row ${JSON.stringify(word.text.slice(0, 64))}`, {
        offset: word.start,
        hint: range,
      });
    }
    return number - 1;
  }

  /** `on` or `off`; undefined where nothing is said. */
  onOff(): boolean | undefined {
    this.atMost(1);
    const word = this.words[0];
    if (!word) return undefined;
    if (word.text === 'on' || word.text === 'off') return word.text === 'on';
    throw this.wrong('on or off', word.start);
  }

  wrong(message: string, offset: number): ShellError {
    const { name, usage, example } = this.#command;
    return new ShellError('shell/usage', message, {
      offset,
      hint: `${`.${name} ${usage}`.trim()}, for example ${example}`,
    });
  }
}
