/**
 * UNION ALL, EXCEPT and INTERSECT, as sets and as bags. Difference over K-relations is (Σ left) ∸ (Σ right)
 * (Geerts, Poggi: On database query languages for K-relations, 2010). With ALL it is SQL's: of a row that is
 * m times on the left and n times on the right, EXCEPT leaves the first m - n left copies, INTERSECT the
 * first min(m, n), each with its counterpart on the right. The bag operators know no merely possible rows.
 */
import type { Column } from '../../engine/plan/expression.js';
import type { Except, Intersect } from '../../engine/plan/plan.js';
import { wholeRow } from './reference-group.js';
import { groupBy, monus, product, type Reading, type Relation, type Row, sum } from './reference-relation.js';

/** Concatenation. */
export function union<K>(
  columns: readonly Column[],
  inputs: readonly Relation<K>[],
  reading: Reading<K>,
): Relation<K> {
  const { semiring } = reading;
  return {
    columns,
    rows: inputs.flatMap((input) => input.rows.map((row) => ({ ...row, tensors: undefined }))),
    membership: product(
      semiring,
      inputs.map((input) => input.membership),
    ),
    reach: columns.map((_, position) =>
      product(
        semiring,
        inputs.map((input) => input.reach[position]),
      ),
    ),
  };
}

export function except<K>(
  plan: Except,
  left: Relation<K>,
  right: Relation<K>,
  reading: Reading<K>,
): Relation<K> {
  const { semiring } = reading;
  const compared = product(semiring, [right.membership, ...right.reach]);
  return combine(plan, left, right, reading, (ls, rs, whole) => {
    const worth = (rows: readonly Row<K>[]) => rows.map((row) => wholeRow(row, reading));
    if (plan.all) {
      const [there, gone] = [ls, rs].map((rows) => rows.filter((row) => row.present));
      return there
        .slice(0, Math.max(0, there.length - gone.length))
        .map((l) => ({ ann: reading.dependency ? whole : wholeRow(l, reading), present: true }));
    }
    const from = sum(semiring, worth(ls));
    return [
      {
        ann: reading.dependency
          ? semiring.times(from, compared)
          : monus(semiring, from, sum(semiring, worth(rs))),
        present: ls.some((row) => row.present) && !rs.some((row) => row.present),
      },
    ];
  });
}

export function intersect<K>(
  plan: Intersect,
  left: Relation<K>,
  right: Relation<K>,
  reading: Reading<K>,
): Relation<K> {
  const { semiring } = reading;
  return combine(plan, left, right, reading, (ls, rs, whole) => {
    if (plan.all) {
      const [mine, theirs] = [ls, rs].map((rows) => rows.filter((row) => row.present));
      return mine.slice(0, theirs.length).map((l, i) => ({
        ann: reading.dependency ? whole : semiring.times(wholeRow(l, reading), wholeRow(theirs[i], reading)),
        present: true,
      }));
    }
    if (rs.length === 0) return [];
    const worth = (rows: readonly Row<K>[]) =>
      sum(
        semiring,
        rows.map((row) => wholeRow(row, reading)),
      );
    return [
      {
        ann: semiring.times(worth(ls), worth(rs)),
        present: ls.some((row) => row.present) && rs.some((row) => row.present),
      },
    ];
  });
}

/** What `copies` says for each distinct left tuple, given the equal rows of both sides. */
function combine<K>(
  plan: Except | Intersect,
  left: Relation<K>,
  right: Relation<K>,
  reading: Reading<K>,
  copies: (
    ls: readonly Row<K>[],
    rs: readonly Row<K>[],
    membership: K,
  ) => readonly { readonly ann: K; readonly present: boolean }[],
): Relation<K> {
  const { semiring, keep } = reading;
  const ones = plan.columns.map(() => semiring.one);
  const membership = product(semiring, [left.membership, right.membership, ...left.reach, ...right.reach]);
  const rights = groupBy(right.rows, (row) => row.values);
  const rows: Row<K>[] = [];
  for (const [key, ls] of groupBy(left.rows, (row) => row.values))
    for (const copy of copies(ls, rights.get(key) ?? [], membership))
      if (copy.present || keep === 'possible') rows.push({ values: ls[0].values, prov: ones, ...copy });
  return { columns: plan.columns, rows, membership, reach: ones };
}
