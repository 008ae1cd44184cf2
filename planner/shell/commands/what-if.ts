/**
 * What if an input were gone, or trusted. Nothing is changed; without an input the last query is run again,
 * since a filter over a count or a LIMIT may let in rows that the last result knows nothing of; what would be
 * trusted is read from its provenance.
 */

import type { Relation } from '../../../engine/answer/relation.js';
import { type Node, times } from '../../../engine/provenance/circuit.js';
import { read } from '../../../engine/provenance/read.js';
import type { Token } from '../../../engine/provenance/token.js';
import {
  alternativeIntegrity,
  bottom,
  conservativeIntegrity,
  type Integrity,
  PosBool,
  type Semiring,
  top,
  type Witnesses,
} from '../../../semiring/index.js';
import type { Database, Result, RowChange } from '../../query/index.js';
import { cellText } from '../format/column.js';
import { isTooLong } from '../output/annotation.js';
import { counted } from '../output/counted.js';
import { alignOf } from '../output/result-rows.js';
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
      const { result } = shell.last;
      const { signal } = shell;
      const after = await result.without(gone, signal ? { signal } : {}).finally(() => shell.asking?.clear());
      try {
        const changes = result.difference(after);
        await shell.table(
          [...result.columns.map(({ name, type }) => ({ name, align: alignOf(type) })), 'then'],
          changedRows(result, after, changes),
        );
        const different = changes.filter(({ kind }) => kind !== 'stays').length;
        shell.note(
          `${counted(different, 'row')} of ${changes.length.toLocaleString('en-US')} would be different without ${counted(gone.length, 'token')}`,
        );
      } finally {
        after.release();
      }
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

/** The rows of both answers; a cell that changes as `20 → 15`. */
function* changedRows(
  before: Result,
  after: Result,
  changes: readonly RowChange[],
): Generator<readonly unknown[]> {
  for (const change of changes) {
    switch (change.kind) {
      case 'stays':
      case 'goes':
        yield [...before.row(change.before), change.kind];
        break;
      case 'comes':
        yield [...after.row(change.after), change.kind];
        break;
      case 'changes': {
        const then = after.row(change.after);
        yield [...before.row(change.before).map((value, i) => changedCell(value, then[i])), change.kind];
      }
    }
  }
}

function changedCell(before: unknown, after: unknown): unknown {
  const [shownBefore, shownAfter] = [cellText(before) ?? 'NULL', cellText(after) ?? 'NULL'];
  return shownBefore === shownAfter ? before : `${shownBefore} → ${shownAfter}`;
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
