/** Commands about the provenance of the last result, and about what tokens are called and worth. */
import { writeFile } from 'node:fs/promises';
import { times } from '../../../engine/provenance/circuit.js';
import {
  Lin,
  Polynomials,
  PosBool,
  type RegisteredSemiring,
  semiringNamed,
  semirings,
  Why,
} from '../../../semiring/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { visibleText } from '../../../semiring/message/visible-text.js';
import { typedValue } from '../input/typed-value.js';
import { annotationTexts } from '../output/annotation.js';
import { counted } from '../output/counted.js';
import { inputsOfRow } from '../output/lineage.js';
import { alignOf } from '../output/result-rows.js';
import { tensorRows } from '../output/tensor-rows.js';
import { draw, graphOf, pictureFormat, pictureFormats } from '../picture/index.js';
import { ShellError } from '../shell-error.js';
import type { Arguments, Command } from './command.js';

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
    name: 'tensor',
    usage: 'ROW [COLUMN]',
    summary: 'how the aggregates of a row of the last result came about: which input gave which value',
    example: '.tensor 1 total',
    topic: 'provenance',
    offers: (shell, argument) =>
      argument === 1 ? (shell.workspace.last?.result.columns.map(({ name }) => name) ?? []) : [],
    run: async (shell, args) => {
      args.atMost(2);
      const { result } = shell.last;
      const row = args.rowNumber(0, result.rowCount);
      const column = args.words[1];
      const rows = tensorRows(result, row, column, {
        fold: shell.settings.fold,
        nameOf: shell.workspace.tokens.nameOf,
      });
      await shell.table(['column', 'value', 'aggregate', 'tensor'], rows);
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
    summary: 'why a row of the last result is there: operator by operator, down to rows of tables',
    example: '.why 1',
    topic: 'provenance',
    run: async (shell, args) => {
      args.atMost(1);
      const { result } = shell.last;
      const why = result.why(args.rowNumber(0, result.rowCount));
      await shell.print(visibleText(why.operators?.text ?? why.text, { newlines: 'keep' }));
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
      const { result } = shell.last;
      const answer = await result.whyNot(wantedTuple(args, result.columns));
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
        inputsOfRow(database, result, rows, tokens.nameOf, (token) =>
          shell.asking?.answerOf(database, token),
        ),
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
