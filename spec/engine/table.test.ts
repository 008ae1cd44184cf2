/** Tables from JSON rows and CSV, types, growth, and what they refuse. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalog, from } from '../../engine/index.js';
import { Tokens } from '../../engine/provenance/token.js';
import { Table } from '../../engine/table/table.js';

const typesOf = (table: Table): string[] => table.columns.map((column) => `${column.name} ${column.type}`);

describe('a table of JSON rows', () => {
  it('infers types from all rows', () => {
    const table = Table.fromRows(new Tokens(), 't', [
      { i: 1, f: 1, b: true, s: 'x', j: { k: 1 }, mixed: 1, none: null },
      { i: 2n ** 80n, f: 0.5, b: null, s: null, j: null, mixed: 'a', late: 7 },
    ]);
    assert.deepEqual(typesOf(table), [
      'i integer',
      'f float',
      'b boolean',
      's text',
      'j json',
      'mixed json',
      'none text',
      'late integer',
    ]);
    assert.deepEqual(from(table).run().rows()[1], [2n ** 80n, 0.5, null, null, null, 'a', null, 7]);
  });

  it('takes hostile names as plain keys', () => {
    const rows = JSON.parse('[{"__proto__": 1, "constructor": "x"}, {"toString": 2}]');
    const table = Table.fromRows(new Tokens(), '__proto__', rows);
    assert.deepEqual(from(table).run().rows(), [
      [1, 'x', null],
      [null, null, 2],
    ]);
    assert.deepEqual(Object.entries(from(table).run().objects()[0])[0], ['__proto__', 1]);
  });

  it('is left as it was by a row it refuses', () => {
    const db = new Catalog();
    db.create('t', [{ a: 1 }]);
    assert.throws(
      () => db.insert('t', [{ a: 2 }, { a: 'x' }]),
      /table "t", row 2, column "a": expected integer, got text "x"/,
    );
    assert.throws(() => db.insert('t', [{ b: 1 }]), /no column "b"/);
    assert.equal(db.table('t').rowCount, 1);
  });

  it('grows without changing what was read before', () => {
    const tokens = new Tokens();
    const table = Table.fromRows(tokens, 't', [{ a: 1 }], { labelled: ['a'] });
    const before = from(table).run();
    for (let i = 2; i < 100; i++) table.append([{ a: i }]);
    table.append([{ a: 2 ** 40 }]);
    assert.deepEqual(before.rows(), [[1]]);
    assert.equal(from(table).run().rows()[98][0], 99);
    assert.equal(new Set(Array.from({ length: 100 }, (_, i) => table.rowToken(i))).size, 100);
    assert.equal(tokens.nameOf(table.rowToken(99)), 't[100]');
    assert.equal(tokens.nameOf(table.cellToken('a', 4) ?? -1), 't[5].a');
  });

  it('takes tokens that exist', () => {
    const tokens = new Tokens();
    const first = tokens.issue(3, (i) => `t${i + 1}`);
    const table = Table.fromRows(tokens, 't', [{ a: 1 }, { a: 2 }], {
      rowTokens: [first, first],
      labelled: 'all',
      cellTokens: new Map([['a', [first + 1, first + 2]]]),
    });
    assert.equal(table.rowToken(1), first);
    assert.equal(tokens.nameOf(table.cellToken('a', 1) ?? -1), 't3');
    assert.throws(() => table.append([{ a: 1 }], { rowTokens: [] }), /0 row tokens for 1 rows/);
  });

  it('holds more than a thousand columns, and text of ten megabytes', () => {
    const wide = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`c${i}`, i]));
    const long = 'x'.repeat(10_000_000);
    const table = Table.fromRows(new Tokens(), 't', [{ ...wide, long }]);
    const [row] = from(table).run().rows();
    assert.equal(row.length, 1501);
    assert.equal(row[1500], long);
  });
});

describe('a table of CSV', () => {
  it('tells an empty field from an empty text, and reads dates', () => {
    const table = Table.fromCsv(new Tokens(), 't', 'a,b,c,d\n1,2.5,2024-02-29,""\n,1e3,,\n');
    assert.deepEqual(typesOf(table), ['a integer', 'b float', 'c date', 'd text']);
    assert.deepEqual(from(table).run().rows(), [
      [1, 2.5, '2024-02-29', ''],
      [null, 1000, null, null],
    ]);
  });

  it('names file and line of what is wrong', () => {
    const read = (text: string, types = {}): Table =>
      Table.fromCsv(new Tokens(), 't', text, { file: 'x.csv', types });
    assert.throws(() => read('a,b\n1,2\n3\n'), /x\.csv:3: 1 fields, expected 2/);
    assert.throws(
      () => read('a\n1\nx\n', { a: 'integer' }),
      /x\.csv:3: row 2, column "a": "x" is no integer/,
    );
    assert.throws(() => read('a\n"x\n'), /x\.csv/);
  });
});

describe('a catalog', () => {
  it('suggests the nearest table', () => {
    const db = new Catalog();
    db.create('orders', [{ a: 1 }]);
    assert.throws(() => db.table('order'), /did you mean "orders"\?/);
    assert.throws(() => db.create('orders', []), { code: 'engine/table-exists' });
    db.drop('orders');
    assert.equal(db.has('orders'), false);
  });
});
