/**
 * A pager for long results on a terminal: `$PAGER`, or `less`; the user's own choice, run by the user's own
 * shell.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { OutputClosed } from '../output/output.js';

export interface Pager {
  /** @throws OutputClosed where the user has left the pager */
  write(text: string): Promise<void>;
  /** Waits until the user has left it, and takes the terminal back. */
  close(): Promise<void>;
}

/** @param lendTerminal gives the terminal away and returns what takes it back */
export function openPager(lendTerminal: () => () => void): Pager | undefined {
  const command = process.env.PAGER ?? 'less -FRSX';
  if (command.trim() === '' || command.trim() === 'cat') return undefined;
  const takeBack = lendTerminal();
  const pager: ChildProcess = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
  let gone = false;
  const left = new Promise<void>((resolve) => {
    const done = () => {
      gone = true;
      resolve();
    };
    pager.on('error', done);
    pager.on('exit', done);
  });
  const { stdin } = pager;
  stdin?.on('error', () => {
    gone = true;
  });
  return {
    write: async (text) => {
      if (gone || !stdin) throw new OutputClosed();
      if (!stdin.write(text)) await Promise.race([once(stdin, 'drain'), left]);
      if (gone) throw new OutputClosed();
    },
    close: async () => {
      stdin?.end();
      await left;
      takeBack();
    },
  };
}
