/** The eight queries as SQL, and for DuckDB with hand-written lineage: row ids carried along, lists for groups. */
import type { QueryName } from './plans.js';

const discounted = 'l_extendedprice * (100 - l_discount)';

const q3From = `FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey
  WHERE c_mktsegment = 'BUILDING' AND o_orderdate < 19950315 AND l_shipdate > 19950315`;
const q5From = `FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey
  JOIN supplier ON l_suppkey = s_suppkey AND c_nationkey = s_nationkey JOIN nation ON s_nationkey = n_nationkey
  JOIN region ON n_regionkey = r_regionkey
  WHERE r_name = 'ASIA' AND o_orderdate >= 19940101 AND o_orderdate < 19950101`;
const q6From = `FROM lineitem WHERE l_shipdate >= 19940101 AND l_shipdate < 19950101
  AND l_discount >= 5 AND l_discount <= 7 AND l_quantity < 24`;
const j2From = 'FROM lineitem JOIN orders ON l_orderkey = o_orderkey';
const pathFrom = 'FROM edge e1 JOIN edge e2 ON e1.dst = e2.src';
const triFrom =
  'FROM edge e1 JOIN edge e2 ON e1.dst = e2.src JOIN edge e3 ON e2.dst = e3.src AND e3.dst = e1.src';
const q1Columns = `l_returnflag, l_linestatus, SUM(l_quantity) AS sum_qty, SUM(l_extendedprice) AS sum_base,
  SUM(${discounted}) AS sum_disc, AVG(l_quantity) AS avg_qty, COUNT(*) AS n`;
const q1From = 'FROM lineitem WHERE l_shipdate <= 19980902';
const q1Group = 'GROUP BY l_returnflag, l_linestatus';

export const sql: Readonly<Record<QueryName, string>> = {
  q1: `SELECT ${q1Columns} ${q1From} ${q1Group}`,
  q3: `SELECT l_orderkey, o_orderdate, o_shippriority, SUM(${discounted}) AS revenue ${q3From} GROUP BY l_orderkey, o_orderdate, o_shippriority`,
  q5: `SELECT n_name, SUM(${discounted}) AS revenue ${q5From} GROUP BY n_name`,
  q6: `SELECT SUM(l_extendedprice * l_discount) AS revenue ${q6From}`,
  j2: `SELECT o_orderkey, o_orderdate, l_linenumber, l_quantity ${j2From}`,
  path: `SELECT DISTINCT e1.src, e2.dst ${pathFrom}`,
  j2d: `SELECT DISTINCT o_custkey, l_suppkey ${j2From}`,
  tri: `SELECT e1.src AS a, e2.src AS b, e3.src AS c ${triFrom}`,
};

export const lineageSql: Readonly<Record<QueryName, string>> = {
  q1: `SELECT ${q1Columns}, LIST(lineitem.rid) ${q1From} ${q1Group}`,
  q3: `SELECT l_orderkey, o_orderdate, o_shippriority, SUM(${discounted}), LIST(lineitem.rid), LIST(orders.rid), LIST(customer.rid) ${q3From} GROUP BY l_orderkey, o_orderdate, o_shippriority`,
  q5: `SELECT n_name, SUM(${discounted}), LIST(lineitem.rid), LIST(orders.rid), LIST(customer.rid), LIST(supplier.rid), LIST(nation.rid), LIST(region.rid) ${q5From} GROUP BY n_name`,
  q6: `SELECT SUM(l_extendedprice * l_discount), LIST(rid) ${q6From}`,
  j2: `SELECT o_orderkey, o_orderdate, l_linenumber, l_quantity, lineitem.rid, orders.rid ${j2From}`,
  path: `SELECT e1.src, e2.dst, LIST(e1.rid), LIST(e2.rid) ${pathFrom} GROUP BY e1.src, e2.dst`,
  j2d: `SELECT o_custkey, l_suppkey, LIST(lineitem.rid), LIST(orders.rid) ${j2From} GROUP BY o_custkey, l_suppkey`,
  tri: `SELECT e1.src, e2.src, e3.src, e1.rid, e2.rid, e3.rid ${triFrom}`,
};
