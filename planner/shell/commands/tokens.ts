/** Commands that say what tokens are called, what they are worth, and who made them. */
import { showLabel } from '../../../semiring/index.js';
import { labelFrom, semiringValue } from '../input/semiring-value.js';
import { rowTokensOf } from '../input/token-names.js';
import { counted } from '../output/counted.js';
import type { Shell } from '../shell.js';
import { ShellError } from '../shell-error.js';
import type { Arguments, Command } from './command.js';

const tokenNames = (shell: Shell): Iterable<string> => [
  ...shell.workspace.database.tables.map((table) => table.name),
  ...shell.workspace.tokens.names(''),
];

export const tokenCommands: readonly Command[] = [
  {
    name: 'token',
    usage: '[TOKEN as NAME | TABLE as NAME,… | TOKEN = VALUE]',
    summary: 'names tokens, or says what they are worth in the current semiring; without arguments, the list',
    example: '.token r as p,r,s',
    topic: 'provenance',
    offers: tokenNames,
    run: async (shell, args) => {
      if (args.count === 0) return listTokens(shell);
      const [, what, sign, rest] = /^(\S+?)\s*(=|\sas\s)\s*(.+)$/s.exec(args.rest) ?? [];
      if (what === undefined)
        throw args.wrong('a token, then as and a name, or = and a value', args.restStart);
      const offset = args.line.length - rest.length;
      if (sign === '=') giveValue(shell, args, what, rest.trim(), offset);
      else
        giveNames(
          shell,
          args,
          what,
          rest.split(',').map((name) => name.trim()),
          offset,
        );
    },
  },
  {
    name: 'label',
    usage: '[TABLE|TOKEN trusted|untrusted [READERS]]',
    summary: 'who made it and who may read it; unlabelled data is untrusted and for nobody; alone, the list',
    example: '.label orders trusted {alice, bob}',
    topic: 'provenance',
    offers: (shell, argument) =>
      argument === 0 ? tokenNames(shell) : argument === 1 ? ['trusted', 'untrusted'] : ['everyone', 'nobody'],
    run: async (shell, args) => {
      const { workspace } = shell;
      if (args.count === 0) {
        await shell.table(
          ['what', 'label'],
          [...workspace.labels].map(([what, label]) => [what, showLabel(label)]),
        );
        return;
      }
      const what = args.needed(0, 'a table or a token');
      const second = args.needed(1, 'the label');
      const label = labelFrom(args.line.slice(second.start), second.start);
      const { catalog } = workspace.database;
      if (catalog.has(what.text)) workspace.database.label(what.text, label);
      else workspace.database.label(workspace.tokens.resolve(what.text, what.start), label);
      workspace.labels.set(what.text, label);
      if (label.readers !== 'everyone')
        workspace.secrets.add(
          workspace.database,
          catalog.has(what.text) ? what.text : workspace.tokens.resolve(what.text, what.start),
        );
      shell.note(`${what.text}: ${showLabel(label)}`);
    },
  },
];

async function listTokens(shell: Shell): Promise<void> {
  const { tokens, values } = shell.workspace;
  const names = [...tokens.given].map(([name]) => [name, 'name', '']);
  await shell.table(
    ['token', 'semiring', 'value'],
    [...names, ...[...values.values()].map(({ what, semiring, value }) => [what, semiring, value])],
  );
}

function giveNames(
  shell: Shell,
  args: Arguments,
  what: string,
  names: readonly string[],
  offset: number,
): void {
  const { tokens, database } = shell.workspace;
  const found = database.catalog.has(what)
    ? rowTokensOf(database.table(what))
    : tokens.resolve(what, args.restStart);
  if (names.length > found.length || names.length === 0) {
    throw new ShellError(
      'shell/usage',
      `${counted(names.length, 'name')} for ${counted(found.length, 'token')}`,
      { offset },
    );
  }
  for (const [i, name] of names.entries()) tokens.give(found[i], name, offset);
}

function giveValue(shell: Shell, args: Arguments, what: string, text: string, offset: number): void {
  const registered = shell.settings.semiring;
  if (!registered)
    throw new ShellError('shell/usage', 'no semiring is chosen', {
      offset,
      hint: '.semiring NAME chooses one',
    });
  const { semiring } = registered;
  const value = semiringValue(semiring, text, offset);
  const { database, tokens, values } = shell.workspace;
  for (const word of what.split(',')) {
    database.value(semiring, tokens.resolve(word, args.restStart), value);
    values.set(`${word} ${semiring.name}`, { what: word, semiring: semiring.name, value: text });
  }
}
