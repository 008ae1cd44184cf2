/**
 * x IN (constants), by a hash set or a table, is what the definition says: the OR of the equalities,
 * three-valued. Over every type, NULLs in the list and in the data, -0, NaN, whole numbers past 2^53, and
 * dates among timestamps.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { execute } from '../../engine/execute.js';
import { call, equal, inList, notInList } from '../../engine/operators/index.js';
import { type Expression, freshColumn } from '../../engine/plan/expression.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import type { Type, Value } from '../../engine/value/value.js';
import { optimize } from '../../planner/query/optimize/optimize.js';
import { runs } from './answers.js';

const integers: readonly Value[] = [0, 1, 2, -1, 70_000, 2 ** 31, 2n ** 60n, 2n ** 60n + 1n];
const pools: Readonly<Record<string, readonly Value[]>> = {
  integer: integers,
  float: [0, -0, 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, 70_000],
  text: ['', 'a', '1', '\0j1', 'true', '\u{1F600}', '\uffff'],
  boolean: [true, false],
  date: [0, 1, 19_000],
  timestamp: [0, 86_400_000, 1, 19_000 * 86_400_000],
  json: [1, '1', true, { a: 1, b: [2] }, { b: [2], a: 1 }, [1]],
  interval: [
    { months: 1, days: 0, milliseconds: 0 },
    { months: 0, days: 30, milliseconds: 0 },
    { months: 0, days: 1, milliseconds: 0 },
  ],
};

/** Types that a subject of one type meets in a list. */
const meets: Readonly<Record<string, readonly Type[]>> = {
  integer: ['integer', 'float'],
  float: ['integer', 'float'],
  date: ['date', 'timestamp'],
  timestamp: ['date', 'timestamp'],
};

const literalOf = (type: Type) =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.constantFrom(...pools[type]) },
      { weight: 1, arbitrary: fc.constant(null) },
    )
    .map((value): Expression => ({ kind: 'literal', value, type }));

const cases = fc.constantFrom(...(Object.keys(pools) as Type[])).chain((type) =>
  fc.record({
    type: fc.constant(type),
    rows: fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pools[type]) }, fc.constant(null)), {
      maxLength: 12,
    }),
    list: fc.array(fc.constantFrom(...(meets[type] ?? [type])).chain(literalOf), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
);

function evaluated(plan: LogicalPlan): readonly (readonly Value[])[] {
  const relation = execute(plan, { capture: false });
  const rows = Array.from({ length: relation.rowCount }, (_, row) =>
    relation.columns.map((_, column) => relation.value(column, row)),
  );
  relation.release();
  return rows;
}

describe('IN a list of constants', () => {
  it('is the OR of the equalities, NOT IN its negation', () => {
    fc.assert(
      fc.property(cases, ({ type, rows, list }) => {
        const column = freshColumn('x', type);
        const input: LogicalPlan = { kind: 'values', columns: [column], rows: rows.map((value) => [value]) };
        const x: Expression = { kind: 'column', id: column.id, type };
        const equalities: Expression = {
          kind: 'or',
          arguments: list.map((item) => call(equal, x, item)),
          type: 'boolean',
        };
        const expressions = [
          call(inList, x, ...list),
          call(notInList, x, ...list),
          equalities,
          // The row path: a CASE is evaluated value by value.
          {
            kind: 'case',
            branches: [],
            otherwise: call(inList, x, ...list),
            type: 'boolean',
          } satisfies Expression,
        ];
        const columns = expressions.map((expression) => freshColumn('c', expression.type));
        const plan: LogicalPlan = { kind: 'project', input, columns, expressions };
        const wanted = rows.map((value) => {
          const truths = list.map((item) => {
            if (item.kind !== 'literal' || item.value === null || value === null) return null;
            return equal.evaluate([value, item.value], [type, item.type]);
          });
          const isIn = truths.includes(true) ? true : truths.includes(null) ? null : false;
          return [isIn, isIn === null ? null : !isIn, isIn, isIn];
        });
        assert.deepEqual(evaluated(plan), wanted);
        assert.deepEqual(evaluated(optimize(plan).plan), wanted);
      }),
      runs(1000),
    );
  });
});
