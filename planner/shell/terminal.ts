/**
 * The shell on a terminal: readline, prompts that say why input goes on, history, completion, Ctrl-C. The one thing to
 * know: lines are queued, so pasted text is done in order, and a key is answered while a query runs wherever the
 * executor gives the event loop a turn.
 */
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type ExitCode, exitCode } from '../../engine/exit-code.js';
import { complete } from './complete.js';
import { History } from './history.js';
import { promptOf } from './prompt.js';
import { runStartFile } from './run-script.js';
import { ScriptReader } from './script.js';
import type { Shell } from './shell.js';
import { historyFile } from './state-folder.js';

export interface TerminalOptions {
  readonly history: boolean;
  readonly rc: boolean;
  readonly loan: TerminalLoan;
}

/** The terminal may be lent to a pager. */
export class TerminalLoan {
  #line: Interface | undefined;

  attach(line: Interface): void {
    this.#line = line;
  }

  /** @returns what takes it back */
  lend(): () => void {
    const line = this.#line;
    line?.pause();
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    return () => {
      if (process.stdin.isTTY) process.stdin.setRawMode(true);
      line?.resume();
    };
  }
}

export async function runTerminal(
  shell: Shell,
  streams: { readonly stdin: Readable; readonly stdout: NodeJS.WritableStream },
  options: TerminalOptions,
): Promise<ExitCode> {
  if (options.rc) await runStartFile(shell);
  const history = new History(options.history ? historyFile() : undefined);
  const reader = new ScriptReader('input');
  const line = createInterface({
    input: streams.stdin,
    output: streams.stdout,
    terminal: true,
    // Readline wants the newest first, and appends each line itself: what it has is replaced after each entry.
    history: history.entries.toReversed(),
    historySize: 2000,
    removeHistoryDuplicates: true,
    completer: (text: string) => complete(shell, text),
  });
  options.loan.attach(line);
  streams.stdout.write('assay: what is it made of, and may it be acted on. .help lists commands, .exit leaves.\n');
  const session = new TerminalSession(shell, line, reader, history);
  await session.run();
  history.close();
  await shell.output.toStandard();
  return shell.status === exitCode.interrupted ? exitCode.done : shell.status;
}

class TerminalSession {
  readonly #shell: Shell;
  readonly #line: Interface;
  readonly #reader: ScriptReader;
  readonly #history: History;
  readonly #queue: string[] = [];
  /** Lines of the entry that is being typed. */
  #entry: string[] = [];
  #closed = false;
  /** Ctrl-C on an empty prompt; a second one leaves. */
  #wantsToLeave = false;
  #wake: (() => void) | undefined;

  constructor(shell: Shell, line: Interface, reader: ScriptReader, history: History) {
    this.#shell = shell;
    this.#line = line;
    this.#reader = reader;
    this.#history = history;
    line.on('line', (text) => {
      this.#queue.push(text);
      this.#wake?.();
    });
    line.on('SIGINT', () => this.#interrupt());
    line.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  async run(): Promise<void> {
    this.#prompt();
    for (;;) {
      const text = this.#queue.shift();
      if (text === undefined) {
        if (this.#closed) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      await this.#take(text);
      if (this.#shell.ended) break;
      if (this.#queue.length === 0) this.#prompt();
    }
    // What stands there without a semicolon was never meant to run: Ctrl-D leaves.
    this.#line.close();
    if (!this.#shell.ended) process.stdout.write('\n');
  }

  async #take(text: string): Promise<void> {
    this.#wantsToLeave = false;
    // A recalled entry has several lines.
    for (const one of text.split(/\r?\n/)) {
      this.#entry.push(one);
      const items = this.#reader.line(one);
      if (this.#reader.pending === 'nothing') this.#remember();
      for (const item of items) {
        await this.#shell.do(item);
        if (this.#shell.ended) return;
      }
    }
  }

  /** Readline keeps each line; the history keeps each entry, and not every one. */
  #remember(): void {
    const entry = this.#entry.join('\n').trimEnd();
    this.#entry = [];
    this.#history.add(entry, (text) => this.#shell.workspace.secrets.isIn(text));
    // Node has this list and its types do not: newest first, and what the arrow keys go through.
    const { history } = this.#line as Interface & { readonly history?: string[] };
    history?.splice(0, history.length, ...this.#history.entries.toReversed());
  }

  #interrupt(): void {
    this.#queue.length = 0;
    if (this.#shell.interrupt()) return;
    const typed = this.#line.line !== '' || this.#reader.pending !== 'nothing';
    process.stdout.write('^C\n');
    if (!typed && this.#wantsToLeave) {
      this.#line.close();
      return;
    }
    this.#wantsToLeave = !typed;
    if (!typed) process.stdout.write('Ctrl-C again, Ctrl-D or .exit leaves\n');
    this.#reader.reset();
    this.#entry = [];
    // Clears the line that was being typed without giving it to anybody.
    this.#line.write(null, { ctrl: true, name: 'e' });
    this.#line.write(null, { ctrl: true, name: 'u' });
    this.#prompt();
  }

  #prompt(): void {
    this.#line.setPrompt(promptOf(this.#shell.workspace.name, this.#reader.pending));
    this.#line.prompt();
  }
}
