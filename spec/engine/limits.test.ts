/** Large cases work, or say what the limit is. How long they take is printed by bench/query/large.ts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { from, terms } from '../../engine/index.js';
import { BufferPool } from '../../engine/memory/pool.js';
import { Catalog } from '../../engine/table/catalog.js';
import { AssayError } from '../../semiring/message/error.js';

const { and, col, count, eq, ge, gt, le, like, lt, ne, sum } = terms;

function column(name: string, values: readonly unknown[]) {
  return from(
    new Catalog().create(
      name,
      values.map((value) => [value]),
      { columns: ['v'] },
    ),
    name,
  );
}

function refuses(code: string, message: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof AssayError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

describe('what is too large is refused by name', () => {
  it('a join of more pairs than an index vector holds, before any is made', () => {
    const many = new Array<number>(40_000).fill(7);
    const join = column('a', many).join(column('b', many), eq(col('a.v'), col('b.v')));
    assert.throws(() => join.run(), refuses('engine/too-many-rows', /1600000000 rows/));
  });

  it('a buffer for which there is no memory', () => {
    assert.throws(() => new BufferPool().int32(2 ** 40), refuses('engine/out-of-memory', /1099511627776/));
  });

  it('a polynomial of more than a million monomials; its beginning and its size can be had', () => {
    const thousand = new Array<number>(1001).fill(7);
    const relation = column('a', thousand)
      .distinct()
      .join(column('b', thousand).distinct(), eq(col('a.v'), col('b.v')))
      .run();
    assert.throws(() => relation.polynomial(0), refuses('engine/long-polynomial', /1002001 monomials/));
    const { polynomial, cut, derivations } = relation.expand(0, 10);
    assert.deepEqual([polynomial.length, cut, derivations], [10, true, 1001 * 1001]);
  });
});

describe('what is large works', () => {
  it('a group of a hundred thousand rows', () => {
    const relation = column('a', new Array<number>(100_000).fill(3)).groupBy(['v'], { n: count() }).run();
    assert.deepEqual(relation.rows(), [[3, 100_000]]);
    assert.equal(relation.tensor(1, 0).size, 100_000);
  });

  it('a row of 1,500 columns', () => {
    const names = Array.from({ length: 1500 }, (_, c) => `c${c}`);
    const table = new Catalog().create('wide', [names.map((_, c) => c)], {
      columns: names,
      labelled: 'all',
    });
    const [row] = from(table)
      .filter(eq(col('c1499'), 1499))
      .run()
      .rows();
    assert.equal(row.length, 1500);
    assert.equal(row[1499], 1499);
  });

  it('strings of ten megabytes', () => {
    const long = (last: string): string => 'ab'.repeat(5_000_000) + last;
    const texts = column('t', [long('x'), long('y'), long('x')]);
    assert.equal(texts.filter(like(col('v'), '%bx')).run().rowCount, 2);
    assert.equal(texts.groupBy(['v'], { n: count() }).run().rowCount, 2);
    assert.equal(texts.contains(column('n', ['by', 'zz']), col('t.v'), col('n.v')).run().rowCount, 1);
  });

  it('sums past 2^53', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const relation = column('a', [most, most, 3])
      .aggregate({ s: sum(col('v')) })
      .run();
    assert.deepEqual(relation.rows(), [[2n * BigInt(most) + 3n]]);
  });

  it('comparisons at the ends of 32 bits, with fractions and with infinities', () => {
    const values = [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1];
    const constants = [-(2 ** 31), 2 ** 31 - 1, 0, 0.5, -0.5, 2 ** 40, -(2 ** 40), Infinity, -Infinity];
    for (const data of [values, [-1, 0, 1], [5]]) {
      for (const constant of constants) {
        const rows = (test: ReturnType<typeof lt>): unknown[] =>
          column('a', data).filter(test).run({}).rows().flat();
        const v = col('v');
        assert.deepEqual(
          rows(lt(v, constant)),
          data.filter((x) => x < constant),
        );
        assert.deepEqual(
          rows(le(v, constant)),
          data.filter((x) => x <= constant),
        );
        assert.deepEqual(
          rows(gt(v, constant)),
          data.filter((x) => x > constant),
        );
        assert.deepEqual(
          rows(ge(v, constant)),
          data.filter((x) => x >= constant),
        );
        assert.deepEqual(
          rows(eq(v, constant)),
          data.filter((x) => x === constant),
        );
        assert.deepEqual(
          rows(ne(v, constant)),
          data.filter((x) => x !== constant),
        );
        assert.deepEqual(
          rows(and(gt(v, constant), lt(v, 1), ne(v, 0))),
          data.filter((x) => x > constant && x < 1 && x !== 0),
        );
      }
    }
  });
});
