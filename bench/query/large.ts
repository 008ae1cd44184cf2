/**
 * The large cases: each works, or says what its limit is. Prints how long each took.
 *
 *     npx tsx bench/query/large.ts
 */

import { from, type Relation, terms } from '../../engine/index.js';
import { Catalog } from '../../engine/table/catalog.js';
import { Database } from '../../planner/query/database.js';
import { Natural } from '../../semiring/instances/natural.js';

const { col, count, eq, gt, like, mul, sum } = terms;

async function shown(what: string, work: () => string | Promise<string>): Promise<void> {
  const begun = performance.now();
  let answer: string;
  try {
    answer = await work();
  } catch (error) {
    answer = `refused: ${error instanceof Error ? error.message : String(error)}`;
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  process.stdout.write(`${what}: ${answer} (${seconds} s)\n`);
}

function numbers(rows: number, catalog: Catalog, name: string): void {
  const portion = (start: number): number[][] =>
    Array.from({ length: Math.min(100_000, rows - start) }, (_, i) => [start + i, (start + i) % 1000]);
  const table = catalog.create(name, portion(0), { columns: ['id', 'k'] });
  for (let start = 100_000; start < rows; start += 100_000) table.append(portion(start));
}

function times(relation: Relation): number {
  return relation.annotate(Natural, { every: 1 }).length;
}

const catalog = new Catalog();
await shown('10 million rows, loaded', () => {
  numbers(10_000_000, catalog, 'ten');
  return `${catalog.table('ten').rowCount} rows`;
});
await shown('10 million rows, filtered, grouped by 1,000 keys, read in N', () => {
  const relation = from(catalog.table('ten'))
    .filter(gt(col('id'), 5))
    .groupBy(['k'], { n: count(), s: sum(col('id')) })
    .run({ pool: catalog.pool });
  const answer = `${relation.rowCount} groups, ${times(relation)} annotations, ${(relation.provenanceBytes / 1e7).toFixed(1)} bytes a row`;
  relation.release();
  return answer;
});
await shown('10 million rows, joined with themselves on a key', () => {
  const relation = from(catalog.table('ten'), 'a')
    .join(from(catalog.table('ten'), 'b'), eq(col('a.id'), col('b.id')))
    .run({ pool: catalog.pool });
  const answer = `${relation.rowCount} rows`;
  relation.release();
  return answer;
});
await shown('a join of 100 thousand million pairs', () => {
  const relation = from(catalog.table('ten'), 'a')
    .join(from(catalog.table('ten'), 'b'), eq(col('a.k'), col('b.k')))
    .run({ pool: catalog.pool });
  return `${relation.rowCount} rows`;
});
await shown('a group of a million rows: its sum, and the size of its tensor', () => {
  numbers(1_000_000, catalog, 'million');
  const relation = from(catalog.table('million'))
    .project({ one: mul(col('id'), 0), id: col('id') })
    .groupBy(['one'], { s: sum(col('id')) })
    .run({ pool: catalog.pool });
  return `sum ${relation.value(1, 0)}, tensor of ${relation.tensor(1, 0).size} terms`;
});
await shown('a polynomial of a million monomials, cut to ten', () => {
  const relation = from(catalog.table('million'))
    .project({ one: mul(col('id'), 0) })
    .distinct()
    .run({ pool: catalog.pool });
  const { polynomial, cut, derivations } = relation.expand(0, 10);
  return `${polynomial.length} monomials, cut: ${cut}, of ${derivations}`;
});
await shown('a polynomial of a million monomials, whole', () => {
  const relation = from(catalog.table('million'))
    .project({ one: mul(col('id'), 0) })
    .distinct()
    .run({ pool: catalog.pool });
  return `${relation.polynomial(0).length} monomials`;
});
await shown('a row of 2,000 columns', () => {
  const names = Array.from({ length: 2000 }, (_, c) => `c${c}`);
  const rows = Array.from({ length: 1000 }, (_, i) => names.map((_, c) => i * c));
  const table = catalog.create('wide', rows, { columns: names, labelled: 'all' });
  const relation = from(table)
    .filter(gt(col('c1'), 500))
    .run({ pool: catalog.pool });
  return `${relation.rowCount} rows of ${relation.rows()[0].length}`;
});
await shown('strings of ten megabytes: LIKE, contains, grouped', () => {
  const long = (last: string): string => 'ab'.repeat(5_000_000) + last;
  const texts = catalog.create('texts', [[long('x')], [long('y')], [long('x')]], { columns: ['t'] });
  const needles = catalog.create('needles', [[long('y').slice(-20)], ['zz']], { columns: ['n'] });
  const found = from(texts).contains(from(needles), col('t'), col('n')).run();
  const matched = from(texts)
    .filter(like(col('t'), '%bx'))
    .run();
  const grouped = from(texts).groupBy(['t'], { n: count() }).run();
  return `${found.rowCount} pairs, ${matched.rowCount} matches, ${grouped.rowCount} groups`;
});
await shown('sums past 2^53', async () => {
  const db = new Database();
  db.load('n', [[9_007_199_254_740_991], [9_007_199_254_740_991], [3]], { columns: ['v'] });
  return String((await db.query('SELECT SUM(v) FROM n')).row(0)[0]);
});
