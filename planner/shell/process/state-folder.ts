/**
 * Where the shell keeps what it remembers and what the user wants at each start, after the XDG base
 * directories.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The history. */
export function historyFile(environment: Environment = process.env): string {
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'assay', 'history');
}

/** A script that every shell begins with. */
export function startFile(environment: Environment = process.env): string {
  return join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'assay', 'rc');
}
