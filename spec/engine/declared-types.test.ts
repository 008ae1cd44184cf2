/**
 * Rows of mixed trust in one table: where columns and types are declared, what an untrusted row holds changes
 * nothing of the others, and what does not fit is refused by row, column and value. The last test shows what
 * inference does instead.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Database } from '../../planner/query/index.js';
import { AssayError } from '../../semiring/message/error.js';
import { runs } from '../runs.js';

const declared = { columns: ['k', 'v'], types: { k: 'text', v: 'integer' } } as const;
const trusted = "SELECT v / 2 AS half, v AS v FROM t WHERE k = 'a'";

function refusal(act: () => unknown): AssayError {
  try {
    act();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'this should have been refused' });
}

describe('declared columns and types', () => {
  it('keep what is read of a trusted row, or refuse the other row', async () => {
    const hostile = fc.oneof(
      fc.jsonValue(),
      fc.double(),
      fc.bigInt(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', '7', '\u202e7'),
    );
    await fc.assert(
      fc.asyncProperty(
        hostile,
        fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 1 }),
        async (v, more) => {
          const db = new Database();
          try {
            db.load(
              't',
              [
                { k: 'a', v: 7 },
                { ...more, k: 'b', v },
              ],
              declared,
            );
          } catch (error) {
            assert.ok(error instanceof AssayError, String(error));
            assert.match(error.code, /^engine\/(type-mismatch|unknown-column)$/);
            return;
          }
          assert.deepEqual((await db.query(trusted)).rows(), [[3, 7]]);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('name row, column and value of what does not fit', () => {
    const db = new Database();
    const rows = (v: unknown) => [
      { k: 'a', v: 7 },
      { k: 'b', v },
    ];
    assert.match(
      refusal(() => db.load('t', rows(1.5), declared)).message,
      /table "t", row 2, column "v": expected integer, got number 1\.5/,
    );
    assert.match(refusal(() => db.load('t', rows('\u202ex'), declared)).message, /got text "\\u\{202e\}x"/);
    assert.equal(refusal(() => db.load('t', [{ k: 'a', w: 1 }], declared)).code, 'engine/unknown-column');
    assert.equal(db.tables.length, 0);
    assert.equal(
      refusal(() => db.load('t', rows(1), { types: { w: 'integer' } })).code,
      'engine/unknown-column',
    );
  });

  it('hold for CSV: leading zeros of a text stay, and its header must be the columns', async () => {
    const db = new Database();
    const types = { k: 'text', v: 'text' } as const;
    for (const [name, evil] of ['x', '8', ''].entries()) {
      db.load(`t${name}`, { csv: `k,v\na,007\nb,${evil}\n` }, { types });
      assert.deepEqual((await db.query(`SELECT v FROM t${name} WHERE k = 'a'`)).rows(), [['007']]);
    }
    const numbers = { columns: ['k', 'v'], types: { v: 'integer' }, file: 'f.csv' } as const;
    assert.match(
      refusal(() => db.load('u', { csv: 'k,v\na,7\nb,x\n' }, numbers)).message,
      /f\.csv:3: row 2, column "v": "x" is no integer/,
    );
    assert.match(refusal(() => db.load('u', { csv: 'v,k\n7,a\n' }, numbers)).message, /expected "k", "v"/);
    db.load('u', { csv: 'a,7\n' }, { ...numbers, header: false });
    assert.deepEqual((await db.query('SELECT v + 1 FROM u')).rows(), [[8]]);
  });

  it('are what the theorem supposes: inferred types follow from every row', async () => {
    const halves = [];
    for (const v of [8, 1.5]) {
      const db = new Database();
      db.load('t', [
        { k: 'a', v: 7 },
        { k: 'b', v },
      ]);
      halves.push((await db.query("SELECT v / 2 FROM t WHERE k = 'a'")).rows()[0][0]);
    }
    assert.deepEqual(halves, [3, 3.5]);
  });
});
