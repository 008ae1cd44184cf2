/** Arquero: data frames in JavaScript, the queries written in its verbs. */
import type { Engine } from '../engines.js';
import type { QueryName } from '../plans.js';
import { loadPeer, missing } from './load-peer.js';

interface AqTable {
  filter(test: unknown): AqTable;
  join(other: AqTable, on: unknown, values?: unknown): AqTable;
  derive(columns: unknown): AqTable;
  groupby(...keys: unknown[]): AqTable;
  rollup(columns?: unknown): AqTable;
  select(...columns: unknown[]): AqTable;
  rename(columns: Readonly<Record<string, string>>): AqTable;
  dedupe(...columns: unknown[]): AqTable;
  objects(): Record<string, number | string>[];
  reify(): AqTable;
}
interface Arquero {
  table(columns: Readonly<Record<string, unknown>>): AqTable;
  escape(test: (row: Record<string, number>) => unknown): unknown;
  op: Record<'sum' | 'mean' | 'count', (column?: string) => unknown>;
}

export const arquero: Engine = {
  missing: () => missing('arquero'),
  async setup(db) {
    const aq = await loadPeer<Arquero>('arquero');
    const table = (name: string): AqTable => aq.table(Object.fromEntries(db.get(name)?.columns ?? []));
    const [lineitem, orders, customer, supplier, nation, region, edge] = [
      'lineitem',
      'orders',
      'customer',
      'supplier',
      'nation',
      'region',
      'edge',
    ].map(table);
    const where = (test: (row: Record<string, number>) => unknown): unknown => aq.escape(test);
    const { sum, mean, count } = aq.op;
    const discounted = { disc: where((d) => d.l_extendedprice * (100 - d.l_discount)) };
    const queries: Record<QueryName, () => AqTable> = {
      q1: () =>
        lineitem
          .filter(where((d) => d.l_shipdate <= 19980902))
          .derive(discounted)
          .groupby('l_returnflag', 'l_linestatus')
          .rollup({
            sum_qty: sum('l_quantity'),
            sum_base: sum('l_extendedprice'),
            sum_disc: sum('disc'),
            avg_qty: mean('l_quantity'),
            n: count(),
          }),
      q3: () =>
        lineitem
          .filter(where((d) => d.l_shipdate > 19950315))
          .join(
            orders
              .filter(where((d) => d.o_orderdate < 19950315))
              .join(customer.filter(where((d) => (d.c_mktsegment as unknown) === 'BUILDING')), [
                'o_custkey',
                'c_custkey',
              ]),
            ['l_orderkey', 'o_orderkey'],
          )
          .derive(discounted)
          .groupby('l_orderkey', 'o_orderdate', 'o_shippriority')
          .rollup({ revenue: sum('disc') }),
      q5: () =>
        lineitem
          .join(
            orders
              .filter(where((d) => d.o_orderdate >= 19940101 && d.o_orderdate < 19950101))
              .join(
                customer.join(
                  nation.join(region.filter(where((d) => (d.r_name as unknown) === 'ASIA')), [
                    'n_regionkey',
                    'r_regionkey',
                  ]),
                  ['c_nationkey', 'n_nationkey'],
                ),
                ['o_custkey', 'c_custkey'],
              ),
            ['l_orderkey', 'o_orderkey'],
          )
          .join(supplier, [
            ['l_suppkey', 'c_nationkey'],
            ['s_suppkey', 's_nationkey'],
          ])
          .derive(discounted)
          .groupby('n_name')
          .rollup({ revenue: sum('disc') }),
      q6: () =>
        lineitem
          .filter(
            where(
              (d) =>
                d.l_shipdate >= 19940101 &&
                d.l_shipdate < 19950101 &&
                d.l_discount >= 5 &&
                d.l_discount <= 7 &&
                d.l_quantity < 24,
            ),
          )
          .derive({ part: where((d) => d.l_extendedprice * d.l_discount) })
          .rollup({ revenue: sum('part') }),
      j2: () =>
        lineitem
          .join(orders, ['l_orderkey', 'o_orderkey'])
          .select('o_orderkey', 'o_orderdate', 'l_linenumber', 'l_quantity'),
      path: () =>
        edge
          .rename({ dst: 'mid' })
          .join(edge.rename({ src: 'mid' }), ['mid', 'mid'])
          .select('src', 'dst')
          .dedupe('src', 'dst'),
      j2d: () =>
        lineitem
          .join(orders, ['l_orderkey', 'o_orderkey'])
          .select('o_custkey', 'l_suppkey')
          .dedupe('o_custkey', 'l_suppkey'),
      tri: () =>
        edge
          .rename({ src: 'a', dst: 'b' })
          .join(edge.rename({ src: 'b', dst: 'c' }), ['b', 'b'])
          .join(edge.rename({ src: 'c', dst: 'a' }), [
            ['c', 'a'],
            ['c', 'a'],
          ])
          .select('a', 'b', 'c'),
    };
    return {
      run: (query) => queries[query]().reify(),
      rows: (result) => (result as AqTable).objects().map((row) => Object.values(row)),
    };
  },
};
