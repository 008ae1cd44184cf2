/**
 * Grouping: DISTINCT and aggregation.
 *
 * A group is there if any of its rows is: δ(Σ ann · P(keys)). The value of an aggregate is a tensor
 * Σ ann ⊗ value (Amsterdamer, Deutch, Tannen: Provenance for aggregate queries, 2011); its label depends on
 * every row that was sorted into groups.
 */
import type { Column, Expression } from '../../engine/plan/expression.js';
import type { Aggregate, AggregateCall, Distinct } from '../../engine/plan/plan.js';
import type { Value } from '../../engine/value/value.js';
import { evaluate, provenanceOf } from './reference-expression.js';
import {
  delta,
  groupBy,
  keyOf,
  product,
  type Reading,
  type Relation,
  type Row,
  sum,
  type Term,
} from './reference-relation.js';

/** ann · P(all columns): what a row is worth where all its columns are compared. */
export function wholeRow<K>(row: Row<K>, reading: Reading<K>): K {
  return product(reading.semiring, [row.ann, ...row.prov]);
}

/** The sum over the equal rows of ann · P(all columns); cells 1. Bindings are 1 and depend on nothing. */
export function distinct<K>(plan: Distinct, input: Relation<K>, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  const ones = input.columns.map(() => semiring.one);
  const groups = groupBy(input.rows, (row) => row.values);
  return {
    columns: input.columns,
    rows: [...groups.values()].map((rows) => ({
      values: rows[0].values,
      ann: plan.bindings
        ? semiring.one
        : sum(
            semiring,
            rows.map((row) => wholeRow(row, reading)),
          ),
      prov: ones,
      present: plan.bindings === true || rows.some((row) => row.present),
    })),
    membership: plan.bindings ? semiring.one : product(semiring, [input.membership, ...input.reach]),
    reach: ones,
  };
}

/** One row for each set of equal keys; with no keys exactly one row, annotated 1. */
export function aggregate<K>(plan: Aggregate, input: Relation<K>, reading: Reading<K>): Relation<K> {
  const { semiring } = reading;
  const keys = plan.keys.map((key) => key.expression);
  const membership = semiring.times(
    input.membership,
    provenanceOf(semiring, keys, input.columns, input.reach),
  );
  const keyed = input.rows.map((row) => ({
    row,
    key: keys.map((e) => evaluate(e, input.columns, row.values, reading)),
    worth: semiring.times(row.ann, provenanceOf(semiring, keys, input.columns, row.prov)),
  }));
  const groups = plan.keys.length === 0 ? [keyed] : [...groupBy(keyed, (entry) => entry.key).values()];

  const rows = groups.map((group) => {
    const values: Value[] = [...(plan.keys.length === 0 ? [] : group[0].key)];
    const prov: K[] = values.map(() => semiring.one);
    const tensors = new Map<number, readonly Term<K>[]>();
    for (const call of plan.aggregates) {
      const read = readBy(call);
      const label = () =>
        product(semiring, [
          membership,
          ...group.flatMap(({ row }) => [row.ann, provenanceOf(semiring, read, input.columns, row.prov)]),
        ]);
      const stepped = group.filter(({ row }) => isStepped(call, row, input.columns, reading));
      const given = (row: Row<K>) =>
        call.arguments.map((e) => evaluate(e, input.columns, row.values, reading));
      tensors.set(
        values.length,
        stepped.map(({ row }) => ({
          weight: semiring.times(
            row.ann,
            provenanceOf(semiring, [...keys, ...read], input.columns, row.prov),
          ),
          values: given(row),
        })),
      );
      values.push(
        fold(
          call,
          stepped.filter(({ row }) => row.present).map(({ row }) => given(row)),
        ),
      );
      prov.push(reading.dependency ? label() : semiring.one);
    }
    return {
      values,
      ann:
        plan.keys.length === 0
          ? semiring.one
          : delta(
              semiring,
              sum(
                semiring,
                group.map((entry) => entry.worth),
              ),
            ),
      prov,
      present: plan.keys.length === 0 || group.some(({ row }) => row.present),
      tensors,
    };
  });
  return {
    columns: [...plan.keys.map((key) => key.column), ...plan.aggregates.map((call) => call.column)],
    rows,
    membership,
    reach: [
      ...keys.map(() => semiring.one),
      ...plan.aggregates.map((call) => provenanceOf(semiring, readBy(call), input.columns, input.reach)),
    ],
  };
}

function readBy(call: AggregateCall): readonly Expression[] {
  return call.filter ? [...call.arguments, call.filter] : call.arguments;
}

/** Whether the row reaches the aggregate: its FILTER is true and, unless `takesNull`, no argument is NULL. */
function isStepped<K>(
  call: AggregateCall,
  row: Row<K>,
  columns: readonly Column[],
  reading: Reading<K>,
): boolean {
  if (call.filter && evaluate(call.filter, columns, row.values, reading) !== true) return false;
  if (call.function.takesNull) return true;
  return !call.arguments.some((e) => evaluate(e, columns, row.values, reading) === null);
}

/** The aggregate of some argument rows. */
export function fold(call: AggregateCall, rows: readonly (readonly Value[])[]): Value {
  const stepped = call.distinct ? [...new Map(rows.map((values) => [keyOf(values), values])).values()] : rows;
  let state = call.function.start(call.arguments.map((e) => e.type));
  for (const values of stepped) state = call.function.step(state, values);
  return call.function.finish(state);
}
