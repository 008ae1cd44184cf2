/**
 * A saved database comes back with everything that it was: rows, tokens and their names, what tokens mean in
 * every semiring, labels, and rows made from other rows. A damaged file is an error, never a crash and never
 * another database.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Database, type Result } from '../../../planner/query/index.js';
import {
  alternativeLabels,
  conservativeLabels,
  Natural,
  Polynomials,
  type Semiring,
  Tropical,
  Why,
} from '../../../semiring/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { runs } from '../../engine/answers.js';

const MaxMin: Semiring<number> = {
  name: 'max-min',
  zero: 0,
  one: 1,
  plus: Math.max,
  times: Math.min,
  equals: (a, b) => a === b,
  monus: (a, b) => (a <= b ? 0 : a),
  delta: (a) => (a > 0 ? 1 : 0),
};

async function example(): Promise<Database> {
  const db = new Database();
  db.load(
    'mail',
    [
      { id: 1, sender: 'ann', size: 3 },
      { id: 2, sender: 'bob', size: -0.5 },
      { id: 3, sender: 'ann', size: null },
    ],
    { labelled: ['sender'] },
  );
  await db.run(`
    CREATE TABLE senders AS SELECT DISTINCT sender FROM mail WHERE size IS NOT NULL;
    INSERT INTO mail SELECT id + 10, sender, size FROM mail WHERE id NOT IN (SELECT 3);
    CREATE TABLE counts AS SELECT sender, count(*) AS n FROM mail GROUP BY sender;
    INSERT INTO senders SELECT sender FROM counts WHERE n > 1`);
  db.label('mail', { integrity: 'T', readers: new Set(['ann']) });
  db.label(db.table('mail').rowToken(1), { integrity: 'U', readers: 'everyone' });
  db.value(Natural, db.table('mail').rowToken(0), 2n ** 60n);
  db.value(Tropical, [0, 1], Number.POSITIVE_INFINITY);
  db.value(MaxMin, 2, 0.25);
  return db;
}

/** Everything that can be asked about the tables. */
async function everything(db: Database): Promise<unknown> {
  const seen: unknown[] = [];
  for (const { name } of db.tables) {
    const result: Result = await db.query(`SELECT * FROM ${name}`);
    const count = await db.query(`SELECT count(*) FROM ${name}`);
    const rows = result.rows().map((values, row) => ({
      values,
      polynomial: result.polynomial(row),
      shown: result.showPolynomial(row),
      readings: [Polynomials, Why, Natural, Tropical, MaxMin, alternativeLabels, conservativeLabels].map(
        (semiring) => result.annotate(semiring as Semiring<unknown>).at(row),
      ),
    }));
    seen.push([name, rows, count.annotateCell(0, conservativeLabels).at(0)]);
  }
  return seen;
}

describe('a saved database', () => {
  it('comes back with rows, tokens, names, values, labels and rows made from rows', async () => {
    const db = await example();
    const again = Database.open(db.save(), { semirings: [MaxMin] });
    assert.deepEqual(await everything(again), await everything(db));
    // And once more, also after it has grown.
    await again.run('INSERT INTO senders SELECT sender FROM mail WHERE id = 1');
    const third = Database.open(again.save(), { semirings: [MaxMin] });
    assert.deepEqual(await everything(third), await everything(again));
  });

  it('asks for a semiring that is not its own', async () => {
    const file = (await example()).save();
    assert.throws(
      () => Database.open(file),
      (error) => error instanceof AssayError && error.code === 'query/unknown-semiring',
    );
  });

  it('refuses values that have no form in a file', () => {
    const db = new Database();
    db.load('t', [{ a: 1 }]);
    db.value({ ...MaxMin, name: 'odd' } as Semiring<unknown>, 0, () => 1);
    assert.throws(
      () => db.save(),
      (error) => error instanceof AssayError && error.code === 'query/not-saved',
    );
  });

  it('is an error where any bytes are changed, cut off or added', async () => {
    const file = (await example()).save();
    const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    const isError = (bad: Uint8Array) =>
      assert.throws(
        () => Database.open(bad, { semirings: [MaxMin] }),
        (error) => error instanceof AssayError && error.code.startsWith('engine/'),
      );
    fc.assert(
      fc.property(
        damage,
        fc.nat(file.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 20 }),
        (flips, at, more) => {
          const bad = file.slice();
          for (const [i, flip] of flips) bad[i] ^= flip;
          if (bad.some((byte, i) => byte !== file[i])) isError(bad);
          isError(file.slice(0, at));
          isError(Uint8Array.from([...file, ...more]));
        },
      ),
      runs(150),
    );
  });
});
