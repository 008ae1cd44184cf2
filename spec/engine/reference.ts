/**
 * The reference model of annotated relations: every operator of a logical plan, written from its definition
 * with nested loops, in any semiring. It is what the engine is held to. A reading is either by derivation
 * (difference is monus, a group is δ) or by dependency (labels: an answer depends on all that it was compared
 * with), and only the non-monotone operators tell them apart.
 */
import type { Expression } from '../../engine/plan/expression.js';
import {
  type Contains,
  columnsOf,
  type Join,
  type LogicalPlan,
  type Project,
  type Scan,
} from '../../engine/plan/plan.js';
import { outerColumns } from '../../engine/plan/traverse-expression.js';
import { evaluate, provenanceOf } from './reference-expression.js';
import { aggregate, distinct } from './reference-group.js';
import { antiJoin, nullExtended } from './reference-join.js';
import { limit, singleRow, sort } from './reference-order.js';
import { delta, product, type Reading, type Relation, type Row, sum } from './reference-relation.js';
import { except, intersect, union } from './reference-set.js';

/** Q(D): the plan's answer under a reading. */
export function answer<K>(plan: LogicalPlan, reading: Omit<Reading<K>, 'subquery'>): Relation<K> {
  return run(plan, {
    ...reading,
    subquery: (inner, outer) => answer(inner, { ...reading, outer }).rows.map((row) => row.values),
  });
}

function run<K>(plan: LogicalPlan, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  switch (plan.kind) {
    case 'scan':
      return scan(plan, reading);
    case 'values':
      return {
        columns: plan.columns,
        rows: plan.rows.map((values) => ({
          values,
          ann: semiring.one,
          prov: values.map(() => semiring.one),
          present: true,
        })),
        membership: semiring.one,
        reach: plan.columns.map(() => semiring.one),
      };
    case 'filter':
      return filter(run(plan.input, reading), plan.predicate, reading);
    case 'project':
      return project(plan, run(plan.input, reading), reading);
    case 'join':
      return refersLeft(plan)
        ? lateral(plan, run(plan.left, reading), reading)
        : join(plan, run(plan.left, reading), run(plan.right, reading), reading);
    case 'contains':
      return contains(plan, run(plan.left, reading), run(plan.right, reading), reading);
    case 'aggregate':
      return aggregate(plan, run(plan.input, reading), reading);
    case 'distinct':
      return distinct(plan, run(plan.input, reading), reading);
    case 'union':
      return union(
        plan.columns,
        plan.inputs.map((input) => run(input, reading)),
        reading,
      );
    case 'except':
      return except(plan, run(plan.left, reading), run(plan.right, reading), reading);
    case 'intersect':
      return intersect(plan, run(plan.left, reading), run(plan.right, reading), reading);
    case 'sort':
      return sort(plan, run(plan.input, reading), reading);
    case 'limit':
      return limit(plan, run(plan.input, reading), reading);
    case 'singleRow':
      return singleRow(run(plan.input, reading), reading);
  }
}

/** ann = row token, prov = cell token or 1. */
function scan<K>(plan: Scan, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  const base = reading.base(plan.table);
  return {
    columns: plan.columns,
    rows: base.rows.map((row) => ({
      values: plan.indexes.map((index) => row.values[index]),
      ann: row.token,
      prov: plan.indexes.map((index) => row.cells[index]),
      present: true,
    })),
    membership: semiring.times(
      base.membership,
      product(
        semiring,
        base.rows.map((row) => row.token),
      ),
    ),
    reach: plan.indexes.map((index) =>
      product(
        semiring,
        base.rows.map((row) => row.cells[index]),
      ),
    ),
  };
}

/** ann · P(p), of the rows where p is true. */
function filter<K>(input: Relation<K>, predicate: Expression, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  const rows: Row<K>[] = [];
  for (const row of input.rows) {
    if (evaluate(predicate, input.columns, row.values, reading) !== true) continue;
    rows.push({
      ...row,
      ann: semiring.times(row.ann, provenanceOf(semiring, [predicate], input.columns, row.prov)),
    });
  }
  return {
    ...input,
    rows,
    membership: semiring.times(
      input.membership,
      provenanceOf(semiring, [predicate], input.columns, input.reach),
    ),
  };
}

/** ann stays; a cell's provenance is P(e). */
function project<K>(plan: Project, input: Relation<K>, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  return {
    columns: plan.columns,
    rows: input.rows.map((row) => ({
      values: plan.expressions.map((e) => evaluate(e, input.columns, row.values, reading)),
      ann: row.ann,
      prov: plan.expressions.map((e) => provenanceOf(semiring, [e], input.columns, row.prov)),
      present: row.present,
    })),
    membership: input.membership,
    reach: plan.expressions.map((e) => provenanceOf(semiring, [e], input.columns, input.reach)),
  };
}

/** annL · annR · P(p) for every pair where p is true; outer, semi and anti joins from the same pairs. */
function join<K>(plan: Join, left: Relation<K>, right: Relation<K>, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  const on = plan.on ? [plan.on] : [];
  const columns = [...left.columns, ...right.columns];
  const reach = [...left.reach, ...right.reach];
  const membership = product(semiring, [
    left.membership,
    right.membership,
    provenanceOf(semiring, on, columns, reach),
  ]);
  const pair = (l: Row<K>, r: Row<K>): Row<K> => {
    const prov = [...l.prov, ...r.prov];
    return {
      values: [...l.values, ...r.values],
      ann: product(semiring, [l.ann, r.ann, provenanceOf(semiring, on, columns, prov)]),
      prov,
      present: l.present && r.present,
    };
  };
  const verdict = (row: Row<K>) => (plan.on ? evaluate(plan.on, columns, row.values, reading) : true);
  const matches = (l: Row<K>) => right.rows.map((r) => pair(l, r)).filter((row) => verdict(row) === true);

  const kept = { columns: left.columns, membership, reach: left.reach };
  switch (plan.type) {
    case 'semi': {
      const rows = left.rows.flatMap((l) => {
        const partners = right.rows
          .map((r) => pair({ ...l, ann: semiring.one }, r))
          .filter((row) => verdict(row) === true);
        if (partners.length === 0) return [];
        const there = delta(
          semiring,
          sum(
            semiring,
            partners.map((row) => row.ann),
          ),
        );
        const present = partners.some((row) => row.present);
        return [{ ...l, ann: semiring.times(l.ann, there), present }];
      });
      return { ...kept, rows };
    }
    case 'anti':
      return { ...kept, rows: antiJoin(plan, left, right, reading) };
    default: {
      if (plan.lookup) return lookup(on, left, right, matches, reading);
      const rows = left.rows.flatMap(matches);
      if (plan.type === 'left' || plan.type === 'full')
        rows.push(...nullExtended(plan.on, 'left', left, right, reading));
      if (plan.type === 'right' || plan.type === 'full')
        rows.push(...nullExtended(plan.on, 'right', left, right, reading));
      return { columns, rows, membership, reach };
    }
  }
}

function refersLeft({ left, right }: Join): boolean {
  const read = outerColumns(right);
  return columnsOf(left).some((column) => read.has(column.id));
}

/**
 * The join of each left row with what the right side is for it. For values only: what rows depend on is not
 * told.
 */
function lateral<K>(plan: Join, left: Relation<K>, reading: Reading<K>): Relation<K> {
  const parts = left.rows.map((row) => {
    const here = left.columns.map((column, i) => [column.id, row.values[i]] as const);
    const outer = new Map([...(reading.outer ?? []), ...here]);
    return join(plan, { ...left, rows: [row] }, run(plan.right, { ...reading, outer }), reading);
  });
  const { one } = reading.semiring;
  const columns = columnsOf(plan);
  return {
    columns,
    rows: parts.flatMap((part) => part.rows),
    membership: one,
    reach: columns.map(() => one),
  };
}

/**
 * Each left row with its one partner: annL; the right cells have annR · P(on) besides their own provenance.
 */
function lookup<K>(
  on: readonly Expression[],
  left: Relation<K>,
  right: Relation<K>,
  matches: (row: Row<K>) => Row<K>[],
  { semiring }: Reading<K>,
): Relation<K> {
  const width = left.columns.length;
  const columns = [...left.columns, ...right.columns];
  const reach = [...left.reach, ...right.reach];
  const from = semiring.times(right.membership, provenanceOf(semiring, on, columns, reach));
  return {
    columns,
    rows: left.rows.flatMap((l) =>
      matches({ ...l, ann: semiring.one }).map((row) => ({
        ...row,
        ann: l.ann,
        prov: row.prov.map((cell, i) => (i < width ? cell : semiring.times(cell, row.ann))),
      })),
    ),
    membership: left.membership,
    reach: reach.map((cell, i) => (i < width ? cell : semiring.times(cell, from))),
  };
}

/** The inner join on "text contains needle". NULL contains nothing and is contained in nothing. */
function contains<K>(
  plan: Contains,
  left: Relation<K>,
  right: Relation<K>,
  reading: Reading<K>,
): Relation<K> {
  const { semiring } = reading;
  const both = [plan.text, plan.needle];
  const columns = columnsOf(plan);
  const rows: Row<K>[] = [];
  for (const l of left.rows) {
    const text = evaluate(plan.text, left.columns, l.values, reading);
    for (const r of right.rows) {
      const needle = evaluate(plan.needle, right.columns, r.values, reading);
      if (typeof text !== 'string' || typeof needle !== 'string' || !text.includes(needle)) continue;
      const prov = [...l.prov, ...r.prov];
      rows.push({
        values: [...l.values, ...r.values],
        ann: product(semiring, [l.ann, r.ann, provenanceOf(semiring, both, columns, prov)]),
        prov,
        present: l.present && r.present,
      });
    }
  }
  const reach = [...left.reach, ...right.reach];
  return {
    columns,
    rows,
    membership: product(semiring, [
      left.membership,
      right.membership,
      provenanceOf(semiring, both, columns, reach),
    ]),
    reach,
  };
}
