/** The eight queries as plans, join order by hand, smallest first. */

import { from, type Query, terms } from '../../engine/index.js';
import type { Catalog } from '../../engine/table/catalog.js';

const { and, avg, col, count, eq, ge, gt, le, lt, mul, sub, sum } = terms;

const revenue = sum(mul(col('l_extendedprice'), sub(100, col('l_discount'))));

export const queryNames = ['q1', 'q3', 'q5', 'q6', 'j2', 'path', 'j2d', 'tri'] as const;
export type QueryName = (typeof queryNames)[number];

export function plans(db: Catalog): Record<QueryName, Query> {
  const scan = (name: string, alias = name): Query => from(db.table(name), alias);
  const lineitem = (): Query => scan('lineitem');
  const orders = (): Query => scan('orders');
  const e = (alias: string): Query => scan('edge', alias);
  return {
    q1: lineitem()
      .filter(le(col('l_shipdate'), 19980902))
      .groupBy(['l_returnflag', 'l_linestatus'], {
        sum_qty: sum(col('l_quantity')),
        sum_base: sum(col('l_extendedprice')),
        sum_disc: revenue,
        avg_qty: avg(col('l_quantity')),
        n: count(),
      }),
    q3: scan('customer')
      .filter(eq(col('c_mktsegment'), 'BUILDING'))
      .join(orders().filter(lt(col('o_orderdate'), 19950315)), eq(col('o_custkey'), col('c_custkey')))
      .join(lineitem().filter(gt(col('l_shipdate'), 19950315)), eq(col('l_orderkey'), col('o_orderkey')))
      .groupBy(['l_orderkey', 'o_orderdate', 'o_shippriority'], { revenue })
      .project(['l_orderkey', 'o_orderdate', 'o_shippriority', 'revenue']),
    q5: scan('region')
      .filter(eq(col('r_name'), 'ASIA'))
      .join(scan('nation'), eq(col('n_regionkey'), col('r_regionkey')))
      .join(scan('customer'), eq(col('c_nationkey'), col('n_nationkey')))
      .join(
        orders().filter(and(ge(col('o_orderdate'), 19940101), lt(col('o_orderdate'), 19950101))),
        eq(col('o_custkey'), col('c_custkey')),
      )
      .join(lineitem(), eq(col('l_orderkey'), col('o_orderkey')))
      .join(
        scan('supplier'),
        and(eq(col('l_suppkey'), col('s_suppkey')), eq(col('c_nationkey'), col('s_nationkey'))),
      )
      .groupBy(['n_name'], { revenue }),
    q6: lineitem()
      .filter(
        and(
          ge(col('l_shipdate'), 19940101),
          lt(col('l_shipdate'), 19950101),
          ge(col('l_discount'), 5),
          le(col('l_discount'), 7),
          lt(col('l_quantity'), 24),
        ),
      )
      .aggregate({ revenue: sum(mul(col('l_extendedprice'), col('l_discount'))) }),
    j2: lineitem()
      .join(orders(), eq(col('l_orderkey'), col('o_orderkey')))
      .project(['o_orderkey', 'o_orderdate', 'l_linenumber', 'l_quantity']),
    path: e('e1')
      .join(e('e2'), eq(col('e1.dst'), col('e2.src')))
      .project({ src: col('e1.src'), dst: col('e2.dst') })
      .distinct(),
    j2d: lineitem()
      .join(orders(), eq(col('l_orderkey'), col('o_orderkey')))
      .project(['o_custkey', 'l_suppkey'])
      .distinct(),
    tri: e('e1')
      .join(e('e2'), eq(col('e1.dst'), col('e2.src')))
      .join(e('e3'), and(eq(col('e2.dst'), col('e3.src')), eq(col('e3.dst'), col('e1.src'))))
      .project({ a: col('e1.src'), b: col('e2.src'), c: col('e3.src') }),
  };
}
