/** Commands about tables and files. */
import { basename } from 'node:path';
import { showConstraints, showType } from '../../../engine/constraints/index.js';
import type { Table } from '../../../engine/table/table.js';
import { columnTypes, type Type } from '../../../engine/value/value.js';
import { nearest } from '../../../semiring/message/nearest.js';
import { Database } from '../../query/index.js';
import type { OutputRow } from '../format/column.js';
import type { Word } from '../input/words.js';
import { counted } from '../output/counted.js';
import { readWhole, replaceFile } from '../process/whole-file.js';
import type { Shell } from '../shell.js';
import { importFile, isSavedDatabase } from '../workspace/open-file.js';
import { Workspace } from '../workspace/workspace.js';
import type { Arguments, Command } from './command.js';

const tableNames = (shell: Shell): string[] => shell.workspace.database.tables.map((table) => table.name);

export const dataCommands: readonly Command[] = [
  {
    name: 'tables',
    usage: '[PATTERN]',
    summary: 'the tables, how many rows they have, and their columns',
    example: '.tables order*',
    topic: 'data',
    offers: tableNames,
    run: async (shell, args) => {
      args.atMost(1);
      const matches = globOf(args.at(0) ?? '*');
      const tables = shell.workspace.database.tables.filter((table) => matches(table.name));
      await shell.table(
        ['table', { name: 'rows', align: 'right' }, 'columns'],
        tables.map((table) => [
          table.name,
          table.rowCount,
          table.columns.map((column) => column.name).join(', '),
        ]),
      );
    },
  },
  {
    name: 'schema',
    usage: '[TABLE]',
    summary: 'the columns of tables: type, whether each cell has a token of its own, constraints',
    example: '.schema orders',
    topic: 'data',
    offers: tableNames,
    run: async (shell, args) => {
      args.atMost(1);
      const { database } = shell.workspace;
      const name = args.at(0);
      const tables = name === undefined ? database.tables : [database.table(name)];
      const constrained = tables.some((table) => table.constraints);
      await shell.table(
        ['table', 'column', 'type', 'token by', ...(constrained ? ['constraints'] : [])],
        tables.flatMap((table) => schemaRows(table, constrained)),
      );
    },
  },
  {
    name: 'import',
    usage: 'FILE [TABLE] [--cells COLUMN,…|--cells all] [--types COLUMN=TYPE,…]',
    summary:
      'a CSV, TSV, JSON or JSONL file as a table; --cells: cells get tokens; --types: other values are refused',
    example: '.import orders.csv --types id=integer,note=text',
    topic: 'data',
    run: async (shell, args) => {
      const flags = new Map<string, Word>();
      const plain: Word[] = [];
      for (let i = 0; i < args.count; i++) {
        const word = args.words[i];
        if (word.quoted || !importFlags.has(word.text)) plain.push(word);
        else flags.set(word.text, args.needed(++i, importFlags.get(word.text) ?? ''));
      }
      const path = plain[0] ?? args.needed(args.count, 'the file');
      if (plain.length > 2) throw args.wrong('one argument too many', plain[2].start);
      const columns = flags.get('--cells')?.text;
      const labelled = columns === 'all' ? ('all' as const) : columns?.split(',');
      const types = flags.get('--types');
      const table = await importFile(shell.workspace.database, shell.path(path.text), {
        ...(plain[1] && { table: plain[1].text }),
        ...(labelled && { labelled }),
        ...(types && { types: typesOf(types, args) }),
      });
      shell.note(
        `${table.name}: ${counted(table.rowCount, 'row')}, ${counted(table.columns.length, 'column')}`,
      );
    },
  },
  {
    name: 'open',
    usage: '[FILE]',
    summary: 'a saved database in place of this one; without a file, an empty one',
    example: '.open shop.assay',
    topic: 'data',
    run: async (shell, args) => {
      args.atMost(1);
      const path = args.at(0);
      if (path === undefined) shell.workspace = new Workspace();
      else shell.workspace = await openDatabase(shell.path(path));
      shell.note(
        `${shell.workspace.name ?? 'an empty database'}: ${counted(shell.workspace.database.tables.length, 'table')}`,
      );
    },
  },
  {
    name: 'save',
    usage: 'FILE',
    summary:
      'the database as one file: tables, tokens with names, labels and values, what rows were made from',
    example: '.save shop.assay',
    topic: 'data',
    run: async (shell, args) => {
      args.atMost(1);
      const path = args.needed(0, 'the file').text;
      const bytes = shell.workspace.database.save();
      await replaceFile(shell.path(path), bytes);
      shell.note(
        `${path}: ${counted(shell.workspace.database.tables.length, 'table')}, ${bytes.length.toLocaleString('en-US')} bytes`,
      );
    },
  },
  {
    name: 'session',
    usage: 'FILE',
    summary: "an agent's log as a database: calls, arguments, cells, what was seen, a table for each result",
    example: '.session run.log',
    topic: 'agents',
    run: async (shell, args) => {
      args.atMost(1);
      const path = args.needed(0, 'the log').text;
      const { databaseOf, openSession } = await import('../workspace/open-session.js');
      const session = openSession(shell.path(path));
      shell.workspace = new Workspace(databaseOf(session), basename(path), session);
      shell.design = session.design;
      const cut =
        session.truncated > 0
          ? `; the last ${session.truncated} bytes are a line without its end and were left out`
          : '';
      shell.note(
        `${basename(path)}: ${counted(session.state.calls.length, 'call')}, ${counted(session.state.interventions, 'intervention')}, design ${session.design.name}${cut}`,
      );
    },
  },
];

/** Flags of `.import`, and what follows each. */
const importFlags: ReadonlyMap<string, string> = new Map([
  ['--cells', 'the columns'],
  ['--types', 'the types'],
]);

/** `id=integer,note=text` @throws ShellError `shell/usage` */
function typesOf(word: Word, args: Arguments): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  for (const part of word.text.split(',')) {
    const at = part.lastIndexOf('=');
    const written = part.slice(at + 1);
    const type = columnTypes.find((one) => one === written);
    if (at < 1 || !type) {
      const what =
        at < 1
          ? 'a type is written COLUMN=TYPE'
          : `there is no type ${JSON.stringify(written.slice(0, 40))}: ${nearest(written, columnTypes)}`;
      throw args.wrong(what, word.start);
    }
    types.set(part.slice(0, at), type);
  }
  return types;
}

/** A row for each column, and one for each constraint that does not speak of just one. */
function schemaRows(table: Table, constrained: boolean): OutputRow[] {
  const constraints = showConstraints(table);
  const ofColumn = (column: number) =>
    constraints.filter(({ columns }) => columns.length === 1 && columns[0] === column);
  const columns = table.columns.map(({ name, labelled }, c) => [
    table.name,
    name,
    showType(table, c),
    labelled ? 'cell' : 'row',
    ...(constrained
      ? [
          ofColumn(c)
            .map(({ text }) => text)
            .join(', '),
        ]
      : []),
  ]);
  const others = constraints
    .filter((constraint) => constraint.columns.length !== 1)
    .map((constraint) => {
      const names = constraint.columns.map((column) => table.columns[column].name);
      return [table.name, names.join(', '), '', '', constraint.text];
    });
  return [...columns, ...others];
}

/** A saved database, by its first bytes. @throws AssayError `engine/bad-file` */
export async function openDatabase(path: string): Promise<Workspace> {
  const { restoreLists } = await import('../workspace/restored.js');
  const workspace = new Workspace(Database.open(await readWhole(path)), basename(path));
  restoreLists(workspace);
  return workspace;
}

/** A file given on the command line: a saved database, or rows for a new table. */
export async function openFile(shell: Shell, path: string): Promise<void> {
  if (await isSavedDatabase(path)) {
    shell.workspace = await openDatabase(path);
    return;
  }
  await importFile(shell.workspace.database, path);
}

/** `*` stands for anything. Linear: no regular expression is made of what a user typed. */
function globOf(pattern: string): (name: string) => boolean {
  const pieces = pattern.split('*');
  return (name) => {
    if (pieces.length === 1) return name === pattern;
    const last = pieces[pieces.length - 1];
    if (!name.startsWith(pieces[0]) || !name.endsWith(last) || name.length < pieces[0].length + last.length)
      return false;
    let at = pieces[0].length;
    for (const piece of pieces.slice(1, -1)) {
      const found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length > name.length - last.length) return false;
      at = found + piece.length;
    }
    return true;
  };
}
