/**
 * Scripts: from arguments, files, or standard input. A script stops at the first error, with exit code 1,
 * unless it is told to go on; either way the code says that something failed. Ctrl-C ends the process, as it
 * ends any other (130 to a shell), so that it also stops what keeps the event loop busy.
 */
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { itemsOf, linesOf, type ScriptItem, ScriptReader } from '../input/script.js';
import type { ExitCode } from '../process/exit-code.js';
import { startFile } from '../process/state-folder.js';
import type { Shell } from '../shell.js';

export interface ScriptOptions {
  /** `-c TEXT`, repeatable: statements and commands. */
  readonly command?: readonly string[];
  /** `-f FILE`, repeatable; `-` is standard input. */
  readonly file?: readonly string[];
  /** `--keep-going`: errors do not end the script. */
  readonly keepGoing?: boolean;
  /** `--no-rc`: without the start-up file. */
  readonly rc?: boolean;
}

export async function runScripts(
  shell: Shell,
  options: ScriptOptions,
  { stdin }: { readonly stdin: Readable },
): Promise<ExitCode> {
  try {
    if (options.rc ?? true) await runStartFile(shell);
    const { command = [], file = [] } = options;
    for (const [i, text] of command.entries()) {
      if (!(await runItems(shell, itemsOf(text, command.length === 1 ? '-c' : `-c ${i + 1}`), options)))
        return shell.status;
    }
    for (const path of file) {
      const well =
        path === '-'
          ? await runStream(shell, stdin, 'input', options)
          : await runItems(shell, itemsOf(await readFile(path, 'utf8'), path), options);
      if (!well) return shell.status;
    }
    if (command.length === 0 && file.length === 0) await runStream(shell, stdin, 'input', options);
    return shell.status;
  } finally {
    await shell.output.toStandard();
  }
}

/** @returns whether to go on */
async function runItems(
  shell: Shell,
  items: Iterable<ScriptItem>,
  { keepGoing = false }: ScriptOptions,
): Promise<boolean> {
  for (const item of items) {
    const well = await shell.do(item);
    if (shell.ended || (!well && !keepGoing)) return false;
  }
  return true;
}

async function runStream(
  shell: Shell,
  stream: Readable,
  source: string,
  options: ScriptOptions,
): Promise<boolean> {
  const reader = new ScriptReader(source);
  for await (const line of linesOf(stream)) {
    if (!(await runItems(shell, reader.line(line), options))) return false;
  }
  return runItems(shell, reader.end(), options);
}

/** What the user wants at each start; a file that is not there is none. */
export async function runStartFile(shell: Shell): Promise<void> {
  const path = startFile();
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return;
  }
  for (const item of itemsOf(text, path)) await shell.do(item);
}
