/** Every operator on literal tables: rows, and the N[X] annotation of each as text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalog, type ExecuteOptions, from, type Query, terms, values } from '../../engine/index.js';
import { showPolynomial } from '../../semiring/polynomial/polynomial.js';

const {
  add,
  and,
  avg,
  cast,
  coalesce,
  col,
  concat,
  count,
  div,
  eq,
  ge,
  gt,
  isIn,
  isNull,
  like,
  lit,
  lt,
  max,
  min,
  not,
  or,
  stringAgg,
  sum,
} = terms;

function database() {
  const db = new Catalog();
  const r = db.create('r', [
    { a: 1, b: 'x' },
    { a: 2, b: 'y' },
    { a: 2, b: null },
    { a: 3, b: 'x' },
  ]);
  const s = db.create('s', [
    { a: 2, c: 10 },
    { a: 3, c: 20 },
    { a: 3, c: 30 },
    { a: null, c: 40 },
  ]);
  const m = db.create(
    'm',
    [
      { id: 1, body: 'pay alice' },
      { id: 2, body: 'hi' },
    ],
    { labelled: ['body'] },
  );
  return { db, r, s, m };
}

const { db, r, s, m } = database();

/** Each row as text, then its annotation. */
function answer(query: Query, options?: ExecuteOptions): string[] {
  const relation = query.run(options);
  return relation.rows().map((row, i) => {
    const shown = row.map((value) => (value === null ? '-' : String(value))).join(' ');
    return `${shown} : ${showPolynomial(relation.polynomial(i), (token) => db.tokens.nameOf(token))}`;
  });
}

const on = eq(col('r.a'), col('s.a'));

describe('filter', () => {
  it('keeps the rows for which the predicate is true, not unknown', () => {
    assert.deepEqual(answer(from(r).filter(eq(col('b'), 'x'))), ['1 x : r[1]', '3 x : r[4]']);
    assert.deepEqual(answer(from(r).filter(not(eq(col('b'), 'x')))), ['2 y : r[2]']);
    assert.deepEqual(answer(from(r).filter(or(isNull(col('b')), gt(col('a'), 2)))), [
      '2 - : r[3]',
      '3 x : r[4]',
    ]);
  });

  it('multiplies with the cells that the predicate reads, where they are labelled', () => {
    assert.deepEqual(answer(from(m).filter(like(col('body'), '%alice%'))), ['1 pay alice : m[1]·m[1].body']);
    assert.deepEqual(answer(from(m).filter(gt(col('id'), 1))), ['2 hi : m[2]']);
  });
});

describe('project', () => {
  it('computes', () => {
    const query = from(r).project({
      twice: add(col('a'), col('a')),
      text: concat(col('b'), '!'),
      or: coalesce(col('b'), 'none'),
    });
    assert.deepEqual(answer(query), ['2 x! x : r[1]', '4 y! y : r[2]', '4 - none : r[3]', '6 x! x : r[4]']);
  });

  it('gives a computed cell the provenance of the cells it read', () => {
    const relation = from(m)
      .project({ n: col('id'), loud: concat(col('body'), '!') })
      .run();
    const seen = [
      ...relation.annotateCell(
        1,
        {
          name: 'tokens',
          zero: '',
          one: '',
          plus: (a, b) => a + b,
          times: (a, b) => a + b,
          equals: Object.is,
        },
        (t) => `${db.tokens.nameOf(t)} `,
      ),
    ];
    assert.deepEqual(seen, ['m[1] m[1].body ', 'm[2] m[2].body ']);
  });
});

describe('joins', () => {
  it('inner', () => {
    assert.deepEqual(answer(from(r).join(from(s), on)), [
      '2 y 2 10 : r[2]·s[1]',
      '2 - 2 10 : r[3]·s[1]',
      '3 x 3 20 : r[4]·s[2]',
      '3 x 3 30 : r[4]·s[3]',
    ]);
  });

  it('outer: unmatched rows come last, NULL meets nothing', () => {
    const matched = [
      '2 y 2 10 : r[2]·s[1]',
      '2 - 2 10 : r[3]·s[1]',
      '3 x 3 20 : r[4]·s[2]',
      '3 x 3 30 : r[4]·s[3]',
    ];
    assert.deepEqual(answer(from(r).join(from(s), on, 'left')), [...matched, '1 x - - : r[1]']);
    assert.deepEqual(answer(from(r).join(from(s), on, 'right')), [...matched, '- - - 40 : s[4]']);
    assert.deepEqual(answer(from(r).join(from(s), on, 'full')), [
      ...matched,
      '1 x - - : r[1]',
      '- - - 40 : s[4]',
    ]);
  });

  it('semi and anti', () => {
    assert.deepEqual(answer(from(r).semiJoin(from(s), on)), [
      '2 y : r[2]·δ(s[1])',
      '2 - : r[3]·δ(s[1])',
      '3 x : r[4]·δ(s[2] + s[3])',
    ]);
    assert.deepEqual(answer(from(r).antiJoin(from(s), on)), ['1 x : r[1]']);
  });

  it('keeps, when asked, what only a deletion would bring in', () => {
    assert.deepEqual(answer(from(r).antiJoin(from(s), on), { keep: 'possible' }), [
      '1 x : r[1]',
      '2 y : r[2]·(1 ∸ s[1])',
      '2 - : r[3]·(1 ∸ s[1])',
      '3 x : r[4]·(1 ∸ (s[2] + s[3]))',
    ]);
  });

  it('without an equality, by nested loop', () => {
    assert.deepEqual(answer(from(r).join(from(s), and(lt(col('r.a'), col('s.a')), gt(col('c'), 25)))), [
      '1 x 3 30 : r[1]·s[3]',
      '2 y 3 30 : r[2]·s[3]',
      '2 - 3 30 : r[3]·s[3]',
    ]);
    assert.equal(from(r).cross(from(s)).run().rowCount, 16);
  });

  it('by substring', () => {
    const needles = values({ needle: 'text' }, [['alice'], ['i'], [null]]);
    assert.deepEqual(answer(from(m).contains(needles, 'body', 'needle')), [
      '1 pay alice alice : m[1]·m[1].body',
      '1 pay alice i : m[1]·m[1].body',
      '2 hi i : m[2]·m[2].body',
    ]);
  });
});

describe('sets', () => {
  const a = () => from(r).project(['a']);
  const b = () => from(s).project(['a']);

  it('union all and distinct', () => {
    assert.deepEqual(answer(a().union(b()).distinct()), [
      '1 : r[1]',
      '2 : r[2] + r[3] + s[1]',
      '3 : r[4] + s[2] + s[3]',
      '- : s[4]',
    ]);
  });

  it('except and intersect of sets', () => {
    assert.deepEqual(answer(a().except(b())), ['1 : r[1]']);
    assert.deepEqual(answer(a().except(b()), { keep: 'possible' }), [
      '1 : r[1]',
      '2 : ((r[2] + r[3]) ∸ s[1])',
      '3 : (r[4] ∸ (s[2] + s[3]))',
    ]);
    assert.deepEqual(answer(a().intersect(b())), ['2 : r[2]·s[1] + r[3]·s[1]', '3 : r[4]·s[2] + r[4]·s[3]']);
  });

  it('except all counts', () => {
    assert.deepEqual(a().except(b(), true).run().rows(), [[1], [2]]);
    assert.deepEqual(a().intersect(b(), true).run().rows(), [[2], [3]]);
  });
});

describe('aggregates', () => {
  it('group: δ of the sum, NULL is a group of its own', () => {
    const query = from(s).groupBy(['a'], {
      n: count(),
      total: sum(col('c')),
      least: min(col('c')),
      most: max(col('c')),
      mean: avg(col('c')),
    });
    assert.deepEqual(answer(query), [
      '2 1 10 10 10 10 : δ(s[1])',
      '3 2 50 20 30 25 : δ(s[2] + s[3])',
      '- 1 40 40 40 40 : δ(s[4])',
    ]);
  });

  it('without keys there is one row, also over nothing', () => {
    const nothing = from(s).filter(lt(col('c'), 0));
    assert.deepEqual(answer(nothing.aggregate({ n: count(), total: sum(col('c')) })), ['0 - : 1']);
    assert.deepEqual(answer(nothing.groupBy(['a'], { n: count() })), []);
  });

  it('takes DISTINCT and FILTER', () => {
    const query = from(r).aggregate({
      all: count(col('a')),
      different: count(col('a')).distinct(),
      some: count().where(ge(col('a'), 2)),
      words: stringAgg(col('b'), '/'),
    });
    assert.deepEqual(query.run().rows(), [[4, 3, 3, 'x/y/x']]);
  });

  it('is exact past 2^53', () => {
    const big = db.create('big', [{ x: 2 ** 53 - 1 }, { x: 2 ** 53 - 1 }, { x: 3 }]);
    assert.deepEqual(
      from(big)
        .aggregate({ total: sum(col('x')) })
        .run()
        .rows(),
      [[18014398509481985n]],
    );
    assert.deepEqual(
      from(big)
        .project({ y: add(col('x'), 2) })
        .run()
        .rows(),
      [[9007199254740993n], [9007199254740993n], [5]],
    );
  });

  it('shows a sum as a tensor and values it under a deletion', () => {
    const relation = from(s)
      .groupBy(['a'], { total: sum(col('c')) })
      .run();
    const tensor = relation.tensor(1, 1);
    assert.equal(
      tensor.show((token) => db.tokens.nameOf(token)),
      '20 ⊗ s[2] + 30 ⊗ s[3]',
    );
    assert.equal(tensor.without([s.rowToken(2)]), 20);
    assert.equal(tensor.without([s.rowToken(1), s.rowToken(2)]), null);
    assert.equal(
      tensor.under((token) => (token === s.rowToken(1) ? 3 : 1)),
      90,
    );
  });
});

describe('order and limit', () => {
  it('sorts, NULLs as told', () => {
    const keys = [{ by: 'b', descending: true, nullsFirst: false }, { by: 'a' }] as const;
    assert.deepEqual(
      from(r)
        .orderBy(...keys)
        .run()
        .rows(),
      [
        [2, 'y'],
        [1, 'x'],
        [3, 'x'],
        [2, null],
      ],
    );
    assert.deepEqual(answer(from(r).orderBy('a').limit(2, 1)), ['2 y : r[2]', '2 - : r[3]']);
  });
});

describe('expressions', () => {
  it('refuse by name', () => {
    assert.throws(() => from(r).filter(eq(col('bb'), 'x')), /there is no column "bb": did you mean "b"\?/);
    assert.throws(
      () => from(r).join(from(s), eq(col('a'), 1)),
      /column "a" is ambiguous: write one of r\.a, s\.a/,
    );
    assert.throws(() => from(r).filter(col('a')), /a condition must be boolean, this is integer/);
    assert.throws(
      () =>
        from(r)
          .project({ x: div(1, 0) })
          .run(),
      /division by zero/,
    );
    assert.throws(
      () =>
        from(r)
          .project({ x: cast(col('b'), 'integer') })
          .run(),
      /invalid input for integer: "x"/,
    );
  });

  it('an earlier operand of AND guards a later one', () => {
    const query = from(r).filter(and(isIn(col('a'), 1, 2), ge(div(lit(6), add(col('a'), -3)), -6)));
    assert.deepEqual(query.run().rows(), [
      [1, 'x'],
      [2, 'y'],
      [2, null],
    ]);
  });
});

describe('plain runs', () => {
  it('give the same rows and no provenance', () => {
    const relation = from(r).join(from(s), on).run({ capture: false });
    assert.deepEqual(relation.rows(), from(r).join(from(s), on).run().rows());
    assert.equal(relation.provenanceBytes, 0);
  });

  it('a stopped query says so', () => {
    assert.throws(() => from(r).run({ signal: AbortSignal.abort() }), { code: 'engine/aborted' });
  });
});
