/**
 * The documentation's pages, made into a temporary folder and read back. Properties: every registered
 * semiring has a page; every value of its example is what the definition gives, derivation by derivation; the
 * table of laws says what the semiring declares, with a counterexample for each law that it lacks; links lead
 * somewhere.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hierarchy } from '../../semiring/hierarchy.js';
import { type RegisteredSemiring, semirings } from '../../semiring/registry.js';
import { figure } from './hierarchy-page.js';
import { lawTable } from './law-table.js';
import { fileOf } from './page.js';
import { writePages } from './pages.js';
import { workedExample } from './worked-example.js';

/**
 * The derivations of each row of the answer, by the joins of the example done by hand; tokens p, r, s are 0,
 * 1, 2.
 */
const derivations: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  'a c': [
    [0, 0],
    [0, 0],
  ],
  'a e': [[0, 1]],
  'd c': [[1, 0]],
  'd e': [
    [1, 1],
    [1, 1],
    [1, 2],
  ],
  'f e': [
    [2, 2],
    [2, 2],
    [2, 1],
  ],
};

/** The sum over the derivations of the product of their two tokens. */
function byDefinition({ semiring }: RegisteredSemiring, row: string, meaning: readonly unknown[]): unknown {
  return derivations[row]
    .map(([x, y]) => semiring.times(meaning[x], meaning[y]))
    .reduce((sum, product) => semiring.plus(sum, product));
}

/** The rows of the Markdown table whose head begins so, without the code marks. */
function tableIn(page: string, head: string): string[][] {
  const [, after = ''] = page.split(`| ${head}`);
  const lines = after.split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('the pages of the documentation', () => {
  let folder = '';
  const pages = new Map<string, string>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-pages-'));
    await writeFile(join(folder, 'stale.md'), 'from an earlier run');
    for (const path of await writePages(folder)) pages.set(basename(path), await readFile(path, 'utf8'));
  });
  after(() => rm(folder, { recursive: true }));

  const pageOf = (name: string): string => pages.get(fileOf(name)) ?? assert.fail(`${name} has no page`);

  it('are one for each registered semiring, and the documents of spec', async () => {
    for (const [name, { reads, doc }] of semirings) {
      assert.ok(pageOf(name).includes(`# ${name}\n`));
      assert.ok(pageOf(name).includes(doc) && pageOf(name).includes(reads));
    }
    assert.equal(pages.size, semirings.size + 3);
    assert.ok(pages.has('semantics.md') && pages.has('threat-model.md'));
    await assert.rejects(readFile(join(folder, 'stale.md')));
  });

  for (const [name, registered] of semirings) {
    it(`say of ${name} what the definition gives`, async () => {
      const { semiring } = registered;
      const { meaning, rows, show } = await workedExample(registered);
      assert.equal(meaning.length, 3);
      for (const value of meaning)
        assert.ok(semiring.contains?.(value) ?? true, `${String(value)} is no ${name}`);
      for (const { a, c, annotation } of rows) {
        const expected = byDefinition(registered, `${a} ${c}`, meaning);
        assert.ok(semiring.equals(annotation, expected), `${a} ${c}`);
      }
      const written = tableIn(pageOf(name), 'a | c | annotation');
      assert.deepEqual(
        written,
        rows.map(({ a, c, annotation }) => [a, c, show(annotation)]),
      );
      assert.deepEqual(
        written.map(([a, c]) => `${a} ${c}`),
        Object.keys(derivations),
      );
    });

    it(`say of ${name} which laws it has, and what breaks those that it lacks`, async () => {
      const { semiring } = registered;
      const { meaning } = await workedExample(registered);
      const laws = lawTable(semiring, meaning);
      for (const { law, holds, brokenBy } of laws) {
        assert.equal(holds, semiring.laws?.[law] === true);
        assert.ok(holds || brokenBy !== undefined, `nothing is shown that breaks ${law}`);
      }
      assert.deepEqual(
        tableIn(pageOf(name), 'law | says').map(([law, , holds]) => [law, holds]),
        laws.map(({ law, holds }) => [law, holds ? 'yes' : 'no']),
      );
    });
  }

  it('show the polynomials and multiplicities of the classic example', () => {
    const annotations = (name: string) => tableIn(pageOf(name), 'a | c | annotation').map((row) => row[2]);
    assert.deepEqual(annotations('N[X]'), ['2·p^2', 'p·r', 'p·r', 'r·s + 2·r^2', 'r·s + 2·s^2']);
    assert.deepEqual(annotations('N'), ['8', '10', '10', '55', '7']);
    assert.deepEqual(annotations('Why'), ['{{p}}', '{{p, r}}', '{{p, r}}', '{{r}, {r, s}}', '{{r, s}, {s}}']);
  });

  it('draw every step of the hierarchy, between semirings that have a page', () => {
    const lines = figure().split('\n').slice(1);
    const nodes = new Map(
      lines.flatMap((line) => [...line.matchAll(/^ {2}(s\d+)\["(.+)"\]$/g)]).map((m) => [m[1], m[2]]),
    );
    const arrows = lines.flatMap((line) => [...line.matchAll(/^ {2}(s\d+) -->\|"(.+)"\| (s\d+)$/g)]);
    assert.equal(nodes.size + arrows.length, lines.length);
    assert.deepEqual(
      arrows.map(([, from, adds, to]) => ({ from: nodes.get(from), to: nodes.get(to), adds })),
      hierarchy.map(({ from, to, adds }) => ({ from, to, adds })),
    );
    for (const name of nodes.values()) assert.ok(semirings.has(name), `${name} is in no registry`);
    assert.ok(pages.get('semirings.md')?.includes(`\`\`\`mermaid\n${figure()}\n\`\`\``));
  });

  it('link to pages that are there', () => {
    for (const [file, text] of pages) {
      for (const [, target] of text.matchAll(/\]\(\.\/([^)#]+)\)/g)) {
        assert.ok(pages.has(target), `${file} links to ${target}`);
      }
    }
  });
});
