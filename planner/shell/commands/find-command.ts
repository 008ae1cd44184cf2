/** A command by its name, or by the beginning of it. */
import { nearestName } from '../../../semiring/message/nearest.js';
import { ShellError } from '../shell-error.js';
import type { Command } from './command.js';

/** Names may be shortened where they are unique. @throws ShellError `shell/unknown-command` */
export function commandNamed(typed: string, commands: readonly Command[], offset = 1): Command {
  const exact = commands.find((command) => command.name === typed);
  if (exact) return exact;
  const possible = typed === '' ? [] : commands.filter((command) => command.name.startsWith(typed));
  if (possible.length === 1) return possible[0];
  const shown = JSON.stringify(`.${typed.slice(0, 64)}`);
  if (possible.length > 1) {
    const names = possible.map((command) => `.${command.name}`);
    throw new ShellError('shell/unknown-command', `${shown} is short for ${names.join(' and ')}`, { offset });
  }
  const near = nearestName(
    typed,
    commands.map((command) => command.name),
  );
  throw new ShellError('shell/unknown-command', `there is no command ${shown}`, {
    offset,
    hint: near === undefined ? '.help lists the commands' : `did you mean .${near}? .help lists the commands`,
  });
}
