/**
 * Plays lines of input to a shell and writes down the screen: prompts, input, results and reports in their
 * order. The tutorial, its transcript and the transcripts of the tests are all made here, by the shell
 * itself.
 */
import { Writable } from 'node:stream';
import { runCommand } from '../commands/run-command.js';
import { ScriptReader } from '../input/script.js';
import type { Asking } from '../model/asking.js';
import { defaultSettings, type Settings } from '../settings.js';
import { Shell } from '../shell.js';
import { promptOf } from './prompt.js';

export interface PlayerOptions {
  /** Where relative paths begin. Default: the current folder. */
  readonly folder?: string;
  readonly settings?: Partial<Settings>;
  /** Answers `ask`; progress and warnings go to `screen`. */
  readonly asking?: (screen: NodeJS.WritableStream) => Asking | undefined;
}

export class Player {
  readonly shell: Shell;
  readonly #reader = new ScriptReader('input');
  #screen = '';

  constructor(options: PlayerOptions = {}) {
    const screen = new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        this.#screen += chunk;
        done();
      },
    });
    const asking = options.asking?.(screen);
    this.shell = new Shell(
      { stdout: screen, stderr: screen },
      {
        settings: { ...defaultSettings('box'), width: 100, ...options.settings },
        runCommand,
        ...(options.folder !== undefined && { folder: options.folder }),
        ...(asking && { asking }),
      },
    );
  }

  /** Plays one line. @returns what the screen shows for it, the prompt and the line first */
  async line(text: string): Promise<string> {
    this.#screen += `${promptOf(this.shell.workspace.name, this.#reader.pending)}${text}\n`;
    for (const item of this.#reader.line(text)) await this.shell.do(item);
    const shown = this.#screen;
    this.#screen = '';
    return shown;
  }

  async lines(texts: Iterable<string>): Promise<string> {
    let screen = '';
    for (const text of texts) screen += await this.line(text);
    return screen;
  }
}

/** A line that the user typed, after its prompt. */
const typed = /^(?:assay(?: [^>]*)?>| +[-'"(*$]>) ?(.*)$/;

/** The input of a transcript: the lines that stand after a prompt. */
export function inputOf(transcript: string): string[] {
  return transcript.split('\n').flatMap((line) => typed.exec(line)?.[1] ?? []);
}
