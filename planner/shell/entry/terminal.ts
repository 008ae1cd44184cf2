/**
 * The shell on a terminal: readline, prompts that say why input goes on, history, completion, Ctrl-C. Lines
 * are queued, so pasted text is done in order, and a key is answered while a query runs wherever the executor
 * gives the event loop a turn.
 */
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ScriptReader } from '../input/script.js';
import { type ExitCode, exitCode } from '../process/exit-code.js';
import { InterruptKey } from '../process/interrupt-key.js';
import { historyFile } from '../process/state-folder.js';
import type { Keyboard, Shell } from '../shell.js';
import { History } from './history.js';
import { promptOf } from './prompt.js';

export interface TerminalOptions {
  readonly history: boolean;
  readonly rc: boolean;
}

export interface TerminalStreams {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
}

/** @param open makes the shell, given its keyboard */
export async function runTerminal(
  open: (keyboard: Keyboard) => Promise<Shell>,
  streams: TerminalStreams,
  options: TerminalOptions,
): Promise<ExitCode> {
  const history = new History(options.history ? historyFile() : undefined);
  const session = new TerminalSession(open, streams, history, options);
  try {
    return await session.run();
  } finally {
    session.close();
    history.close();
  }
}

class TerminalSession {
  readonly #streams: TerminalStreams;
  readonly #opening: Promise<Shell>;
  readonly #line: Interface;
  readonly #history: History;
  readonly #reader = new ScriptReader('input');
  readonly #queue: string[] = [];
  readonly #interruptKey: InterruptKey;
  /** Undefined until it is loaded. */
  #shell: Shell | undefined;
  /** Lines of the entry that is being typed. */
  #entry: string[] = [];
  #closed = false;
  /** Ctrl-C on an empty prompt; a second one leaves. */
  #wantsToLeave = false;
  #wake: (() => void) | undefined;

  constructor(
    open: (keyboard: Keyboard) => Promise<Shell>,
    streams: TerminalStreams,
    history: History,
    options: TerminalOptions,
  ) {
    this.#streams = streams;
    this.#history = history;
    // What was typed ahead goes where it would have gone.
    this.#interruptKey = new InterruptKey((keys) => streams.stdin.unshift(keys));
    this.#line = createInterface({
      input: streams.stdin,
      output: streams.stdout,
      terminal: true,
      history: history.entries.toReversed(),
      historySize: 2000,
      removeHistoryDuplicates: true,
      completer: (text: string, give: (error: null, result: [string[], string]) => void) => {
        this.#complete(text).then(
          (result) => give(null, result),
          () => give(null, [[], text]),
        );
      },
    });
    this.#line.on('line', (text) => {
      this.#queue.push(text);
      this.#wake?.();
    });
    this.#line.on('SIGINT', () => this.#interrupt());
    this.#line.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
    streams.stdout.write(
      'assay: what is it made of, and may it be acted on. .help lists commands, .exit leaves.\n',
    );
    this.#line.setPrompt(promptOf(undefined, 'nothing'));
    this.#line.prompt();
    // After the prompt is on the screen.
    this.#opening = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
      this.#open(open, options),
    );
    this.#opening.catch(() => this.#wake?.());
  }

  async run(): Promise<ExitCode> {
    const shell = await this.#opening;
    for (;;) {
      const text = this.#queue.shift();
      if (text === undefined) {
        if (this.#closed) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      await this.#take(shell, text);
      if (shell.ended) break;
      if (this.#queue.length === 0 && !this.#closed) this.#prompt();
    }
    // What stands there without a semicolon was never meant to run: Ctrl-D leaves.
    await shell.output.toStandard();
    if (!shell.ended) this.#streams.stdout.write('\n');
    // Somebody saw each error; only `.exit N` says something to whoever started the shell.
    return shell.ended ? shell.status : exitCode.done;
  }

  close(): void {
    this.#line.close();
    this.#interruptKey.close();
  }

  async #open(open: (keyboard: Keyboard) => Promise<Shell>, { rc }: TerminalOptions): Promise<Shell> {
    const shell = await open({
      lend: () => this.#lend(),
      watch: (controller) => this.#interruptKey.watch(controller),
    });
    if (rc) await (await import('./run-script.js')).runStartFile(shell);
    this.#shell = shell;
    // The grammar is loaded while nobody waits for it.
    if (this.#queue.length === 0)
      void import('../../../engine/sql/index.js').then(({ parseSql }) => parseSql('SELECT 1'));
    // A file that was opened has a name, which the prompt shows; what has been typed meanwhile stays.
    if (shell.workspace.name !== undefined) this.#prompt();
    return shell;
  }

  /** Gives the terminal to another program. @returns what takes it back */
  #lend(): () => void {
    this.#line.pause();
    return () => {
      this.#line.resume();
    };
  }

  async #complete(text: string): Promise<[string[], string]> {
    const shell = await this.#opening;
    return (await import('./complete.js')).complete(shell, text);
  }

  async #take(shell: Shell, text: string): Promise<void> {
    this.#wantsToLeave = false;
    // A recalled entry has several lines.
    for (const one of text.split(/\r?\n/)) {
      this.#entry.push(one);
      const items = this.#reader.line(one);
      if (this.#reader.pending === 'nothing') this.#remember(shell);
      for (const item of items) {
        await shell.do(item);
        if (shell.ended) return;
      }
    }
  }

  /** Readline keeps each line; the history keeps each entry, and not every one. */
  #remember(shell: Shell): void {
    const entry = this.#entry.join('\n').trimEnd();
    this.#entry = [];
    this.#history.add(entry, (text) => shell.workspace.secrets.isIn(text));
    // Node has this list and its types do not: newest first, and what the arrow keys go through.
    const { history } = this.#line as Interface & { readonly history?: string[] };
    history?.splice(0, history.length, ...this.#history.entries.toReversed());
  }

  #interrupt(): void {
    this.#queue.length = 0;
    if (this.#shell?.interrupt()) return;
    const typed = this.#line.line !== '' || this.#reader.pending !== 'nothing';
    this.#streams.stdout.write('^C\n');
    if (!typed && this.#wantsToLeave) {
      this.#line.close();
      return;
    }
    this.#wantsToLeave = !typed;
    if (!typed) this.#streams.stdout.write('Ctrl-C again, Ctrl-D or .exit leaves\n');
    this.#reader.reset();
    this.#entry = [];
    // Clears the line that was being typed without giving it to anybody.
    this.#line.write(null, { ctrl: true, name: 'e' });
    this.#line.write(null, { ctrl: true, name: 'u' });
    this.#prompt();
  }

  #prompt(): void {
    this.#line.setPrompt(promptOf(this.#shell?.workspace.name, this.#reader.pending));
    this.#line.prompt(true);
  }
}
