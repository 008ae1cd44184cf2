/** What if an input were gone, or trusted: answered from the provenance of the last result, nothing is changed. */
import { type Node, times } from '../../../engine/circuit.js';
import { external } from '../../../engine/external.js';
import { read } from '../../../engine/read.js';
import type { Relation } from '../../../engine/relation.js';
import type { Token } from '../../../engine/token.js';
import { AssayError } from '../../../semiring/error.js';
import {
  alternativeIntegrity,
  Bool,
  bottom,
  conservativeIntegrity,
  type Integrity,
  PosBool,
  type Semiring,
  top,
  type Witnesses,
} from '../../../semiring/index.js';
import type { Database } from '../../query/index.js';
import { isTooLong } from '../annotation.js';
import { counted } from '../counted.js';
import { cellText } from '../format/column.js';
import { alignOf } from '../result-rows.js';
import type { Shell } from '../shell.js';
import type { Arguments, Command } from './command.js';

const tokenNames = (shell: Shell): Iterable<string> => [
  ...shell.workspace.database.tables.map((table) => table.name),
  ...shell.workspace.tokens.names(''),
];

export const whatIfCommands: readonly Command[] = [
  {
    name: 'delete',
    usage: 'TOKEN…',
    summary: 'what the last result would be without these inputs; nothing is deleted',
    example: '.delete orders[2]',
    topic: 'what if',
    offers: tokenNames,
    run: async (shell, args) => {
      const gone = tokensOf(shell, args);
      const { sql } = shell.last;
      const { database } = shell.workspace;
      const { signal } = shell;
      const result = await database.query(sql, [], { keep: 'possible', ...(signal && { signal }) });
      const after = withValues(database, gone, () => [...result.annotate(Bool)]);
      const { relation } = result;
      let changes = 0;
      const rows = after.flatMap((there, row) => {
        const before = relation.isPresent(row);
        if (!before && !there) return [];
        const cells = result
          .row(row)
          .map((value, column) =>
            before && there ? withoutTokens(relation, column, row, value, gone) : value,
          );
        const changed = cells.some((cell, i) => cell !== result.row(row)[i]);
        const what = before ? (there ? (changed ? 'changes' : 'stays') : 'goes') : 'comes';
        if (what !== 'stays') changes += 1;
        return [[...cells, what]];
      });
      await shell.table(
        [...result.columns.map(({ name, type }) => ({ name, align: alignOf(type) })), 'then'],
        rows,
      );
      shell.note(
        `${counted(changes, 'row')} of ${rows.length.toLocaleString('en-US')} would be different without ${counted(gone.length, 'token')}`,
      );
      result.release();
    },
  },
  {
    name: 'trust',
    usage: '[TOKEN…]',
    summary: 'what would be trusted if these inputs were; alone: the fewest inputs to endorse for each row',
    example: '.trust mail[1]',
    topic: 'what if',
    offers: tokenNames,
    run: async (shell, args) => {
      const { result } = shell.last;
      const { database } = shell.workspace;
      const columns = [...result.columns.map(({ name, type }) => ({ name, align: alignOf(type) }))];
      const whole = wholeRow(result.relation);
      const integrity = () =>
        [conservativeIntegrity, alternativeIntegrity].map((semiring) =>
          [
            ...read<Integrity | null>(
              whole,
              semiring as Semiring<Integrity | null>,
              database.valuations.of(semiring as Semiring<Integrity | null>),
            ),
          ].map((value) => value ?? 'none'),
        );
      const before = integrity();
      if (args.count === 0) {
        const fewest = endorsements(shell, database, whole);
        await shell.table(
          [...columns, 'integrity', 'one derivation', 'endorse'],
          before[0].map((value, row) => [...result.row(row), value, before[1][row], fewest[row]]),
        );
        return;
      }
      const after = withLabels(database, tokensOf(shell, args), integrity);
      const arrow = (of: number, row: number): string =>
        before[of][row] === after[of][row] ? before[of][row] : `${before[of][row]} → ${after[of][row]}`;
      await shell.table(
        [...columns, 'integrity', 'one derivation'],
        before[0].map((_, row) => [...result.row(row), arrow(0, row), arrow(1, row)]),
      );
    },
  },
];

/** A row with all its cells: that it is there, and what it says. */
function wholeRow(relation: Relation): Node {
  return times(relation.annotation, ...relation.columns.map((_, column) => relation.cell(column)));
}

function tokensOf(shell: Shell, args: Arguments): Token[] {
  args.needed(0, 'a token');
  return args.words.flatMap((word) => shell.workspace.tokens.resolve(word.text, word.start));
}

/** A cell without the rows of some tokens: `20 → 15` where it is an aggregate that changes. */
function withoutTokens(
  relation: Relation,
  column: number,
  row: number,
  value: unknown,
  gone: readonly Token[],
): unknown {
  try {
    const then = external(relation.tensor(column, row).without(gone), relation.columns[column].type);
    const [shownBefore, shownAfter] = [cellText(value) ?? 'NULL', cellText(then) ?? 'NULL'];
    return shownBefore === shownAfter ? value : `${shownBefore} → ${shownAfter}`;
  } catch (error) {
    if (error instanceof AssayError && error.code === 'engine/no-tensor') return value;
    throw error;
  }
}

/** Reads while tokens are not there, then puts back what they were. */
function withValues<T>(database: Database, tokens: readonly Token[], reading: () => T): T {
  const of = database.valuations.of(Bool);
  const before = tokens.map((token) => [token, of(token)] as const);
  try {
    database.value(Bool, tokens, false);
    return reading();
  } finally {
    for (const [token, value] of before) database.value(Bool, token, value);
  }
}

/** Reads while tokens are trusted; who may read them stays. */
function withLabels<T>(database: Database, tokens: readonly Token[], reading: () => T): T {
  const before = tokens.map((token) => [token, database.valuations.labelOf(token) ?? top] as const);
  try {
    for (const [token, label] of before) database.label(token, { ...label, integrity: 'T' });
    return reading();
  } finally {
    for (const [token, label] of before) database.label(token, label);
  }
}

/** PosBool that reads what labels read: all that an answer was compared with, and membership. */
const dependencies: Semiring<Witnesses> = { ...PosBool, reads: 'dependency' };

/** For each row the smallest set of untrusted tokens that one derivation needs; by minimal witnesses. */
function endorsements(shell: Shell, database: Database, whole: Node): string[] {
  const { nameOf } = shell.workspace.tokens;
  const isTrusted = (token: Token): boolean =>
    (database.valuations.labelOf(token) ?? top).integrity === bottom.integrity;
  if (isTooLong(database, whole, true))
    return Array.from({ length: whole.rows }, () => 'too many derivations');
  return [...read(whole, dependencies, database.valuations.of(PosBool))].map((witnesses) => {
    const untrusted = witnesses.map((witness) => witness.filter((token) => !isTrusted(token)));
    const best = untrusted.toSorted((a, b) => a.length - b.length)[0];
    if (!best) return 'never there';
    return best.length === 0 ? 'nothing' : `${best.length}: ${best.map(nameOf).join(', ')}`;
  });
}
