/**
 * `assay repl [FILE...]`. The one thing to know: on a terminal lines come from readline, otherwise from a pipe, a file or
 * an argument, and all go the same way; the shell itself cannot tell.
 */
import type { Readable } from 'node:stream';
import type { ExitCode } from '../../engine/exit-code.js';
import { choose, chosenMode, type OutputOptions, reportStart } from './choose.js';
import { openFile } from './commands/data.js';
import { runCommand } from './commands/run-command.js';
import { isTerminal } from './output.js';
import { runScripts, type ScriptOptions } from './run-script.js';
import { defaultSettings } from './settings.js';
import { Shell } from './shell.js';
import { runTerminal, TerminalLoan } from './terminal.js';

export interface ReplCommandOptions extends ScriptOptions, OutputOptions {
  /** `--no-history`: nothing is read from the history file or written to it. */
  readonly history?: boolean;
}

export interface ReplStreams {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

export async function replCommand(files: readonly string[], options: ReplCommandOptions, streams: ReplStreams): Promise<ExitCode> {
  const scripted = (options.command ?? []).length > 0 || (options.file ?? []).length > 0;
  const interactive = !scripted && isTerminal(streams.stdin) && isTerminal(streams.stdout);
  const loan = new TerminalLoan();
  try {
    const settings = defaultSettings(chosenMode(options, streams.stdout));
    choose(settings, options);
    const shell = new Shell(streams, { settings, runCommand, interactive, ...(interactive && { lendTerminal: () => loan.lend() }) });
    for (const file of files) await openFile(shell, file);
    if (!interactive) return await runScripts(shell, options, streams);
    return await runTerminal(shell, { stdin: streams.stdin, stdout: streams.stdout }, { history: options.history ?? true, rc: options.rc ?? true, loan });
  } catch (error) {
    return reportStart(error, streams.stderr);
  }
}
