/** JSON from outside that is nested without end, or in a circle, is refused where it comes in, by name. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepestJson } from '../../engine/value/json-depth.js';
import type { Json } from '../../engine/value/value.js';
import { Database } from '../../planner/query/index.js';

function text(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

const json = { types: { v: 'json' } } as const;

describe('JSON as deep as the limit', () => {
  it('is compared, printed, saved and opened', async () => {
    const db = new Database();
    const object = JSON.parse(`${'{"a":'.repeat(deepestJson - 1)}[]${'}'.repeat(deepestJson - 1)}`) as Json;
    db.load('t', [{ v: JSON.parse(text(deepestJson)) as Json }, { v: object }, { v: object }], json);
    const answer = await db.query('SELECT DISTINCT v, v::text FROM t');
    assert.equal(answer.rowCount, 2);
    assert.equal(answer.rows()[0][1], text(deepestJson));
    const opened = Database.open(db.save());
    assert.equal((await opened.query('SELECT DISTINCT v FROM t')).rowCount, 2);
  });
});

describe('deeper JSON', () => {
  const tooDeep = (place: RegExp) => (error: { code?: string; message: string }) => {
    assert.equal(error.code, 'engine/too-deep');
    assert.match(error.message, place);
    assert.match(error.message, /nested deeper than 500 levels, or in a circle, at \$\[0\]\[0\]/);
    assert.ok(error.message.length < 250);
    return true;
  };

  for (const levels of [deepestJson + 1, 20_000]) {
    const value = JSON.parse(text(levels)) as Json;

    it(`of ${levels} levels is refused in a row, and no row comes in`, () => {
      const db = new Database();
      const table = db.load('t', [{ v: [1] }], json);
      assert.throws(() => table.append([{ v: 1 }, { v: value }]), tooDeep(/^table "t", row 2, column "v": /));
      assert.equal(table.rowCount, 1);
    });

    it(`of ${levels} levels is refused in CSV and as a parameter`, async () => {
      const db = new Database();
      assert.throws(
        () => db.load('c', { csv: `v\n"${text(levels)}"\n` }, json),
        tooDeep(/^table "c", row 1/),
      );
      await assert.rejects(db.query('SELECT $1', [value as []]), tooDeep(/^parameter \$1: /));
    });

    it(`of ${levels} levels is refused in a cast`, async () => {
      const db = new Database();
      db.load('t', [{ v: text(levels) }]);
      await assert.rejects(db.query('SELECT v::json FROM t'), { message: /nested deeper than 500 levels/ });
    });
  }

  it('in a circle is refused', () => {
    const circle: { inner?: unknown } = {};
    circle.inner = { back: circle };
    const db = new Database();
    assert.throws(() => db.load('t', [{ v: circle as Json }]), {
      code: 'engine/too-deep',
      message: /at \$\["inner"\]\["back"\]/,
    });
  });
});
