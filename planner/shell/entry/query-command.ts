/**
 * `assay query 'SQL' --table t=file.csv`: for scripts. Standard output is data and nothing else, errors go to
 * standard error with file, line, column and a mark, and the exit code says how it went.
 */

import { AssayError } from '../../../semiring/message/error.js';
import { openDatabase } from '../commands/data.js';
import { runCommand } from '../commands/run-command.js';
import type { AskingOptions } from '../model/asking.js';
import { askingOf } from '../model/open-asking.js';
import type { ExitCode } from '../process/exit-code.js';
import { defaultSettings } from '../settings.js';
import { Shell } from '../shell.js';
import { importFile } from '../workspace/open-file.js';
import { Workspace } from '../workspace/workspace.js';
import { choose, chosenMode, type OutputOptions, reportStart } from './choose.js';
import type { ReplStreams } from './repl-command.js';
import { runScripts, type ScriptOptions } from './run-script.js';

export interface SourceOptions {
  /** `--table NAME=FILE`, or `--table FILE`; repeatable. */
  readonly table?: readonly string[];
  /** `--database FILE`: a saved database. */
  readonly database?: string;
  /** `--session FILE`: an agent's log. */
  readonly session?: string;
}

export interface QueryCommandOptions extends ScriptOptions, OutputOptions, SourceOptions, AskingOptions {}

/** @param sql undefined: from `-c`, `-f`, or standard input */
export async function queryCommand(
  sql: string | undefined,
  options: QueryCommandOptions,
  streams: ReplStreams,
): Promise<ExitCode> {
  try {
    const settings = { ...defaultSettings(chosenMode(options, streams.stdout)), semiring: undefined };
    choose(settings, options);
    const asking = await askingOf(options, streams.stderr);
    const shell = new Shell(streams, {
      settings,
      runCommand,
      ...(asking && { asking }),
      ...(options.json && { jsonErrors: true }),
    });
    shell.workspace = await openSources(options);
    const command = [...(sql === undefined ? [] : [sql]), ...(options.command ?? [])];
    // Scripts of others must not depend on what this user likes.
    return await runScripts(shell, { ...options, command, rc: false }, streams);
  } catch (error) {
    return reportStart(error, streams.stderr, options.json);
  }
}

/** What the options open. @throws AssayError, errors of the file system */
export async function openSources({ table = [], database, session }: SourceOptions): Promise<Workspace> {
  if (database !== undefined && session !== undefined) {
    throw new AssayError('shell/usage', '--database and --session exclude each other');
  }
  const workspace =
    session !== undefined
      ? await openLog(session)
      : database !== undefined
        ? await openDatabase(database)
        : new Workspace();
  for (const source of table) {
    const [, name, path] = /^([^=/\\.]+)=(.+)$/s.exec(source) ?? [];
    await importFile(workspace.database, path ?? source, name === undefined ? {} : { table: name });
  }
  return workspace;
}

async function openLog(path: string): Promise<Workspace> {
  const { databaseOf, openSession } = await import('../workspace/open-session.js');
  const session = openSession(path);
  return new Workspace(databaseOf(session), path, session);
}
