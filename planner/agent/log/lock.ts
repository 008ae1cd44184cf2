/**
 * One process writes a log. Two that resume the same session would make the same calls, so the second is
 * refused; the lock of a process that is gone is void.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { LogError } from './log-error.js';

/**
 * Locks `path` with a file beside it that names this process.
 * @returns takes the lock off
 * @throws LogError `log/in-use`
 */
export function lock(path: string): () => void {
  const file = `${path}.lock`;
  if (!take(file)) {
    const holder = Number(readFileSync(file, 'utf8'));
    if (isAlive(holder)) {
      throw new LogError(
        'log/in-use',
        `${path} is being written by process ${holder}; if it is not, remove ${file}`,
      );
    }
    rmSync(file, { force: true });
    if (!take(file)) throw new LogError('log/in-use', `${path} is being resumed by another process`);
  }
  return () => rmSync(file, { force: true });
}

function take(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** A lock without a number was cut off while it was made, by a process that is gone. */
function isAlive(holder: number): boolean {
  if (!Number.isInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    // It is there, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
