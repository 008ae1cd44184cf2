/**
 * The rows of a join that had no partner: NOT EXISTS, NOT IN and the null-extended side of outer joins.
 *
 * By derivation such a row is annotated ann · (1 ∸ Σ of its possible partners). By dependency it is annotated
 * with everything that it was compared with: the whole other side.
 */
import type { Expression } from '../../engine/plan/expression.js';
import type { Join } from '../../engine/plan/plan.js';
import type { Value } from '../../engine/value/value.js';
import { evaluate, provenanceOf } from './reference-expression.js';
import { monus, product, type Reading, type Relation, type Row, sum } from './reference-relation.js';

/** The left rows without a partner. With `nullAware` (NOT IN) an unknown comparison counts as a partner. */
export function antiJoin<K>(
  plan: Join,
  left: Relation<K>,
  right: Relation<K>,
  reading: Reading<K>,
): Row<K>[] {
  const isPartner = plan.nullAware === true ? (v: Value) => v !== false : (v: Value) => v === true;
  return lonely(plan.on, left, right, reading, isPartner);
}

/** The rows of `side` without a partner, with NULLs (provenance 1) on the other side. */
export function nullExtended<K>(
  on: Expression | undefined,
  side: 'left' | 'right',
  left: Relation<K>,
  right: Relation<K>,
  reading: Reading<K>,
): Row<K>[] {
  const [own, other] = side === 'left' ? [left, right] : [right, left];
  const nulls = other.columns.map(() => null);
  const ones = other.columns.map(() => reading.semiring.one);
  const both = <T>(mine: readonly T[], theirs: readonly T[]) =>
    side === 'left' ? [...mine, ...theirs] : [...theirs, ...mine];
  return lonely(on, own, other, reading, (v) => v === true).map((row) => ({
    ...row,
    values: both<Value>(row.values, nulls),
    prov: both(row.prov, ones),
  }));
}

function lonely<K>(
  on: Expression | undefined,
  own: Relation<K>,
  other: Relation<K>,
  reading: Reading<K>,
  isPartner: (verdict: Value) => boolean,
): Row<K>[] {
  const { semiring } = reading;
  const columns = [...own.columns, ...other.columns];
  const read = on ? [on] : [];
  const rows: Row<K>[] = [];
  for (const row of own.rows) {
    const partners = other.rows.filter((partner) =>
      isPartner(on ? evaluate(on, columns, [...row.values, ...partner.values], reading) : true),
    );
    const present = row.present && !partners.some((partner) => partner.present);
    if (!present && reading.keep === 'present') continue;
    const compared = reading.dependency
      ? [provenanceOf(semiring, read, columns, [...row.prov, ...other.reach]), other.membership]
      : [
          monus(
            semiring,
            semiring.one,
            sum(
              semiring,
              partners.map((partner) =>
                semiring.times(
                  partner.ann,
                  provenanceOf(semiring, read, columns, [...row.prov, ...partner.prov]),
                ),
              ),
            ),
          ),
        ];
    rows.push({ ...row, ann: product(semiring, [row.ann, ...compared]), present });
  }
  return rows;
}
