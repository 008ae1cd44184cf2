/**
 * What tokens of dropped tables meant is kept where a row, a table or an answer still needs it, and only
 * there: files do not grow with tables that came and went, and readings do not change by forgetting.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Database } from '../../../planner/query/index.js';
import { Natural } from '../../../semiring/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { runs } from '../../runs.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Until nothing that is unreachable is left, and the registries have been told. */
async function collected(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function example(): Database {
  const db = new Database();
  db.load(
    't',
    Array.from({ length: 300 }, (_, i) => ({ k: i % 100, v: i })),
  );
  return db;
}

const comeAndGo = 'CREATE TABLE z AS SELECT k, sum(v) AS s FROM t GROUP BY k; DROP TABLE z';

describe('dropped tables', () => {
  it('leave nothing in a file, however many there were, also after it was opened again', async () => {
    const db = example();
    await db.run(comeAndGo);
    const once = db.save().length;
    for (let i = 0; i < 30; i++) await db.run(comeAndGo);
    // Numbers of tokens have a few more digits.
    assert.ok(db.save().length < once + 100, `${db.save().length} bytes, ${once} after the first`);
    const again = Database.open(db.save());
    assert.deepEqual(again.save(), db.save());
    for (let i = 0; i < 30; i++) await again.run(comeAndGo);
    assert.ok(again.save().length < once + 100);
    assert.ok(again.tokens.count > db.tokens.count);
  });

  it('leave behind what a row of another table was made from', async () => {
    const db = example();
    await db.run('CREATE TABLE a AS SELECT k, sum(v) AS s FROM t GROUP BY k');
    await db.run('CREATE TABLE other AS SELECT v FROM t WHERE v < 50');
    await db.run('CREATE TABLE b AS SELECT s FROM a WHERE k < 2');
    const before = (await db.query('SELECT s FROM b')).showPolynomial(1);
    assert.equal(before, 'δ(t[2] + t[102] + t[202])');
    await db.run('DROP TABLE a; DROP TABLE other');
    const again = Database.open(db.save());
    for (const one of [db, again]) {
      const result = await one.query('SELECT s FROM b');
      assert.equal(result.showPolynomial(1), before);
    }
    await db.run('DROP TABLE b');
    assert.ok(db.save().length < again.save().length - 1000);
  });

  it('are kept in memory by an answer, and by nothing else', async () => {
    const db = example();
    let counts: readonly number[] = [];
    await (async () => {
      await db.run('CREATE TABLE z AS SELECT v FROM t WHERE v < 299');
      db.value(Natural, db.table('z').rowToken(0), 5);
      const result = await db.query('SELECT v FROM z UNION ALL SELECT v FROM z');
      await db.run('DROP TABLE z');
      await collected();
      await db.run('SELECT 1');
      assert.equal(db.tokens.retired.size, 0);
      counts = [...result.annotate(Natural)].map(Number);
    })();
    assert.equal(counts.length, 598);
    const token = db.tokens.count - 1;
    await collected();
    await db.run('SELECT 1');
    assert.equal(db.tokens.retired.size, 300);
    assert.throws(
      () => db.valuations.of(Natural)(token),
      (error) => error instanceof AssayError && error.code === 'query/forgotten-token',
    );
    assert.throws(
      () => db.label(token, { integrity: 'T', readers: 'everyone' }),
      (error) => error instanceof AssayError && error.code === 'engine/unknown-token',
    );
  });

  it('do not change what is read of the tables that are left, in memory or in a file', async () => {
    const names = ['a', 'b', 'c'] as const;
    const steps = fc.array(
      fc.record({
        target: fc.constantFrom(...names),
        source: fc.constantFrom('t', ...names),
        drop: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const db = new Database();
        db.load('t', [{ v: 1 }, { v: 2 }, { v: 2 }]);
        for (const { target, source, drop } of list) {
          if (drop) await db.run(`DROP TABLE IF EXISTS ${target}`);
          else if (!db.catalog.has(source)) continue;
          else if (db.catalog.has(target))
            await db.run(`INSERT INTO ${target} SELECT v FROM ${source} LIMIT 3`);
          else await db.run(`CREATE TABLE ${target} AS SELECT v FROM ${source} GROUP BY v`);
        }
        const shown = async (one: Database) => {
          const lines: string[] = [];
          for (const { name } of one.tables) {
            const result = await one.query(`SELECT v FROM ${name}`);
            for (let row = 0; row < result.rowCount; row++)
              lines.push(`${name} ${result.row(row)} ${result.showPolynomial(row)}`);
          }
          return lines;
        };
        assert.deepEqual(await shown(Database.open(db.save())), await shown(db));
      }),
      { numRuns: runs(40) },
    );
  });
});
