/** Puts a shell together: settings from options, commands, and the files that were given. */

import { openFile } from '../commands/data.js';
import { runCommand } from '../commands/run-command.js';
import type { AskingOptions } from '../model/asking.js';
import { askingOf } from '../model/open-asking.js';
import { defaultSettings } from '../settings.js';
import { type Keyboard, Shell, type ShellStreams } from '../shell.js';
import { choose, chosenMode, type OutputOptions } from './choose.js';

/**
 * @param keyboard present where somebody types
 * @throws AssayError, errors of the file system
 */
export async function makeShell(
  files: readonly string[],
  options: OutputOptions & AskingOptions,
  streams: ShellStreams,
  keyboard?: Keyboard,
): Promise<Shell> {
  const settings = defaultSettings(chosenMode(options, streams.stdout));
  choose(settings, options);
  const asking = await askingOf(options, streams.stderr);
  const shell = new Shell(streams, {
    settings,
    runCommand,
    ...(keyboard && { keyboard }),
    ...(asking && { asking }),
  });
  for (const file of files) await openFile(shell, file);
  return shell;
}
