/**
 * ORDER BY, LIMIT and the guard of a scalar subquery. By derivation they leave annotations alone; by
 * dependency a row's place, and whether it is among the first n, depends on every row that it was ordered
 * with.
 */

import type { Limit, Sort } from '../../engine/plan/plan.js';
import { isInterval } from '../../engine/value/external.js';
import type { Value } from '../../engine/value/value.js';
import { evaluate, provenanceOf } from './reference-expression.js';
import { groupBy, type Reading, type Relation, type Row, spanOf } from './reference-relation.js';

/** Stable. */
export function sort<K>(plan: Sort, input: Relation<K>, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  const keys = plan.keys.map((key) => key.expression);
  const membership = semiring.times(
    input.membership,
    provenanceOf(semiring, keys, input.columns, input.reach),
  );
  const keyed = input.rows.map((row) => ({
    row: depend(row, membership, reading),
    key: keys.map((e) => evaluate(e, input.columns, row.values, reading)),
  }));
  keyed.sort((a, b) => {
    for (const [i, { descending, nullsFirst }] of plan.keys.entries()) {
      const [x, y] = [a.key[i], b.key[i]];
      if (x === null && y === null) continue;
      if (x === null) return nullsFirst ? -1 : 1;
      if (y === null) return nullsFirst ? 1 : -1;
      const order = compare(x, y);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return { ...input, rows: keyed.map((entry) => entry.row), membership };
}

/** Of the rows that are present, by group where there are groups. */
export function limit<K>(plan: Limit, input: Relation<K>, reading: Reading<K>): Relation<K> {
  const amount = (e: Limit['limit']) => (e ? evaluate(e, [], [], reading) : null);
  const offset = Number(amount(plan.offset) ?? 0);
  const end = offset + Number(amount(plan.limit) ?? Infinity);
  const by = plan.by ?? [];
  const membership = reading.semiring.times(
    input.membership,
    provenanceOf(reading.semiring, by, input.columns, input.reach),
  );
  const groups = groupBy(
    input.rows.filter((row) => row.present),
    (row) => by.map((e) => evaluate(e, input.columns, row.values, reading)),
  );
  const kept = new Set([...groups.values()].flatMap((rows) => rows.slice(offset, end)));
  const rows = input.rows.filter((row) => kept.has(row)).map((row) => depend(row, membership, reading));
  return { ...input, rows, membership };
}

/**
 * The one row that is present, or where there is none a row of NULLs: 1, or for labels what "no row" depends
 * on.
 */
export function singleRow<K>(input: Relation<K>, { semiring, dependency }: Reading<K>): Relation<K> {
  const rows = input.rows.filter((row) => row.present);
  if (rows.length > 1) throw new Error('more than one row from a scalar subquery');
  const nothing: Row<K> = {
    values: input.columns.map(() => null),
    ann: dependency ? input.membership : semiring.one,
    prov: input.columns.map(() => semiring.one),
    present: true,
  };
  return { ...input, rows: rows.length === 0 ? [nothing] : rows };
}

function depend<K>(row: Row<K>, on: K, { semiring, dependency }: Reading<K>): Row<K> {
  return dependency ? { ...row, ann: semiring.times(row.ann, on) } : row;
}

/** The order of two values of one type that are not NULL. Text by code points, as the C collation does. */
function compare(x: Value, y: Value): number {
  if (typeof x === 'string' && typeof y === 'string') {
    const [a, b] = [[...x], [...y]].map((points) => points.map((point) => point.codePointAt(0) ?? 0));
    for (let i = 0; i < Math.min(a.length, b.length); i += 1) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  }
  if (isInterval(x) && isInterval(y)) return spanOf(x) - spanOf(y);
  if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : 1;
  if (Number.isNaN(y)) return -1;
  const [a, b] = [x as number | bigint | boolean, y as number | bigint | boolean];
  return a < b ? -1 : a > b ? 1 : 0;
}
