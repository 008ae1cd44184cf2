/**
 * Generated twins: two labelled databases that agree on everything that an observer may see and differ at
 * random in the rest. Values of hidden cells and hidden rows differ; where the membership token is hidden,
 * hidden rows are also added and removed. Labels of what is hidden may differ too, as long as they stay
 * hidden.
 */
import fc from 'fast-check';
import type { Token } from '../../engine/provenance/token.js';
import type { Value } from '../../engine/value/value.js';
import { type AnswerRow, showValues } from './answers.js';
import { type DatabaseDescription, type Loaded, load, valuesOf } from './generated-database.js';

/**
 * A label L for every token of a database. Cells of columns that are not labelled by cell have one too,
 * unused.
 */
export interface Labels<L> {
  readonly membership: L;
  readonly rows: readonly { readonly row: L; readonly cells: readonly L[] }[];
}

export interface LabelledDatabase<L> {
  readonly database: DatabaseDescription;
  readonly labels: readonly Labels<L>[];
}

/** What may be seen and what may not, and the labels that each can have. */
export interface Observer<L> {
  readonly visible: fc.Arbitrary<L>;
  readonly hidden: fc.Arbitrary<L>;
  sees(label: L): boolean;
}

export type Twins<L> = readonly [LabelledDatabase<L>, LabelledDatabase<L>];

export function twins<L>(
  databases: fc.Arbitrary<DatabaseDescription>,
  observer: Observer<L>,
): fc.Arbitrary<Twins<L>> {
  const label = fc.oneof(
    { arbitrary: observer.visible, weight: 3 },
    { arbitrary: observer.hidden, weight: 1 },
  );
  return databases.chain((database) =>
    fc
      .tuple(...database.map((table) => labelsOf(table.columns.length, table.rows.length, label)))
      .chain((labels) =>
        fc.tuple(...database.map((table, t) => twinTable(table, labels[t], observer))).map(
          (changed): Twins<L> => [
            { database, labels },
            {
              database: database.map((table, t) => ({ ...table, rows: changed[t].map((row) => row.values) })),
              labels: labels.map(({ membership }, t) => ({
                membership,
                rows: changed[t].map((row) => row.labels),
              })),
            },
          ],
        ),
      ),
  );
}

function labelsOf<L>(columns: number, rows: number, label: fc.Arbitrary<L>): fc.Arbitrary<Labels<L>> {
  const several = (n: number, arbitrary: fc.Arbitrary<L>) =>
    fc.array(arbitrary, { minLength: n, maxLength: n });
  return fc.record({
    membership: label,
    rows: fc.array(fc.record({ row: label, cells: several(columns, label) }), {
      minLength: rows,
      maxLength: rows,
    }),
  });
}

interface LabelledRow<L> {
  readonly values: readonly Value[];
  readonly labels: Labels<L>['rows'][number];
}

function twinTable<L>(
  table: DatabaseDescription[number],
  labels: Labels<L>,
  observer: Observer<L>,
): fc.Arbitrary<readonly LabelledRow<L>[]> {
  const anything = table.columns.map((column) => valuesOf(column.type));
  const hiddenRow = fc
    .record({
      values: fc.tuple(...anything),
      row: observer.hidden,
      cells: fc.tuple(...anything.map(() => fc.oneof(observer.visible, observer.hidden))),
    })
    .map(({ values, row, cells }): LabelledRow<L> => ({ values, labels: { row, cells } }));
  // A table without a membership token is one whose rows nobody can add to or take from.
  const open = table.membership && !observer.sees(labels.membership);
  const several = fc.array(hiddenRow, { maxLength: open ? 2 : 0 });

  const row = (values: readonly Value[], i: number): fc.Arbitrary<readonly LabelledRow<L>[]> => {
    const own = labels.rows[i];
    if (!observer.sees(own.row))
      return open ? fc.array(hiddenRow, { maxLength: 2 }) : hiddenRow.map((changed) => [changed]);
    const cells = values.map((value, c) => {
      const hidden = table.columns[c].labelled && !observer.sees(own.cells[c]);
      return hidden
        ? fc.record({ value: anything[c], label: observer.hidden })
        : fc.constant({ value, label: own.cells[c] });
    });
    const kept = fc.tuple(...cells).map(
      (changed): LabelledRow<L> => ({
        values: changed.map((cell) => cell.value),
        labels: { row: own.row, cells: changed.map((cell) => cell.label) },
      }),
    );
    return fc.tuple(kept, several).map(([mine, more]) => [mine, ...more]);
  };
  return fc.tuple(several, ...table.rows.map(row)).map((parts) => parts.flat());
}

/** The database as engine tables, with the label of each token. */
export function loadLabelled<L>({ database, labels }: LabelledDatabase<L>): Loaded & {
  readonly labelOf: (token: Token) => L;
} {
  const loaded = load(database);
  const labelOf = (token: Token): L => {
    const origin = loaded.origins.get(token);
    if (!origin) throw new Error(`no such token: ${token}`);
    const { membership, rows } = labels[origin.table];
    if (origin.kind === 'membership') return membership;
    const { row, cells } = rows[origin.row];
    return origin.kind === 'row' ? row : cells[origin.column];
  };
  return { ...loaded, labelOf };
}

/**
 * The rows that an observer sees, cells that are hidden blanked out: what must be the same for both twins. As
 * a multiset, or in order.
 */
export function visiblePart<L>(
  rows: readonly AnswerRow<L>[],
  sees: (label: L) => boolean,
  ordered = false,
): readonly string[] {
  const seen = rows
    .filter((row) => sees(row.ann))
    .map((row) => showValues(row.values.map((value, i) => (sees(row.cells[i]) ? [value] : 'hidden'))));
  return ordered ? seen : seen.sort();
}

/**
 * The one-sided form, for labels that taint: the seen rows of `rows` that have no row of their own among
 * `others` equal in all cells that are seen.
 */
export function unmatched<L>(
  rows: readonly AnswerRow<L>[],
  others: readonly AnswerRow<L>[],
  sees: (label: L) => boolean,
): readonly AnswerRow<L>[] {
  const cell = (value: unknown) => showValues([value]);
  const fits = (row: AnswerRow<L>, other: AnswerRow<L>) =>
    row.values.every((value, i) => !sees(row.cells[i]) || cell(value) === cell(other.values[i]));
  const seen = rows.filter((row) => sees(row.ann));
  const partnerOf = new Map<AnswerRow<L>, AnswerRow<L>>();
  // A bipartite matching by augmenting paths.
  const match = (row: AnswerRow<L>, tried: Set<AnswerRow<L>>): boolean =>
    others.some((other) => {
      if (tried.has(other) || !fits(row, other)) return false;
      tried.add(other);
      const holder = partnerOf.get(other);
      if (holder && !match(holder, tried)) return false;
      partnerOf.set(other, row);
      return true;
    });
  return seen.filter((row) => !match(row, new Set()));
}
