/**
 * The order of joins: whatever the number of tables and the shape of their conditions, no two parts of a
 * connected graph are multiplied; few tables get the cheapest of all orders without products.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LogicalPlan } from '../../../engine/plan/plan.js';
import { walkPlan } from '../../../engine/plan/traverse-plan.js';
import { Database } from '../../../planner/query/index.js';
import { optimize } from '../../../planner/query/optimize/optimize.js';
import type { JoinGraph, JoinOrder } from '../../../planner/query/optimize/rules/join-graph.js';
import { cheapOrder } from '../../../planner/query/optimize/rules/join-order.js';
import { costOf } from '../../../planner/query/optimize/rules/joining.js';
import { boundQuery } from '../../engine/bound-query.js';
import { runs } from '../../runs.js';

type Pair = readonly [number, number];

const shapes: ReadonlyMap<string, (n: number) => readonly Pair[]> = new Map([
  ['path', (n: number) => range(n - 1).map((i): Pair => [i, i + 1])],
  ['star', (n: number) => range(n - 1).map((i): Pair => [0, i + 1])],
  ['clique', (n: number) => range(n).flatMap((i) => range(i).map((j): Pair => [j, i]))],
]);

const sizes = [2, 3, 5, 10, 12, 13, 30, 31, 32, 33, 39, 48, 64];

function range(n: number): readonly number[] {
  return Array.from({ length: n }, (_, i) => i);
}

/** The same tables in an order in which neighbours stand apart. */
function scattered<T>(items: readonly T[]): readonly T[] {
  return [0, 1, 2].flatMap((rest) => items.filter((_, i) => i % 3 === rest));
}

function products(plan: LogicalPlan): number {
  let found = 0;
  walkPlan(plan, (node) => {
    if (node.kind === 'join' && node.type === 'inner' && !node.on) found += 1;
  });
  return found;
}

describe('joins of 2 to 64 tables', () => {
  const db = new Database();
  // Table i holds the pairs (k, 7k + i mod 10), so a path of equalities leads from every row to one other.
  for (const i of range(64))
    db.load(
      `t${i}`,
      range(10).map((k) => ({ a: k, b: (7 * k + i) % 10 })),
    );

  for (const [shape, edges] of shapes) {
    it(`${shape}: no cross product, and the answer`, async () => {
      for (const n of sizes) {
        const [left, right] = shape === 'path' ? ['b', 'a'] : ['a', 'a'];
        const conditions = edges(n).map(([i, j]) => `t${i}.${left} = t${j}.${right}`);
        for (const constant of [[], [`t${n >> 1}.a = 3`]]) {
          const where = scattered([...conditions, ...constant]).join(' AND ');
          const tables = scattered(range(n).map((i) => `t${i}`)).join(', ');
          const text = `SELECT t0.a, t${n - 1}.a FROM ${tables} WHERE ${where}`;
          const { plan } = await boundQuery(text, db.tables);
          assert.equal(products(optimize(plan).plan), 0, `${shape} of ${n}`);
          const rows = (await db.query(text)).rows();
          const last = (k: number) =>
            shape === 'path' ? range(n - 1).reduce((a, i) => (7 * a + i) % 10, k) : k;
          const middle = (k: number) =>
            shape === 'path' ? range(n >> 1).reduce((a, i) => (7 * a + i) % 10, k) : k;
          const starts = range(10).filter((k) => constant.length === 0 || middle(k) === 3);
          assert.deepEqual(rows.map(String).sort(), starts.map((k) => String([k, last(k)])).sort());
        }
      }
    });
  }
});

const noPlan: LogicalPlan = { kind: 'values', columns: [], rows: [] };

function graphOf(
  rows: readonly number[],
  edges: readonly (readonly [readonly number[], number])[],
): JoinGraph {
  return {
    leaves: rows.map(() => ({ ...noPlan })),
    rows,
    conditions: edges.map(([leaves, selectivity]) => ({
      expression: { kind: 'literal', value: true, type: 'boolean' },
      leaves: [...new Set(leaves)],
      selectivity,
    })),
    written: leftDeep(range(rows.length)),
  };
}

function leftDeep(leaves: readonly number[]): JoinOrder {
  const n = leaves.length;
  return leaves.slice(1).map((leaf, i): Pair => [i === 0 ? leaves[0] : n + i - 1, leaf]);
}

/** How many parts the conditions leave apart. */
function components({ leaves, conditions }: JoinGraph): number {
  const group = leaves.map((_, i) => i);
  for (const { leaves: read } of conditions)
    for (const leaf of read) {
      const [from, to] = [group[leaf], group[read[0]]];
      group.forEach((g, i) => {
        if (g === from) group[i] = to;
      });
    }
  return new Set(group).size;
}

/** Every order, as the sets of leaves that it joins, by its definition. */
function cheapestWithoutProducts(graph: JoinGraph): number {
  const n = graph.leaves.length;
  const visit = (parts: readonly (readonly number[])[], cost: number): number => {
    if (parts.length === 1) return cost;
    let best = Number.POSITIVE_INFINITY;
    parts.forEach((a, i) => {
      for (const b of parts.slice(i + 1)) {
        const joined = [...a, ...b];
        const isJoined = graph.conditions.some(
          ({ leaves }) => leaves.some((x) => a.includes(x)) && leaves.some((x) => b.includes(x)),
        );
        if (!isJoined) continue;
        const rest = parts.filter((part) => part !== a && part !== b);
        best = Math.min(best, visit([...rest, joined], cost + rowsOf(joined, graph)));
      }
    });
    return best;
  };
  return visit(
    range(n).map((i) => [i]),
    0,
  );
}

function rowsOf(set: readonly number[], { rows, conditions }: JoinGraph): number {
  const product = set.reduce((sum, leaf) => sum * rows[leaf], 1);
  return conditions
    .filter(({ leaves }) => leaves.every((leaf) => set.includes(leaf)))
    .reduce((left, { selectivity }) => left * selectivity, product);
}

/** Graphs of 2 to `most` leaves with conditions over up to `arity` of them. */
function graphs(most: number, arity: number): fc.Arbitrary<JoinGraph> {
  const rows = fc.constantFrom(0, 1, 2, 10, 1000, 1e40);
  return fc.array(rows, { minLength: 2, maxLength: most }).chain((leaves) => {
    const leaf = fc.nat(leaves.length - 1);
    const condition = fc.tuple(
      fc.uniqueArray(leaf, { minLength: Math.min(2, leaves.length), maxLength: arity }),
      fc.constantFrom(0, 0.01, 0.5, 1),
    );
    return fc
      .array(condition, { maxLength: 3 * leaves.length })
      .map((conditions) => graphOf(leaves, conditions));
  });
}

describe('an order', () => {
  it('joins every leaf once, and multiplies no more than the parts that nothing connects', () => {
    fc.assert(
      fc.property(graphs(40, 2), (graph) => {
        const order = cheapOrder(graph);
        const n = graph.leaves.length;
        assert.deepEqual(
          [...order.flat()].sort((a, b) => a - b),
          range(2 * n - 2),
        );
        assert.equal(costOf(order, graph).products, components(graph) - 1);
      }),
      { numRuns: runs(2000, 300) },
    );
  });

  it('is complete where conditions read several leaves', () => {
    fc.assert(
      fc.property(graphs(20, 4), (graph) => {
        const n = graph.leaves.length;
        assert.deepEqual(
          [...cheapOrder(graph).flat()].sort((a, b) => a - b),
          range(2 * n - 2),
        );
      }),
      { numRuns: runs(2000, 300) },
    );
  });

  it('of few connected leaves is the cheapest of all without a product', () => {
    fc.assert(
      fc.property(graphs(6, 2), (graph) => {
        fc.pre(components(graph) === 1);
        const best = cheapestWithoutProducts(graph);
        const { rows } = costOf(cheapOrder(graph), graph);
        assert.ok(rows <= best * (1 + 1e-9), `${rows} instead of ${best}`);
      }),
      { numRuns: runs(2000, 300) },
    );
  });

  it('of a long chain of tables needs no product either', () => {
    const n = 1000;
    const edges = range(n - 1).map((i) => [[i, i + 1], 0.1] as const);
    const graph = graphOf(
      range(n).map(() => 10),
      scattered(edges),
    );
    assert.equal(costOf(cheapOrder(graph), graph).products, 0);
  });
});
