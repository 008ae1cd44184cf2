/**
 * Why a row is there, by the operators of its plan: fixed examples, and every token of a row's annotation is
 * reached.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Catalog } from '../../../engine/table/catalog.js';
import { Database, type PlanProof } from '../../../planner/query/index.js';
import { Lin } from '../../../semiring/index.js';
import { runs } from '../../engine/answers.js';
import { load } from '../../engine/generated-database.js';
import { sqlQueries } from '../../engine/generated-sql.js';
import { sqlDatabases } from '../../engine/generated-sql-schema.js';
import { computingModel } from '../../udf/ask/ask-scene.js';

function shop(): Database {
  const db = new Database();
  db.load('t', [
    { a: 1, s: 'x' },
    { a: 2, s: 'y' },
    { a: 2, s: 'y' },
  ]);
  db.load('u', [
    { a: 1, b: 2 },
    { a: 3, b: 4 },
    { a: 1, b: 9 },
  ]);
  return db;
}

async function why(db: Database, sql: string, row = 0): Promise<string | undefined> {
  return (await db.query(sql)).why(row).operators?.text;
}

function* leaves(proof: PlanProof): Iterable<string> {
  if (proof.fact) yield proof.fact.name;
  for (const input of proof.inputs) yield* leaves(input);
}

describe('why, by operators', () => {
  it('names the rows that a join, a filter and a group were made from', async () => {
    const sql =
      'SELECT t.s, count(*) FROM t JOIN u ON t.a <= u.a WHERE u.b > 3 GROUP BY t.s HAVING count(*) > 1';
    assert.equal(
      await why(shop(), sql, 1),
      [
        'project key AS s, count → (y, 2)',
        '  filter count > 1 → (y, 2)',
        '    aggregate by t.s; count(*) → (y, 2)',
        '      inner join t.a <= u.a → (2, y, 3, 4)',
        '        scan row 2 of t, t[2] → (2, y)',
        '        filter u.b > 3 → (3, 4)',
        '          scan row 2 of u, u[2] → (3, 4)',
        '      inner join t.a <= u.a → (2, y, 3, 4)',
        '        scan row 3 of t, t[3] → (2, y)',
        '        filter u.b > 3 → (3, 4)',
        '          scan row 2 of u, u[2] → (3, 4)',
      ].join('\n'),
    );
  });

  it('tells equal rows apart', async () => {
    const db = shop();
    const sql = "SELECT s FROM t WHERE s = 'y' ORDER BY a";
    assert.match((await why(db, sql, 0)) ?? '', /t\[2\]/);
    assert.match((await why(db, sql, 1)) ?? '', /t\[3\]/);
  });

  it('is cut where a relation is joined with itself again and again', async () => {
    const db = new Database();
    db.load('t', [{ k: 'a' }, { k: 'b' }]);
    const steps = Array.from(
      { length: 40 },
      (_, i) => `q${i + 1} AS (SELECT x.k FROM q${i} x JOIN q${i} y ON x.k = y.k)`,
    );
    const result = await db.query(`WITH q0 AS (SELECT k FROM t), ${steps.join(', ')} SELECT * FROM q40`);
    const { text, operators } = result.why(0);
    assert.ok(text.length < 100_000, `${text.length} characters`);
    assert.match(text, /… \d+ more/);
    assert.ok((operators?.text.length ?? 0) < 1_000_000);
  });

  it('names the partners of EXISTS and both sides of UNION', async () => {
    const sql =
      'SELECT s FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a) UNION SELECT s FROM t WHERE a = 1';
    const text = (await why(shop(), sql)) ?? '';
    for (const part of ['semi join', 'u[1]', 'u[3]', 'union all', 't[1]'])
      assert.ok(text.includes(part), text);
  });

  it("shows the model's answer among the inputs, and why a row that a model lost is not there", async () => {
    const db = shop();
    db.useModel(computingModel(({ inputs }) => inputs.get('s') === 'x'));
    const sql = "SELECT a FROM t WHERE ask('is x?', s, 'boolean')";
    assert.match((await why(db, sql)) ?? '', /ask\[\d\]/);
    const lost = await db.whyNot(sql, [2]);
    assert.deepEqual([lost.present, lost.operator, lost.line, lost.column], [false, 'filter', 1, 23]);
  });

  it('reaches every row token of the annotation', async () => {
    const property = fc.asyncProperty(
      sqlDatabases(3),
      sqlQueries(40),
      async (database, { text, parameters }) => {
        const catalog = new Catalog();
        const { tables } = load(database);
        for (const table of tables) catalog.add(table);
        const db = new Database({}, catalog);
        const result = await db.query(text, parameters);
        for (let row = 0; row < result.rowCount; row++) {
          const proof = result.why(row, { mostParts: 1000 }).operators?.proof;
          assert.ok(proof, text);
          const found = new Set(leaves(proof));
          const rowTokens = new Set(
            tables.flatMap((t) => Array.from({ length: t.rowCount }, (_, i) => t.rowToken(i))),
          );
          const lineage = result
            .annotate({ ...Lin, monus: (kept: typeof Lin.zero) => kept }, (x) => [x])
            .at(row);
          const names = new Set(
            tables.flatMap((t) =>
              Array.from({ length: t.rowCount }, (_, i) => [t.rowToken(i), i] as const)
                .filter(([token]) => found.has(catalog.tokens.nameOf(token)))
                .map(([token]) => token),
            ),
          );
          for (const token of lineage ?? [])
            if (rowTokens.has(token)) assert.ok(names.has(token), `${text}\nrow ${row}, token ${token}`);
        }
      },
    );
    await fc.assert(property, runs(150));
  });
});
