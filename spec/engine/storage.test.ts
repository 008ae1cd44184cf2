/** A saved database comes back as it was; a damaged one is an error with the place. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { from } from '../../engine/index.js';
import { splitSections } from '../../engine/storage/file-format.js';
import { loadCatalog, saveCatalog } from '../../engine/storage/index.js';
import { Catalog } from '../../engine/table/catalog.js';
import { valueAt } from '../../engine/value/vector.js';
import { AssayError } from '../../semiring/message/error.js';
import { runs } from './answers.js';

function example(): Catalog {
  const db = new Catalog();
  db.create(
    'mail',
    [
      {
        id: 1,
        body: 'hello',
        size: 2n ** 70n,
        sent: '2024-02-29',
        data: { big: '7', __proto__x: [1] },
        ok: true,
      },
      { id: 2, body: null, size: -5, sent: null, data: null, ok: false },
    ],
    { labelled: ['body'], membership: true, types: { sent: 'date' } },
  );
  db.create('empty', [], { columns: ['x'], types: { x: 'float' } });
  db.create('floats', [{ x: Number.NaN }, { x: -0 }, { x: Number.POSITIVE_INFINITY }, { x: 0.1 }]);
  return db;
}

describe('a saved catalog', () => {
  it('comes back with values, tokens and names', () => {
    const db = example();
    const again = loadCatalog(saveCatalog(db));
    assert.equal(again.tokens.count, db.tokens.count);
    for (const table of db.tables) {
      const other = again.table(table.name);
      assert.deepEqual(from(other).run().rows(), from(table).run().rows());
      assert.deepEqual(other.columns, table.columns);
      assert.equal(other.membership, table.membership);
      for (let row = 0; row < table.rowCount; row++) {
        assert.equal(other.rowToken(row), table.rowToken(row));
        for (const { name } of table.columns)
          assert.equal(other.cellToken(name, row), table.cellToken(name, row));
      }
    }
    for (let token = 0; token < db.tokens.count; token++)
      assert.equal(again.tokens.nameOf(token), db.tokens.nameOf(token));
  });

  it('grows on after loading, with tokens that are new', () => {
    const again = loadCatalog(saveCatalog(example()));
    const before = again.tokens.count;
    again.insert('mail', [{ id: 3, body: 'x' }]);
    assert.ok(again.table('mail').rowToken(2) >= before);
  });

  it('is cut into sections where a column has much text, and comes back', () => {
    const db = new Catalog();
    const long = 'x'.repeat(9_000_000);
    const rows = Array.from({ length: 4 }, (_, i) => ({ id: i, body: `${i}${long}` }));
    db.create('mail', rows, { labelled: ['body'] });
    const file = saveCatalog(db);
    // Head, names, meaning, row tokens, id, and the texts two by two.
    assert.equal(splitSections(file).length, 7);
    const again = loadCatalog(file).table('mail');
    for (const [row, { body }] of rows.entries()) assert.ok(valueAt(again.vector(1), row) === body);
    assert.equal(again.cellToken('body', 3), db.table('mail').cellToken('body', 3));
  });

  it('with a value that no JSON text can hold is refused by its place', () => {
    const db = new Catalog();
    db.create('mail', [{ body: '' }, { body: '\u0001'.repeat(90_000_000) }]);
    assert.throws(
      () => saveCatalog(db),
      (error) =>
        error instanceof AssayError &&
        error.code === 'engine/too-large' &&
        /table "mail", row 2, column "body".*2\^29/.test(error.message),
    );
  });

  it('is refused, whatever byte is flipped or wherever it is cut', () => {
    const file = saveCatalog(example());
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bad = file.slice();
        bad[at] ^= flip;
        assert.throws(
          () => loadCatalog(bad),
          (error) => error instanceof AssayError && error.code.startsWith('engine/'),
        );
        assert.throws(
          () => loadCatalog(file.slice(0, at)),
          (error) => error instanceof AssayError,
        );
      }),
      runs(100),
    );
  });
});
