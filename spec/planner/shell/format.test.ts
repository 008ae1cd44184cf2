/** Output modes: nothing is lost, nothing moves the cursor. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCsv } from '../../../engine/format/csv.js';
import { type Mode, modes } from '../../../planner/shell/format/mode.js';
import type { WriterOptions } from '../../../planner/shell/format/writer.js';
import { displayWidth } from '../../../semiring/message/visible-text.js';
import { runs } from '../../runs.js';

const options: WriterOptions = { width: 60, headers: true, nullValue: undefined, screen: true };
const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
const cell = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constant(null),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom('\u001b[31m', '\u202eabc', 'a\nb', '漢字漢字', ' x ', '|', '"'),
);
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.tuple(
      fc.array(name, { minLength: width, maxLength: width }),
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }),
    ),
  );

function write(
  mode: Mode,
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
  more: Partial<WriterOptions> = {},
): string {
  const columns = names.map((column) => ({ name: column, align: 'left' as const }));
  const writer = modes[mode].writer(columns, rows, { ...options, ...more });
  return writer.head + rows.map((row) => writer.row(row)).join('') + writer.end(rows.length);
}

describe('output modes', () => {
  for (const mode of Object.keys(modes) as Mode[]) {
    it(`${mode}: only printable characters, line feeds and tabs reach a screen`, () => {
      fc.assert(
        fc.property(table, ([names, rows]) => {
          assert.doesNotMatch(
            write(mode, names, rows).replace(/[\n\t]/g, ''),
            /[\p{C}\p{Default_Ignorable_Code_Point}]/u,
          );
        }),
        { numRuns: runs(100) },
      );
    });
  }

  it('box: all lines of a box are equally wide', () => {
    fc.assert(
      fc.property(table, ([names, rows]) => {
        const lines = write('box', names, rows).trimEnd().split('\n').slice(0, -1);
        assert.equal(new Set(lines.map(displayWidth)).size, 1);
      }),
      { numRuns: runs(100) },
    );
  });

  it('box: a folded cell keeps every character that is not a blank', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 150 }), fc.integer({ min: 20, max: 80 }), (text, width) => {
        const shown = write('box', ['x'], [[text]], { width });
        const inner = shown
          .split('\n')
          .slice(3, -3)
          .map((line) => line.slice(1, -1))
          .join('');
        const plain = text.replace(/\\(?=[\\nrtxu])/g, '\\\\');
        assert.equal(inner.replace(/\s/g, ''), plain.replace(/\s/g, ''));
      }),
      { numRuns: runs(100) },
    );
  });

  it('box: a cell of many lines says how long it is', () => {
    assert.match(write('box', ['x'], [['y'.repeat(100_000)]]), /… \(100000 characters\)/);
  });

  it('csv: import reads back what was written', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.includes('\ufeff'));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.option(text)), { minLength: 1, maxLength: 5 }), (rows) => {
        const csv = write('csv', ['a', 'b'], rows, { screen: false });
        const read = parseCsv(csv, {
          types: new Map([
            ['a', 'text'],
            ['b', 'text'],
          ]),
        });
        assert.deepEqual(read.rows, rows);
      }),
      { numRuns: runs(100) },
    );
  });

  it('json and jsonl: a reader of JSON gets the values', () => {
    fc.assert(
      fc.property(table, ([names, rows]) => {
        const lines = write('jsonl', names, rows)
          .split('\n')
          .filter((line) => line !== '');
        const parsed = JSON.parse(write('json', names, rows)) as object[];
        assert.deepEqual(
          lines.map((line) => JSON.parse(line) as unknown),
          parsed,
        );
        for (const [i, row] of rows.entries()) {
          const values = Object.values(Object.fromEntries(Object.entries(parsed[i])));
          // Keys that look like numbers come first in a JavaScript object, so values are compared as a bag.
          assert.deepEqual(values.map(String).sort(), row.map((value) => String(value)).sort());
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('json: two columns of one name are two keys; large integers keep their digits', () => {
    assert.equal(
      write('jsonl', ['a', 'a', 'a_2'], [[1, 12345678901234567890n, null]]),
      '{"a": 1, "a_3": 12345678901234567890, "a_2": null}\n',
    );
  });

  it('markdown: a bar in a cell is no border', () => {
    assert.equal(write('markdown', ['a|b'], [['x|y']]), '| a\\|b |\n| --- |\n| x\\|y |\n');
  });
});
