/**
 * The eight queries as SQL, and for DuckDB with hand-written lineage: row ids carried along, lists for
 * groups. Every column has its table's alias, since alasql joins by index only then.
 */
import type { QueryName } from './plans.js';

const discounted = 'l.l_extendedprice * (100 - l.l_discount)';

const linesOfOrders = 'FROM lineitem l JOIN orders o ON l.l_orderkey = o.o_orderkey';
const q3From = `${linesOfOrders} JOIN customer c ON o.o_custkey = c.c_custkey
  WHERE c.c_mktsegment = 'BUILDING' AND o.o_orderdate < 19950315 AND l.l_shipdate > 19950315`;
const q3Keys = 'l.l_orderkey, o.o_orderdate, o.o_shippriority';
const q5From = `${linesOfOrders} JOIN customer c ON o.o_custkey = c.c_custkey
  JOIN supplier s ON l.l_suppkey = s.s_suppkey AND c.c_nationkey = s.s_nationkey
  JOIN nation n ON s.s_nationkey = n.n_nationkey JOIN region r ON n.n_regionkey = r.r_regionkey
  WHERE r.r_name = 'ASIA' AND o.o_orderdate >= 19940101 AND o.o_orderdate < 19950101`;
const q6From = `FROM lineitem l WHERE l.l_shipdate >= 19940101 AND l.l_shipdate < 19950101
  AND l.l_discount >= 5 AND l.l_discount <= 7 AND l.l_quantity < 24`;
const pathFrom = 'FROM edge e1 JOIN edge e2 ON e1.dst = e2.src';
const triFrom = `${pathFrom} JOIN edge e3 ON e2.dst = e3.src AND e3.dst = e1.src`;
const q1Columns = `l.l_returnflag, l.l_linestatus, SUM(l.l_quantity) AS sum_qty, SUM(l.l_extendedprice) AS sum_base,
  SUM(${discounted}) AS sum_disc, AVG(l.l_quantity) AS avg_qty, COUNT(*) AS n`;
const q1From = 'FROM lineitem l WHERE l.l_shipdate <= 19980902';
const q1Group = 'GROUP BY l.l_returnflag, l.l_linestatus';
const j2Columns = 'o.o_orderkey, o.o_orderdate, l.l_linenumber, l.l_quantity';

export const sql: Readonly<Record<QueryName, string>> = {
  q1: `SELECT ${q1Columns} ${q1From} ${q1Group}`,
  q3: `SELECT ${q3Keys}, SUM(${discounted}) AS revenue ${q3From} GROUP BY ${q3Keys}`,
  q5: `SELECT n.n_name, SUM(${discounted}) AS revenue ${q5From} GROUP BY n.n_name`,
  q6: `SELECT SUM(l.l_extendedprice * l.l_discount) AS revenue ${q6From}`,
  j2: `SELECT ${j2Columns} ${linesOfOrders}`,
  path: `SELECT DISTINCT e1.src, e2.dst ${pathFrom}`,
  j2d: `SELECT DISTINCT o.o_custkey, l.l_suppkey ${linesOfOrders}`,
  tri: `SELECT e1.src AS a, e2.src AS b, e3.src AS c ${triFrom}`,
};

const groupIds = 'LIST(l.rid), LIST(o.rid), LIST(c.rid)';

export const lineageSql: Readonly<Record<QueryName, string>> = {
  q1: `SELECT ${q1Columns}, LIST(l.rid) ${q1From} ${q1Group}`,
  q3: `SELECT ${q3Keys}, SUM(${discounted}), ${groupIds} ${q3From} GROUP BY ${q3Keys}`,
  q5: `SELECT n.n_name, SUM(${discounted}), ${groupIds}, LIST(s.rid), LIST(n.rid), LIST(r.rid) ${q5From} GROUP BY n.n_name`,
  q6: `SELECT SUM(l.l_extendedprice * l.l_discount), LIST(l.rid) ${q6From}`,
  j2: `SELECT ${j2Columns}, l.rid, o.rid ${linesOfOrders}`,
  path: `SELECT e1.src, e2.dst, LIST(e1.rid), LIST(e2.rid) ${pathFrom} GROUP BY e1.src, e2.dst`,
  j2d: `SELECT o.o_custkey, l.l_suppkey, LIST(l.rid), LIST(o.rid) ${linesOfOrders} GROUP BY o.o_custkey, l.l_suppkey`,
  tri: `SELECT e1.src, e2.src, e3.src, e1.rid, e2.rid, e3.rid ${triFrom}`,
};
