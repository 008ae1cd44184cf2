/**
 * `assay repl [FILE...]`. On a terminal lines come from readline, otherwise from a pipe, a file or an
 * argument, and all go the same way; the shell itself cannot tell. On a terminal the prompt is there before
 * the engine is: it is loaded while the user types.
 */
import type { Readable } from 'node:stream';
import type { AskingOptions } from '../model/asking.js';
import type { ExitCode } from '../process/exit-code.js';
import { isTerminal } from '../process/stream.js';
import type { Keyboard, Shell } from '../shell.js';
import type { OutputOptions } from './choose.js';
import type { ScriptOptions } from './run-script.js';

export interface ReplCommandOptions extends ScriptOptions, OutputOptions, AskingOptions {
  /** `--no-history`: nothing is read from the history file or written to it. */
  readonly history?: boolean;
}

export interface ReplStreams {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

export async function replCommand(
  files: readonly string[],
  options: ReplCommandOptions,
  streams: ReplStreams,
): Promise<ExitCode> {
  const scripted = (options.command ?? []).length > 0 || (options.file ?? []).length > 0;
  const interactive = !scripted && isTerminal(streams.stdin) && isTerminal(streams.stdout);
  try {
    if (!interactive) {
      const shell = await openShell(files, options, streams);
      return await (await import('./run-script.js')).runScripts(shell, options, streams);
    }
    const { runTerminal } = await import('./terminal.js');
    const terminal = { history: options.history ?? true, rc: options.rc ?? true };
    return await runTerminal((keyboard) => openShell(files, options, streams, keyboard), streams, terminal);
  } catch (error) {
    const { reportStart } = await import('./choose.js');
    return reportStart(error, streams.stderr);
  }
}

/** @param keyboard present where somebody types */
async function openShell(
  files: readonly string[],
  options: ReplCommandOptions,
  streams: ReplStreams,
  keyboard?: Keyboard,
): Promise<Shell> {
  const { makeShell } = await import('./make-shell.js');
  return makeShell(files, options, streams, keyboard);
}
