/** Commands about scripts, plans and the shell itself. */
import { readFile } from 'node:fs/promises';
import { SqlError } from '../../../engine/sql/index.js';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { type ExitCode, exitCode } from '../process/exit-code.js';
import type { Shell } from '../shell.js';
import { ShellError } from '../shell-error.js';
import type { Command } from './command.js';

export const scriptCommands: readonly Command[] = [
  {
    name: 'read',
    usage: 'FILE',
    summary: 'do what stands in a file: statements and commands; stops where one fails',
    example: '.read load.sql',
    topic: 'scripts',
    run: async (shell, args) => {
      args.atMost(1);
      const path = args.needed(0, 'the file').text;
      await shell.read(await readFile(shell.path(path), 'utf8'), path);
    },
  },
  {
    name: 'explain',
    usage: '[analyze] [SELECT …]',
    summary: 'the plan of a query, or of the last one: its operators, the rules that fired, estimates',
    example: '.explain analyze SELECT 1',
    topic: 'scripts',
    offers: () => ['analyze'],
    run: async (shell, args) => {
      const [, analyze, given = ''] = /^(analyze\b)?\s*(.*)$/is.exec(args.rest) ?? [];
      const sql = given.replace(/;\s*$/, '') || shell.last.sql;
      try {
        const { text } = await shell.workspace.database.explain(sql, [], { analyze: analyze !== undefined });
        await shell.print(visibleText(text, { newlines: 'keep' }));
      } catch (error) {
        if (!(error instanceof SqlError) || given === '') throw error;
        throw new ShellError(error.code, error.reason, {
          offset: args.line.length - given.length + error.offset,
          ...(error.hint !== undefined && { hint: error.hint }),
          cause: error,
        });
      }
    },
  },
  leaving('exit'),
  leaving('quit'),
];

function leaving(name: string): Command {
  return {
    name,
    usage: '[CODE]',
    summary: 'leave, with an exit code',
    example: `.${name}`,
    topic: 'scripts',
    run: (shell: Shell, args) => {
      args.atMost(1);
      const word = args.words[0];
      if (word && !(/^\d{1,3}$/.test(word.text) && Number(word.text) < 256))
        throw args.wrong('a number from 0 to 255', word.start);
      // Whoever writes a script chooses its codes.
      shell.status = (
        word ? Number(word.text) : shell.interactive ? exitCode.done : shell.status
      ) as ExitCode;
      shell.ended = true;
    },
  };
}
