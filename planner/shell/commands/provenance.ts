/** Commands about the provenance of the last result, and about what tokens are called and worth. */
import { writeFile } from 'node:fs/promises';
import { times } from '../../../engine/circuit.js';
import { visibleText } from '../../../engine/visible-text.js';
import { AssayError } from '../../../semiring/error.js';
import {
  Lin,
  Polynomials,
  PosBool,
  type RegisteredSemiring,
  semiringNamed,
  semirings,
  showLabel,
  Why,
} from '../../../semiring/index.js';
import { annotationTexts } from '../annotation.js';
import { counted } from '../counted.js';
import { inputsOfRow } from '../lineage.js';
import { draw, graphOf, pictureFormat, pictureFormats } from '../picture/index.js';
import { alignOf } from '../result-rows.js';
import { labelFrom, semiringValue } from '../semiring-value.js';
import type { Shell } from '../shell.js';
import { ShellError } from '../shell-error.js';
import { rowTokensOf } from '../token-names.js';
import { typedValue } from '../typed-value.js';
import type { Arguments, Command } from './command.js';

const tokenNames = (shell: Shell): Iterable<string> => [
  ...shell.workspace.database.tables.map((table) => table.name),
  ...shell.workspace.tokens.names(''),
];

export const provenanceCommands: readonly Command[] = [
  {
    name: 'semiring',
    usage: '[NAME|off]',
    summary: 'the semiring in which results are annotated; without a name, the list',
    example: '.semiring why',
    topic: 'provenance',
    offers: () => [...semirings.keys(), 'off'],
    run: async (shell, args) => {
      const name = args.rest.replace(/^(['"])(.*)\1$/, '$2');
      if (name === '') {
        const current = shell.settings.semiring?.semiring;
        await shell.table(
          ['', 'semiring', 'reads'],
          [...semirings.values()].map((known) => [
            known.semiring === current ? '*' : '',
            known.semiring.name,
            known.reads,
          ]),
        );
      } else if (name === 'off') shell.settings.semiring = undefined;
      else {
        const chosen = chosenSemiring(args);
        shell.settings.semiring = chosen;
        shell.note(`${chosen.semiring.name}: ${chosen.reads}`);
      }
    },
  },
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
  {
    name: 'show',
    usage: '[SEMIRING]',
    summary: 'the last result again, in this semiring',
    example: '.show tropical',
    topic: 'provenance',
    offers: () => semirings.keys(),
    run: async (shell, args) => {
      const { result } = shell.last;
      const before = shell.settings.semiring;
      try {
        if (args.rest !== '') shell.settings.semiring = chosenSemiring(args);
        await shell.showResult(result);
      } finally {
        shell.settings.semiring = before;
      }
    },
  },
  {
    name: 'cells',
    usage: 'ROW',
    summary: 'the cells of a row of the last result, each with its own annotation: what a policy reads',
    example: '.cells 1',
    topic: 'provenance',
    run: async (shell, args) => {
      args.atMost(1);
      const { result } = shell.last;
      const { database, tokens } = shell.workspace;
      const row = args.rowNumber(0, result.rowCount);
      const semiring = shell.settings.semiring ?? semiringNamed(Polynomials.name);
      const values = result.row(row);
      const rows = result.columns.map(({ name }, column) => {
        const node = times(result.relation.annotation, result.relation.cell(column));
        const [text] = annotationTexts(database, node, [row], semiring, {
          fold: shell.settings.fold,
          nameOf: tokens.nameOf,
        });
        return [name, values[column], text];
      });
      await shell.table(['column', 'value', semiring.semiring.name], rows);
    },
  },
  {
    name: 'ladder',
    usage: '[ROW]',
    summary: 'the last result in Lin, Why, PosBool and N[X] side by side: from coarse to exact',
    example: '.ladder',
    topic: 'provenance',
    run: async (shell, args) => {
      const { result } = shell.last;
      const { database, tokens } = shell.workspace;
      const rows =
        args.count === 0
          ? Array.from({ length: result.rowCount }, (_, i) => i)
          : [args.rowNumber(0, result.rowCount)];
      const options = { fold: shell.settings.fold, nameOf: tokens.nameOf };
      const steps = [Lin, Why, PosBool, Polynomials].map((semiring) => semiringNamed(semiring.name));
      function* lines() {
        for (let from = 0; from < rows.length; from += 512) {
          const part = rows.slice(from, from + 512);
          const texts = steps.map((semiring) =>
            annotationTexts(database, result.relation.annotation, part, semiring, options),
          );
          for (const [i, row] of part.entries())
            yield [row + 1, ...result.row(row), ...texts.map((column) => column[i])];
        }
      }
      await shell.table(
        [
          { name: '#', align: 'right' },
          ...result.columns.map(({ name, type }) => ({ name, align: alignOf(type) })),
          ...steps.map(({ semiring }) => semiring.name),
        ],
        lines(),
      );
    },
  },
  {
    name: 'why',
    usage: 'ROW',
    summary: 'why a row of the last result is there: a tree down to rows of tables',
    example: '.why 1',
    topic: 'provenance',
    run: async (shell, args) => {
      args.atMost(1);
      const { result } = shell.last;
      await shell.print(
        visibleText(result.why(args.rowNumber(0, result.rowCount)).text, { newlines: 'keep' }),
      );
    },
  },
  {
    name: 'whynot',
    usage: 'VALUE… | COLUMN=VALUE…',
    summary: 'why a row is not in the last result: the operator that lost it; * is any value',
    example: ".whynot name='Ann' total=20",
    topic: 'provenance',
    run: async (shell, args) => {
      args.needed(0, 'the values');
      const { sql, result } = shell.last;
      const answer = await shell.workspace.database.whyNot(sql, wantedTuple(args, result.columns));
      const place =
        answer.line === undefined ? '' : ` (line ${answer.line}, column ${answer.column} of the query)`;
      await shell.print(visibleText(`${answer.text}${place}`, { newlines: 'keep' }));
    },
  },
  {
    name: 'lineage',
    usage: '[ROW]',
    summary: 'the rows of tables that the last result, or one row of it, comes from',
    example: '.lineage 2',
    topic: 'provenance',
    run: async (shell, args) => {
      args.atMost(1);
      const { result } = shell.last;
      const { database, tokens } = shell.workspace;
      const rows =
        args.count === 0
          ? Array.from({ length: result.rowCount }, (_, i) => i)
          : [args.rowNumber(0, result.rowCount)];
      await shell.table(
        [{ name: '#', align: 'right' }, 'token', 'table', { name: 'row', align: 'right' }, 'values'],
        inputsOfRow(database, result, rows, tokens.nameOf),
      );
    },
  },
  {
    name: 'circuit',
    usage: `ROW [${pictureFormats.join('|')}] [FILE]`,
    summary: "a picture of a row's provenance",
    example: '.circuit 1 svg row.svg',
    topic: 'provenance',
    offers: (_, argument) => (argument === 1 ? pictureFormats : []),
    run: async (shell, args) => {
      args.atMost(3);
      const { result, sql } = shell.last;
      const row = args.rowNumber(0, result.rowCount);
      const format = pictureFormat(args.at(1) ?? 'tree', args.words[1]?.start);
      const dependency = shell.settings.semiring?.semiring.reads === 'dependency';
      const graph = graphOf(result.relation.annotation, row, shell.workspace.tokens.nameOf, { dependency });
      const picture = `${draw(graph, format, `row ${row + 1} of ${sql}`)}\n`;
      const path = args.at(2);
      if (path === undefined) await shell.print(picture);
      else {
        await writeFile(shell.path(path), picture);
        shell.note(`${path}: ${counted(graph.gates.length, 'gate')}`);
      }
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

function wantedTuple(
  args: Arguments,
  columns: readonly { readonly name: string; readonly type: Parameters<typeof typedValue>[1] }[],
): unknown[] {
  const wanted: unknown[] = columns.map(() => undefined);
  for (const [i, word] of args.words.entries()) {
    const [, name, text] = word.quoted ? [] : (/^([^='"]+)=(.*)$/s.exec(word.text) ?? []);
    const index = name === undefined ? i : columns.findIndex((column) => column.name === name);
    if (index < 0 || index >= columns.length) {
      throw new ShellError(
        'shell/usage',
        name === undefined ? 'one value too many' : `the result has no column ${JSON.stringify(name)}`,
        {
          offset: word.start,
          hint: `its columns are ${columns.map((column) => column.name).join(', ')}`,
        },
      );
    }
    const given = text ?? word.text;
    const unquoted = /^(['"])(.*)\1$/s.exec(given);
    wanted[index] =
      given === '*' && !word.quoted
        ? undefined
        : typedValue(
            unquoted?.[2] ?? given,
            columns[index].type,
            word.start,
            word.quoted || unquoted !== null,
          );
  }
  return wanted;
}

/** @throws ShellError with its place in the line */
function chosenSemiring(args: Arguments): RegisteredSemiring {
  try {
    return semiringNamed(args.rest.replace(/^(['"])(.*)\1$/, '$2'));
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    throw new ShellError(error.code, error.message, { offset: args.restStart, cause: error });
  }
}
