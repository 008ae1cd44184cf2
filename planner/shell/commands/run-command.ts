/** From a line that begins with a dot to a command that runs. */
import type { Shell } from '../shell.js';
import { Arguments } from './command.js';
import { commandNamed } from './find-command.js';
import { commands } from './table.js';

export async function runCommand(shell: Shell, line: string): Promise<void> {
  const typed = /^\.(\S*)/.exec(line)?.[1] ?? '';
  const command = commandNamed(typed, commands);
  await command.run(shell, new Arguments(command, line, typed.length + 1));
}
