/** Pictures show what the polynomial says, and untrusted names cannot break out of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Database } from '../../../planner/query/index.js';
import { draw, type Graph, graphOf, pictureFormats } from '../../../planner/shell/picture/index.js';
import {
  constant,
  formalDelta,
  formalMonus,
  type Polynomial,
  Polynomials,
  token,
} from '../../../semiring/polynomial/polynomial.js';
import { runs } from '../../runs.js';

/** The polynomial that a graph means, gate by gate. */
function meaningOf(graph: Graph, tokenOf: (name: string) => number): Polynomial {
  const values: Polynomial[] = [];
  for (const { kind, label, below } of graph.gates) {
    const parts = below.map((gate) => values[gate]);
    switch (kind) {
      case 'token':
        values.push(token(tokenOf(label)));
        break;
      case 'plus':
        values.push(parts.reduce((a, b) => Polynomials.plus(a, b), Polynomials.zero));
        break;
      case 'times':
        values.push(parts.reduce((a, b) => Polynomials.times(a, b), Polynomials.one));
        break;
      case 'monus':
        values.push(formalMonus(parts[0], parts[1]));
        break;
      case 'delta':
        values.push(formalDelta(parts[0]));
        break;
      default:
        values.push(constant(kind === 'one' ? 1 : 0));
    }
  }
  return values[graph.root];
}

const queries = [
  'SELECT x FROM a',
  'SELECT DISTINCT x FROM a',
  'SELECT a.x, b.y FROM a JOIN b ON a.x = b.x',
  'SELECT DISTINCT a.x FROM a JOIN b ON a.x = b.x',
  'SELECT x FROM a UNION SELECT x FROM b',
  'SELECT x, count(*) FROM a GROUP BY x',
  'SELECT x FROM a EXCEPT SELECT x FROM b',
  'SELECT x FROM a WHERE x IN (SELECT x FROM b)',
  'SELECT a.x, b.y FROM a LEFT JOIN b ON a.x = b.x',
  'SELECT DISTINCT p.x FROM (SELECT DISTINCT x FROM a) p JOIN (SELECT DISTINCT x FROM a) q ON p.x = q.x',
];
const rowsOf = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })), {
  maxLength: 5,
});

describe('the graph of a row', () => {
  it('means the polynomial of the row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...queries), rowsOf, rowsOf, async (sql, a, b) => {
        const db = new Database();
        db.load('a', a, { columns: ['x', 'y'], types: { x: 'integer', y: 'integer' } });
        db.load('b', b, { columns: ['x', 'y'], types: { x: 'integer', y: 'integer' } });
        const names = new Map(Array.from({ length: db.tokens.count }, (_, at) => [db.tokens.nameOf(at), at]));
        const result = await db.query(sql);
        for (let row = 0; row < result.rowCount; row++) {
          const graph = graphOf(result.relation.annotation, row, (at) => db.tokens.nameOf(at));
          for (const [at, { below }] of graph.gates.entries()) for (const gate of below) assert.ok(gate < at);
          assert.ok(
            Polynomials.equals(
              meaningOf(graph, (name) => names.get(name) ?? -1),
              result.polynomial(row),
            ),
            sql,
          );
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('says how much it leaves out', async () => {
    const db = new Database();
    db.load(
      'a',
      Array.from({ length: 1000 }, (_, x) => ({ x })),
    );
    const result = await db.query('SELECT DISTINCT 1 AS one FROM a');
    const graph = graphOf(result.relation.annotation, 0, (at) => db.tokens.nameOf(at), { most: 50 });
    assert.match(draw(graph, 'tree', ''), /└─ … 950 more$/);
  });

  it('can be very deep', async () => {
    const db = new Database();
    db.load('a', [{ x: 1 }]);
    const sql = `SELECT t0.x FROM a AS t0 ${Array.from({ length: 40 }, (_, i) => `JOIN a AS t${i + 1} ON t${i}.x = t${i + 1}.x`).join(' ')}`;
    const result = await db.query(sql);
    for (const format of pictureFormats)
      assert.ok(draw(graphOf(result.relation.annotation, 0, String), format, sql).length > 0);
  });
});

describe('pictures', () => {
  const hostile = [
    '"]; evil -> x; "',
    '</text><script>alert(1)</script>',
    '"] --> x["',
    '\u001b[2J\u202e',
    '`',
    '\\',
    '#quot;',
    ']]>',
    "'",
    '\n  evil',
  ];

  it('keep hostile names inside quotes', () => {
    for (const name of hostile) {
      const graph: Graph = {
        gates: [
          { kind: 'token', label: name, below: [] },
          { kind: 'token', label: 'b', below: [] },
          { kind: 'plus', label: '+', below: [0, 1] },
        ],
        root: 2,
      };
      for (const format of pictureFormats)
        assert.doesNotMatch(
          draw(graph, format, name).replaceAll('\n', ''),
          /[\p{C}\p{Default_Ignorable_Code_Point}]/u,
        );
      const lines = (text: string) => text.split('\n').length;
      const plain = { ...graph, gates: [{ ...graph.gates[0], label: 'a' }, ...graph.gates.slice(1)] };
      for (const format of pictureFormats)
        assert.equal(lines(draw(graph, format, name)), lines(draw(plain, format, 'a')));
      const svg = draw(graph, 'svg', name);
      assert.doesNotMatch(svg, /<script/);
      assert.equal(svg.match(/<text/g)?.length, 3);
      const mermaid = draw(graph, 'mermaid', name);
      for (const line of mermaid.split('\n').filter((each) => each.includes('[')))
        assert.match(line, /^ {2}g\d+\["[^"<>]*"\]$/);
      const dot = draw(graph, 'dot', name);
      for (const line of dot.split('\n').filter((each) => each.includes('label')))
        assert.match(line, /^ {2}g\d+ \[label="(?:[^"\\]|\\.)*", shape=\w+\];$/);
    }
  });

  it('in SVG: every opened element is closed, and nothing lies outside', async () => {
    const db = new Database();
    db.load('a', [{ x: 1 }, { x: 1 }, { x: 2 }]);
    const result = await db.query('SELECT DISTINCT p.x FROM a p JOIN a q ON p.x = q.x');
    const svg = draw(
      graphOf(result.relation.annotation, 0, (at) => db.tokens.nameOf(at)),
      'svg',
      'a < b',
    );
    const opened = [...svg.matchAll(/<([a-z]+)(?: [^>]*[^/])?>/g)].map(([, name]) => name).sort();
    const closed = [...svg.matchAll(/<\/([a-z]+)>/g)].map(([, name]) => name).sort();
    assert.deepEqual(opened, closed);
    const [, width] = /width="(\d+)"/.exec(svg) ?? [];
    for (const [, x] of svg.matchAll(/ c?x="([\d.-]+)"/g))
      assert.ok(Number(x) >= 0 && Number(x) <= Number(width));
  });
});
