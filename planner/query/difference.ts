/**
 * Two answers of one query, row by row: what stays, goes, comes, and which row says something else. Rows have
 * no identity of their own, so rows that are equal as wholes are one row, and of what is left those that are
 * equal but for the columns that a deletion can change (aggregates, subqueries, the missing side of an outer
 * join). Order is not looked at.
 */

import type { Relation } from '../../engine/answer/relation.js';
import { keyOf } from '../../engine/operators/compare.js';
import { changingColumns } from '../../engine/plan/blind-spots.js';
import { columnsOf, type LogicalPlan } from '../../engine/plan/plan.js';
import { read } from '../../engine/provenance/read.js';
import type { Token } from '../../engine/provenance/token.js';
import { Bool } from '../../semiring/index.js';

/** What becomes of a row; `before` and `after` are its numbers in the answers. */
export type RowChange =
  | { readonly kind: 'stays' | 'changes'; readonly before: number; readonly after: number }
  | { readonly kind: 'goes'; readonly before: number }
  | { readonly kind: 'comes'; readonly after: number };

/**
 * The rows of the answer before, in their order, then those that come.
 * @param plan what both came from
 * @param isDeleted what was not there the second time
 */
export function difference(
  before: Relation,
  after: Relation,
  plan: LogicalPlan,
  isDeleted?: (token: Token) => boolean,
): readonly RowChange[] {
  const changing = changingColumns(plan, isDeleted);
  const order = lastingFirst(before, isDeleted);
  const all = before.columns.map((_, column) => column);
  const columns = columnsOf(plan);
  const lasting = all.filter((column) => !changing.has(columns[column].id));
  const partner = new Int32Array(before.rowCount).fill(-1);
  const taken = new Uint8Array(after.rowCount);
  const pairUp = (by: readonly number[]): number => {
    const waiting = new Map<string, number[]>();
    for (let row = after.rowCount - 1; row >= 0; row--) {
      if (taken[row] === 1) continue;
      const key = rowKey(after, row, by);
      const rows = waiting.get(key);
      if (rows) rows.push(row);
      else waiting.set(key, [row]);
    }
    let alone = 0;
    for (const row of order) {
      if (partner[row] >= 0) continue;
      const found = waiting.get(rowKey(before, row, by))?.pop();
      if (found === undefined) alone += 1;
      else {
        partner[row] = found;
        taken[found] = 1;
      }
    }
    return alone;
  };
  const alone = pairUp(all);
  const same = partner.slice();
  if (alone > 0 && lasting.length < all.length) pairUp(lasting);
  const changes = Array.from(partner, (other, row): RowChange => {
    if (other < 0) return { kind: 'goes', before: row };
    return { kind: same[row] >= 0 ? 'stays' : 'changes', before: row, after: other };
  });
  for (let row = 0; row < after.rowCount; row++)
    if (taken[row] === 0) changes.push({ kind: 'comes', after: row });
  return changes;
}

/** Of equal rows those that keep a derivation are the ones that stay. */
function lastingFirst(
  { annotation, rowCount }: Relation,
  isDeleted?: (token: Token) => boolean,
): readonly number[] {
  const rows = Array.from({ length: rowCount }, (_, row) => row);
  if (isDeleted === undefined) return rows;
  const there = read(annotation, Bool, (token) => !isDeleted(token));
  return [...rows.filter((row) => there.at(row)), ...rows.filter((row) => !there.at(row))];
}

function rowKey(relation: Relation, row: number, columns: readonly number[]): string {
  return JSON.stringify(
    columns.map((column) => {
      const value = relation.value(column, row);
      return value === null ? null : [typeof value, String(keyOf(value))];
    }),
  );
}
