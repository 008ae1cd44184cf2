/**
 * How likely a row of the last result is, and which inputs it owes that to: exact, by knowledge compilation
 * of its formula.
 */
import { Viterbi } from '../../../semiring/index.js';
import { counted } from '../output/counted.js';
import { alignOf } from '../output/result-rows.js';
import type { Arguments, Command } from './command.js';

export const likelihoodCommands: readonly Command[] = [
  {
    name: 'probability',
    usage: '[ROW]',
    summary:
      'how likely the rows of the last result are; probabilities of tokens are their values in Viterbi',
    example: '.probability 1',
    topic: 'provenance',
    run: async (shell, args) => {
      const { result } = shell.last;
      const { valuations } = shell.workspace.database;
      await shell.table(
        [
          { name: '#', align: 'right' },
          ...result.columns.map(({ name, type }) => ({ name, align: alignOf(type) })),
          { name: 'probability', align: 'right' },
        ],
        (function* () {
          for (const row of rowsOf(args, result.rowCount))
            yield [row + 1, ...result.row(row), result.probability(row)];
        })(),
      );
      if (!valuations.values.has(Viterbi))
        shell.note(
          'every token is certain: .semiring viterbi, then .token NAME = 0.5 says how likely one is',
        );
    },
  },
  {
    name: 'shapley',
    usage: 'ROW [TOKEN…]',
    summary: 'how much each input contributes to a row of the last result; tokens that are named are given',
    example: '.shapley 1',
    topic: 'provenance',
    offers: (shell, argument) => (argument === 0 ? [] : shell.workspace.tokens.names('')),
    run: async (shell, args) => {
      const { result } = shell.last;
      const { tokens } = shell.workspace;
      const row = args.rowNumber(0, result.rowCount);
      const certain = args.words.slice(1).flatMap((word) => tokens.resolve(word.text, word.start));
      const values = [...result.shapley(row, { certain })].sort(([x, a], [y, b]) => b - a || x - y);
      await shell.table(
        ['token', { name: 'Shapley value', align: 'right' }],
        values.map(([token, value]) => [tokens.nameOf(token), rounded(value)]),
      );
      const total = values.reduce((sum, [, value]) => sum + value, 0);
      shell.note(`${rounded(total)} in all, from ${counted(values.length, 'token')}`);
    },
  },
];

/** The row that is named, or all. */
function rowsOf(args: Arguments, count: number): Iterable<number> {
  args.atMost(1);
  return args.count === 0 ? Array(count).keys() : [args.rowNumber(0, count)];
}

/** Quadrature leaves an error of the order 10^-14, which nobody wants to read. */
function rounded(value: number): number {
  return Number(value.toFixed(12)) + 0;
}
