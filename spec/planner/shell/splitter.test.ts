/** Statements are found where PostgreSQL's own grammar finds them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSql } from '../../../engine/sql/index.js';
import { itemsOf, linesOf, ScriptReader } from '../../../planner/shell/input/script.js';
import { type Pending, Splitter } from '../../../planner/shell/input/splitter.js';
import { runs } from '../../runs.js';

/** Pieces that hold semicolons, quotes and line feeds where they do not end anything. */
const quoted = fc.constantFrom(
  "'a;b'",
  "'it''s; \n fine'",
  "E'a\\';b'",
  "$$;'$$",
  '$tag$ $$;\n $tag$',
  "''",
  "'--'",
  "'/*'",
);
const comment = fc.constantFrom('/* ; */', "/* /* ; */ ' */", "-- ; '\n", '/*\n*/');
const statement = fc
  .array(fc.tuple(quoted, comment, fc.constantFrom(' ', '\n', '\t ')), { minLength: 1, maxLength: 4 })
  .map((pieces) => `SELECT ${pieces.map(([text, note, blank]) => `(${text})${blank}${note}`).join(',')}`);

describe('the splitter', () => {
  it('finds the statements that PostgreSQL finds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 4 }), async (statements) => {
        const text = statements.join(';\n');
        const parsed = await parseSql(text);
        const found = itemsOf(text, 'x');
        assert.equal(found.length, parsed.length);
        for (const [i, item] of found.entries()) {
          assert.ok(text.slice(parsed[i].start, parsed[i].end).trim().endsWith(item.text));
          assert.equal((await parseSql(item.text)).length, 1);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('says where a statement begins', () => {
    const items = itemsOf("\n  -- note\n  SELECT 1; 'ä'; /* ä */ SELECT\n2;\n  .help x \n3", 'f.sql');
    assert.deepEqual(
      items.map(({ kind, text, origin }) => [kind, text, origin.line, origin.column]),
      [
        ['sql', 'SELECT 1', 3, 3],
        ['sql', "'ä'", 3, 13],
        ['sql', 'SELECT\n2', 3, 26],
        ['command', '.help x', 5, 3],
        ['sql', '3', 6, 1],
      ],
    );
  });

  it('says why input goes on', () => {
    const cases: readonly (readonly [string, Pending])[] = [
      ['', 'nothing'],
      ['-- only a note', 'nothing'],
      ['/* a note */  ', 'nothing'],
      ['SELECT 1;', 'nothing'],
      ['SELECT 1; SELECT', 'statement'],
      ["SELECT 'a;", 'string'],
      ["SELECT E'a\\';", 'string'],
      ['SELECT "a;', 'name'],
      ['SELECT (1;', 'bracket'],
      ['SELECT a[1;', 'bracket'],
      ['SELECT /* ;', 'comment'],
      ['/* /* */ ;', 'comment'],
      ['SELECT $x$ ; $y$', 'dollar'],
      ['SELECT a$x$;', 'nothing'],
    ];
    for (const [text, pending] of cases) {
      const splitter = new Splitter();
      splitter.line(text, 1);
      assert.equal(splitter.pending, pending, text);
    }
  });

  it('takes a dot for a command only where a statement could begin', () => {
    const reader = new ScriptReader('x');
    assert.equal(reader.line('SELECT 1').length, 0);
    assert.equal(reader.line('.5 AS x;')[0]?.kind, 'sql');
    assert.equal(reader.line('.tables')[0]?.kind, 'command');
  });

  it('looks at each character once: a line of a megabyte is no trouble', () => {
    for (const line of [
      "'".repeat(1_000_000),
      '('.repeat(1_000_000),
      '$a$'.repeat(300_000),
      '/*'.repeat(500_000),
      ';'.repeat(1_000_000),
      `'${'x'.repeat(1_000_000)}';`,
    ]) {
      const splitter = new Splitter();
      splitter.line(line, 1);
      splitter.end();
    }
  });

  it('gives the same statements however a stream is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(statement, { maxLength: 3 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (statements, sizes) => {
          const bytes = Buffer.from(`${statements.join(';\r\n')};ä\u{1f600}`);
          const reader = new ScriptReader('x');
          const items = [];
          for await (const line of linesOf(
            (async function* () {
              let at = 0;
              for (let i = 0; at < bytes.length; i++) {
                yield bytes.subarray(at, at + sizes[i % sizes.length]);
                at += sizes[i % sizes.length];
              }
            })(),
          ))
            items.push(...reader.line(line));
          assert.deepEqual([...items, ...reader.end()], itemsOf(bytes.toString(), 'x'));
        },
      ),
      { numRuns: runs(50) },
    );
  });
});
