/** The database as a whole: provenance of answers, rows made from rows, labels, proofs, EXPLAIN. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SqlError } from '../../../engine/sql/index.js';
import { Database } from '../../../planner/query/index.js';
import {
  bottom,
  conservativeLabels,
  Natural,
  showLabel,
  Tropical,
  top,
  Why,
} from '../../../semiring/index.js';

function edges(): Database {
  const db = new Database({ clock: () => 0 });
  db.load('edge', [
    { src: 1, dst: 2 },
    { src: 2, dst: 3 },
    { src: 1, dst: 4 },
    { src: 4, dst: 3 },
  ]);
  return db;
}

const twoSteps = 'SELECT DISTINCT a.src, b.dst FROM edge a JOIN edge b ON a.dst = b.src';

describe('Database', () => {
  it('annotates rows in N[X] and in any semiring', async () => {
    const db = edges();
    const result = await db.query(twoSteps);
    assert.deepEqual(result.rows(), [[1, 3]]);
    assert.equal(result.showPolynomial(0), 'edge[1]·edge[2] + edge[3]·edge[4]');
    assert.equal(result.annotate(Natural).at(0), 2);
    assert.deepEqual(
      result
        .annotate(Why)
        .at(0)
        .map((witness) => witness.length),
      [2, 2],
    );
    db.value(Tropical, db.table('edge').rowToken(0), 5);
    // Costs without a value are free (1 is 0): the cheaper way is over edges 3 and 4.
    assert.equal(result.annotate(Tropical).at(0), 0);
    db.value(Tropical, db.table('edge').rowToken(3), 2);
    assert.equal(result.annotate(Tropical).at(0), 2);
  });

  it('keeps provenance through CREATE TABLE AS and INSERT SELECT', async () => {
    const db = edges();
    await db.run(
      `CREATE TABLE path AS ${twoSteps}; INSERT INTO path SELECT src, dst FROM edge WHERE src = 2`,
    );
    const result = await db.query('SELECT src FROM path ORDER BY src');
    assert.deepEqual(
      [result.showPolynomial(0), result.showPolynomial(1)],
      ['edge[1]·edge[2] + edge[3]·edge[4]', 'edge[2]'],
    );
  });

  it('INSERT into a table from itself comes to an end when it is read', async () => {
    const db = edges();
    await db.run(
      'CREATE TABLE e AS SELECT * FROM edge WHERE src = 1; INSERT INTO e SELECT dst, src FROM e; INSERT INTO e SELECT * FROM e',
    );
    const result = await db.query('SELECT count(*) FROM e');
    assert.deepEqual(result.rows(), [[8]]);
    db.label('edge', bottom);
    const label = result.annotateCell(0, conservativeLabels).at(0);
    // The tables e and edge: edge is labelled, e's own membership is not, so it fails closed.
    assert.equal(label && showLabel(label), showLabel(top));
    db.label('e', bottom);
    const labelled = result.annotateCell(0, conservativeLabels).at(0);
    assert.equal(labelled && showLabel(labelled), showLabel(bottom));
  });

  it('labels default to untrusted and readable by nobody', async () => {
    const db = edges();
    const result = await db.query('SELECT src FROM edge WHERE src = 2');
    assert.equal(showLabel(result.annotate(conservativeLabels).at(0) ?? bottom), showLabel(top));
    db.label('edge', bottom);
    assert.equal(showLabel(result.annotate(conservativeLabels).at(0) ?? top), showLabel(bottom));
  });

  it('says why a row is there, down to base rows', async () => {
    const result = await edges().query(twoSteps);
    assert.equal(
      result.why(0).text,
      [
        'any of:',
        '  all of:',
        '    edge[1]: row 1 of edge (1, 2)',
        '    edge[2]: row 2 of edge (2, 3)',
        '  all of:',
        '    edge[3]: row 3 of edge (1, 4)',
        '    edge[4]: row 4 of edge (4, 3)',
      ].join('\n'),
    );
  });

  it('says which operator lost a row, with its place', async () => {
    const db = edges();
    const whyNot = (sql: string, tuple: Record<string, unknown>) => db.whyNot(sql, tuple);
    const filter = await whyNot('SELECT src, dst FROM edge WHERE dst > 2 AND src < 2', { src: 4 });
    assert.deepEqual(
      [filter.operator, filter.predicate, filter.line, filter.column],
      ['filter', 'edge.src < 2', 1, 49],
    );
    const join = await whyNot('SELECT a.src FROM edge a JOIN edge b ON a.dst = b.src', { src: 4 });
    assert.deepEqual([join.operator, join.compatible], ['inner join', [1, 4]]);
    const scan = await whyNot('SELECT src FROM edge WHERE dst > 2', { src: 7 });
    assert.equal(scan.text, 'table edge has no compatible row');
    const anti = await whyNot(
      'SELECT src FROM edge a WHERE NOT EXISTS (SELECT 1 FROM edge b WHERE b.src = a.dst)',
      { src: 1 },
    );
    assert.equal(anti.operator, 'anti join');
    const limit = await whyNot('SELECT src FROM edge ORDER BY src LIMIT 1', { src: 4 });
    assert.equal(limit.operator, 'limit');
    const there = await whyNot('SELECT src FROM edge', { src: 4 });
    assert.equal(there.present, true);
  });

  it('EXPLAIN shows plan, rules and estimates; ANALYZE what one run took', async () => {
    const db = edges();
    const plain = await db.explain('SELECT a.src FROM edge a, edge b WHERE a.dst = b.src AND b.dst = 3');
    assert.ok(plain.rules.has('push filter into join'));
    assert.match(plain.text, /inner join/);
    assert.equal(plain.run, undefined);
    const analysed = await db.query('EXPLAIN ANALYZE SELECT count(*) FROM edge');
    assert.match(analysed.rows().join('\n'), /actual 4 .*provenance \d+ bytes/);
  });

  it('a query of WITH that is named twice is run once, and equal sub-plans too', async () => {
    const db = edges();
    const both = await db.explain(
      'WITH p AS (SELECT src, count(*) AS n FROM edge GROUP BY src) SELECT a.n FROM p a, p b WHERE a.src = b.n',
      [],
      { analyze: true },
    );
    assert.match(both.text, /as #1/);
    const equal = await db.explain(
      'SELECT src FROM edge WHERE dst > 2 EXCEPT SELECT src FROM edge WHERE dst > 2',
    );
    assert.ok(equal.rules.has('share sub-plans'));
  });

  it('three or more joins are put in the cheapest order', async () => {
    const db = new Database();
    db.load(
      'big',
      Array.from({ length: 200 }, (_, i) => ({ k: i % 100, v: i })),
    );
    db.load(
      'mid',
      Array.from({ length: 50 }, (_, i) => ({ k: i, w: i % 5 })),
    );
    db.load('tiny', [{ w: 3 }]);
    const { rules } = await db.explain(
      'SELECT v FROM big JOIN mid ON big.k = mid.k JOIN tiny ON mid.w = tiny.w',
    );
    assert.equal(rules.get('order joins'), 1);
    const result = await db.query(
      'SELECT v FROM big JOIN mid ON big.k = mid.k JOIN tiny ON mid.w = tiny.w ORDER BY v',
    );
    assert.equal(result.rowCount, 20);
  });

  it('errors say line, column, show a mark and the nearest name', async () => {
    const error = await edges()
      .query('SELECT src,\n  dts FROM edge')
      .then(
        () => assert.fail('no error'),
        (caught: unknown) => caught,
      );
    assert.ok(error instanceof SqlError);
    assert.equal(error.code, 'sql/unknown-column');
    assert.equal(
      error.message,
      'column dts does not exist (line 2, column 3)\n    dts FROM edge\n    ^\nhint: did you mean "dst"?',
    );
  });

  it('places count characters, not bytes', async () => {
    const error = await edges()
      .query("SELECT 'äö😀', nix FROM edge")
      .catch((caught: unknown) => caught);
    assert.ok(error instanceof SqlError);
    assert.deepEqual([error.line, error.column], [1, 15]);
  });

  it('syntax errors have their place too', async () => {
    const error = await edges()
      .query('SELECT 1\nFROM')
      .catch((caught: unknown) => caught);
    assert.ok(error instanceof SqlError);
    assert.deepEqual([error.code, error.line], ['sql/syntax', 2]);
  });

  it('INSERT, CREATE and DROP', async () => {
    const db = new Database();
    const outcomes = await db.run(
      "CREATE TABLE t (a int, b text); INSERT INTO t (b) VALUES ('x'), (NULL); DROP TABLE IF EXISTS t, u",
    );
    assert.deepEqual(outcomes, [
      { kind: 'created', table: 't', rows: 0 },
      { kind: 'inserted', table: 't', rows: 2 },
      { kind: 'dropped', tables: ['t'] },
    ]);
  });

  it('IF NOT EXISTS says that the table was there, and changes nothing', async () => {
    const db = new Database();
    const [, again, as] = await db.run(
      'CREATE TABLE t (a int); CREATE TABLE IF NOT EXISTS t (z text); CREATE TABLE IF NOT EXISTS t AS SELECT 1 AS z',
    );
    const existed = {
      kind: 'existed',
      table: 't',
      notice: 'table "t" was there already: nothing has changed',
    };
    assert.deepEqual([again, as], [existed, existed]);
    assert.deepEqual(
      db.table('t').columns.map(({ name }) => name),
      ['a'],
    );
    assert.equal(db.table('t').rowCount, 0);
  });

  it('half a surrogate pair in SQL is refused with its place; a parameter keeps it', async () => {
    const db = new Database();
    for (const half of ['\ud800', '\udc00']) {
      const error = await db.query(`SELECT '😀',\n'${half}x'`).catch((caught: unknown) => caught);
      assert.ok(error instanceof SqlError);
      assert.deepEqual([error.code, error.line, error.column], ['sql/syntax', 2, 2]);
      const kept = await db.query('SELECT $1 AS s, length($1) AS n', [`${half}x`]);
      assert.deepEqual(kept.rows(), [[`${half}x`, 2]]);
    }
  });

  it('a deep expression is refused, not a crash', async () => {
    const error = await edges()
      .query(`SELECT ${'('.repeat(3000)}1${')'.repeat(3000)} + ${'1 + '.repeat(2000)}1`)
      .catch((caught: unknown) => caught);
    assert.ok(error instanceof SqlError);
  });

  it('saves and opens', async () => {
    const db = edges();
    const again = Database.open(db.save());
    const result = await again.query(twoSteps);
    assert.equal(result.showPolynomial(0), 'edge[1]·edge[2] + edge[3]·edge[4]');
  });
});
