/** A saved database comes back as it was; a damaged one is an error with the place. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Catalog } from '../../engine/catalog.js';
import { from } from '../../engine/index.js';
import { loadCatalog, saveCatalog } from '../../engine/storage/index.js';
import { AssayError } from '../../semiring/error.js';

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
    );
  });
});
