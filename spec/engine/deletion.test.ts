/**
 * Deletions, three ways that must agree:
 *
 * 1. a plan run as if rows were not in their tables, and the plan over tables that never had them;
 * 2. an aggregate's tensor without these rows, and the aggregate of that run; where rows could come in or be
 *    others that the tensor knows nothing of it is refused, and a deletion of nothing never is;
 * 3. with the rows kept that are only possible, less is refused and the same holds.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  aggregates,
  Catalog,
  columnsOf,
  type ExecuteOptions,
  execute,
  from,
  type LogicalPlan,
  type Relation,
  terms,
} from '../../engine/index.js';
import { rewriteBottomUp } from '../../engine/plan/traverse-plan.js';
import { optimize } from '../../planner/query/optimize/optimize.js';
import { parametersOf } from '../../planner/query/parameters.js';
import { AssayError } from '../../semiring/message/error.js';
import { runs, showValues } from './answers.js';
import { boundQuery } from './bound-query.js';
import { type DatabaseDescription, databases, load } from './generated-database.js';
import { shapes } from './generated-expression.js';
import { allOperators, type Operator, outline, planOf, recipes } from './generated-plan.js';
import { sqlQueries } from './generated-sql.js';
import { sqlDatabases } from './generated-sql-schema.js';
import { PoisonedPool } from './poisoned-pool.js';

const { aggregateTerm, col, count, eq, jsonAgg, sum } = terms;

type Loaded = ReturnType<typeof load>;

/** The plan over other tables of the same columns. */
function over(plan: LogicalPlan, tables: ReadonlyMap<unknown, Loaded['tables'][number]>): LogicalPlan {
  return rewriteBottomUp(plan, (node) =>
    node.kind === 'scan' ? { ...node, table: tables.get(node.table) ?? node.table } : node,
  );
}

/**
 * Rows and cells that are deleted, by their tokens, and the database that never had them: NULL for a cell.
 */
function deletion(
  database: DatabaseDescription,
  loaded: Loaded,
  isGone: (row: number) => boolean,
  isCellGone: (cell: number) => boolean = () => false,
) {
  let cells = 0;
  const tokens = new Set<number>();
  let number = 0;
  const left = database.map((table, t) => ({
    ...table,
    rows: table.rows.flatMap((values, row) => {
      const left = values.map((value, column) => {
        const cell = loaded.tables[t].cellToken(column, row);
        if (cell === undefined || !isCellGone(cells++)) return value;
        tokens.add(cell);
        return null;
      });
      if (!isGone(number++)) return [left];
      tokens.add(loaded.tables[t].rowToken(row));
      return [];
    }),
  }));
  return { tokens, left };
}

const some = fc.array(fc.nat(15), { maxLength: 4 });

/** Mostly none, since tensors refuse where a cell that is read is lost. */
const lostCells = fc.oneof(
  { arbitrary: fc.constant<readonly number[]>([]), weight: 3 },
  { arbitrary: some, weight: 1 },
);

/** Plans with one aggregation on top. */
const aggregations = fc.record({
  operator: fc.constantFrom<Operator>('group', 'global'),
  shape: shapes,
  inputs: fc.tuple(recipes(allOperators, 2)),
});

const refusal = 'engine/not-in-tensor';

describe('a query without some rows', () => {
  it('is the query over tables that never had them', () => {
    const property = fc.property(databases(), recipes(), some, some, (database, recipe, deleted, cells) => {
      const loaded = load(database);
      const plan = planOf(recipe, loaded.tables, { determinate: true });
      const { tokens, left } = deletion(
        database,
        loaded,
        (row) => deleted.includes(row),
        (cell) => cells.includes(cell),
      );
      const never = load(left);
      const tables = new Map(loaded.tables.map((table, t) => [table, never.tables[t]]));
      const isDeleted = (token: number) => tokens.has(token);
      const actual = execute(plan, { isDeleted, pool: new PoisonedPool() });
      const expected = execute(over(plan, tables));
      assert.deepEqual(actual.rows().map(showValues), expected.rows().map(showValues), outline(plan));
    });
    fc.assert(property, runs(300));
  });

  for (const keep of ['present', 'possible'] as const) {
    it(`has the aggregates that tensors say, or they refuse (${keep})`, () => {
      let valued = 0;
      const property = fc.property(
        databases(),
        aggregations,
        some,
        lostCells,
        (database, recipe, deleted, cells) => {
          const loaded = load(database);
          const plan = planOf(recipe, loaded.tables, { determinate: true });
          if (plan.kind !== 'aggregate') return;
          const { tokens } = deletion(
            database,
            loaded,
            (row) => deleted.includes(row),
            (cell) => cells.includes(cell),
          );
          const before = execute(plan, { keep, pool: new PoisonedPool() });
          const after = execute(plan, { isDeleted: (token) => tokens.has(token) });
          const width = plan.keys.length;
          const keyOf = (relation: typeof before, row: number) =>
            showValues(plan.keys.map((_, c) => relation.row(row)[c]));
          const rowOf = new Map(after.rows().map((_, row) => [keyOf(after, row), row]));
          for (let row = 0; row < before.rowCount; row++) {
            plan.aggregates.forEach((call, i) => {
              const tensor = before.tensor(width + i, row);
              if (before.isPresent(row))
                assert.deepEqual(tensor.without([]), before.value(width + i, row), outline(plan));
              const then = rowOf.get(keyOf(before, row));
              let value: unknown;
              try {
                value = tensor.without(tokens);
              } catch (error) {
                assert.ok(error instanceof AssayError && error.code === refusal, String(error));
                return;
              }
              if (then === undefined) return;
              assert.deepEqual(
                value,
                after.value(width + i, then),
                `${call.function.name} of ${outline(plan)}`,
              );
              if (tokens.size > 0) valued += 1;
            });
          }
        },
      );
      fc.assert(property, runs(400));
      assert.ok(valued > 20, `only ${valued} were valued`);
    });
  }
});

describe('generated SQL without some rows', () => {
  const rowsOf = async (work: () => Promise<Relation>): Promise<string[] | undefined> => {
    try {
      const relation = await work();
      return relation.rows().map(showValues).sort();
    } catch (error) {
      // A subquery of two rows, a division by zero, what decorrelation refuses.
      if (error instanceof AssayError) return undefined;
      throw error;
    }
  };
  const tensorsOf = (answer: Relation, row: number) =>
    [...answer.columns.keys()].flatMap((column) => {
      try {
        return [[answer.value(column, row), answer.tensor(column, row)] as const];
      } catch (error) {
        if (error instanceof AssayError && error.code === 'engine/no-tensor') return [];
        throw error;
      }
    });

  it('is the query over tables that never had them, and without none its tensors say what it says', async () => {
    let compared = 0;
    let tensors = 0;
    const property = fc.asyncProperty(
      sqlDatabases(3),
      sqlQueries(60),
      fc.array(fc.nat(9), { maxLength: 4 }),
      async (database, { text, parameters }, deleted) => {
        const loaded = load(database);
        const { tokens, left } = deletion(database, loaded, (row) => deleted.includes(row % 10));
        const { values } = parametersOf(parameters);
        const ran = async ({ tables }: Loaded, options: ExecuteOptions = {}) =>
          execute(optimize((await boundQuery(text, tables, parameters)).plan).plan, {
            parameters: values,
            ...options,
          });
        const actual = await rowsOf(() => ran(loaded, { isDeleted: (token) => tokens.has(token) }));
        const expected = await rowsOf(() => ran(load(left)));
        if (actual === undefined || expected === undefined) return;
        assert.deepEqual(actual, expected, text);
        compared += 1;
        if ((await rowsOf(() => ran(loaded))) === undefined) return;
        const answer = await ran(loaded);
        for (let row = 0; row < answer.rowCount; row++) {
          for (const [value, tensor] of tensorsOf(answer, row)) {
            assert.equal(
              showValues([tensor.without([])]),
              showValues([value]),
              `${text}: ${tensor.function}`,
            );
            tensors += 1;
          }
        }
      },
    );
    await fc.assert(property, runs(200));
    assert.ok(compared > 100 && tensors > 20, `${compared} queries, ${tensors} tensors`);
  });
});

describe('a tensor without some rows', () => {
  const db = new Catalog();
  const t = db.create('t', [
    { k: 'a', v: 10 },
    { k: 'b', v: 15 },
    { k: 'a', v: 20 },
    { k: 'a', v: null },
    { k: 'a', v: 20 },
  ]);
  const s = db.create('s', [
    { k: 'a', v: 1 },
    { k: 'd', v: 2 },
  ]);
  const nameOf = (token: number) => db.tokens.nameOf(token);

  it('counts a row that DISTINCT made once, and under a multiplicity as often as it has derivations', () => {
    const tensor = from(t)
      .distinct()
      .aggregate({ total: sum(col('v')) })
      .run()
      .tensor(0, 0);
    assert.equal(tensor.show(nameOf), '10 ⊗ t[1] + 15 ⊗ t[2] + 20 ⊗ (t[3] + t[5])');
    assert.equal(tensor.without([]), 45);
    assert.equal(tensor.without([t.rowToken(2)]), 45);
    assert.equal(tensor.without([t.rowToken(2), t.rowToken(4)]), 25);
    assert.equal(
      tensor.under(() => 1),
      65,
    );
  });

  it('counts a row of UNION and INTERSECT once', () => {
    const [left, right] = [from(t).project({ k: col('k') }), from(s).project({ k: col('k') })];
    const of = (query: typeof left) => query.aggregate({ n: count() }).run().tensor(0, 0);
    assert.equal(of(left.union(right).distinct()).without([]), 3);
    assert.equal(of(left.intersect(right)).without([]), 1);
    assert.equal(of(left.intersect(right)).without([s.rowToken(0)]), 0);
  });

  it('keeps the NULLs of aggregates that take them', () => {
    const relation = from(t)
      .aggregate({ all: aggregateTerm(aggregates.arrayAgg, col('v')), json: jsonAgg(col('v')) })
      .run();
    for (const column of [0, 1]) {
      const tensor = relation.tensor(column, 0);
      assert.deepEqual(tensor.without([]), [10, 15, 20, null, 20]);
      assert.deepEqual(tensor.without([t.rowToken(0)]), [15, 20, null, 20]);
      assert.match(tensor.show(nameOf), /NULL ⊗ t\[4\]/);
    }
  });

  it('is refused above LIMIT, above another aggregate, and where rows could come in', () => {
    const refused = (plan: LogicalPlan, token: number, because: RegExp) => {
      const tensor = execute(plan).tensor(columnsOf(plan).length - 1, 0);
      assert.throws(
        () => tensor.without([token]),
        (error) => error instanceof AssayError && error.code === refusal && because.test(error.message),
      );
      return tensor;
    };
    const limited = from(t)
      .orderBy('v')
      .limit(2)
      .aggregate({ total: sum(col('v')) }).plan;
    assert.equal(refused(limited, t.rowToken(0), /LIMIT.*result\.without/).without([]), 25);
    const nested = from(t)
      .groupBy(['k'], { n: sum(col('v')) })
      .aggregate({ total: sum(col('n')) }).plan;
    assert.equal(refused(nested, t.rowToken(0), /another aggregate/).without([s.rowToken(0)]), 65);
    const difference = from(s)
      .project({ k: col('k') })
      .except(from(t).project({ k: col('k') }))
      .aggregate({ n: count() }).plan;
    const rows = [0, 2, 3, 4].map((row) => t.rowToken(row));
    refused(difference, rows[0], /EXCEPT.*keep: 'possible'/);
    assert.equal(execute(difference, { keep: 'possible' }).tensor(0, 0).without(rows), 2);
    assert.equal(
      execute(difference)
        .tensor(0, 0)
        .without([s.rowToken(1)]),
      0,
    );
  });

  it('is none where an outer join found no group', () => {
    const groups = from(t)
      .groupBy(['k'], { n: sum(col('v')) })
      .project({ key: col('k'), n: col('n') });
    const relation = from(s)
      .leftJoin(groups, eq(col('k'), col('key')))
      .run();
    const column = relation.columnIndex('n');
    const [found, missing] = relation.row(0)[column] === 50 ? [0, 1] : [1, 0];
    assert.equal(relation.tensor(column, found).without([t.rowToken(0)]), 40);
    assert.throws(
      () => relation.tensor(column, missing),
      /column "n" of row \d comes from no group: an outer join or a subquery found none/,
    );
  });
});
