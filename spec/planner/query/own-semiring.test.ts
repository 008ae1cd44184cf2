/**
 * A semiring of the user's own reads tokens as it says itself. Properties: a copy of any registered semiring
 * under another name reads every answer as the original does, rows and cells, with labels and without; and
 * one that does not say what a token is, where that matters, is refused by name.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database, type Result } from '../../../planner/query/index.js';
import {
  bottom,
  conservative,
  conservativeReaders,
  Lin,
  labelsOver,
  Natural,
  Polynomials,
  product,
  readersLattice,
  type Semiring,
  semirings,
  show,
  Tropical,
  Why,
} from '../../../semiring/index.js';

const queries = [
  'SELECT DISTINCT a.b FROM r a, r b WHERE a.b = b.b',
  'SELECT a FROM r UNION SELECT b FROM s',
  'SELECT b, count(*) FROM r GROUP BY b',
  'SELECT a FROM r EXCEPT SELECT b FROM s',
];

async function answers(labelled: boolean): Promise<readonly Result[]> {
  const db = new Database();
  db.load('r', [
    { a: 'x', b: 'y' },
    { a: 'z', b: 'y' },
    { a: 'y', b: 'x' },
  ]);
  db.load('s', [{ b: 'x' }, { b: 'w' }]);
  if (labelled) {
    db.label('r', { integrity: 'T', readers: new Set(['ann', 'bob']) });
    db.label('s', bottom);
  }
  await db.run("INSERT INTO s SELECT a FROM r WHERE b = 'y'");
  return Promise.all(queries.map((query) => db.query(query)));
}

/** What a reading says, with the name of a semiring in an error left out. */
function readingOf(result: Result, semiring: Semiring<unknown>, column?: number): readonly string[] {
  try {
    const reading = column === undefined ? result.annotate(semiring) : result.annotateCell(column, semiring);
    return [...reading].map((value) => show(semiring, value));
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error);
    return [String(error.code)];
  }
}

describe('a semiring of the user', () => {
  for (const [name, { semiring }] of semirings) {
    it(`that is a copy of ${name} reads as ${name} does`, async () => {
      const mine = { ...semiring, name: 'Mine' };
      for (const labelled of [false, true]) {
        for (const result of await answers(labelled)) {
          assert.deepEqual(readingOf(result, mine), readingOf(result, semiring));
          assert.deepEqual(readingOf(result, mine, 0), readingOf(result, semiring, 0));
        }
      }
    });
  }

  it('tells witnesses apart when it is a copy of Why', async () => {
    const db = new Database();
    const table = db.load('t', [{ a: 1 }, { a: 1 }, { a: 2 }]);
    const result = await db.query('SELECT DISTINCT a FROM t');
    const [one, two, three] = [0, 1, 2].map((row) => table.rowToken(row));
    const mine = { ...Why, name: 'Mine' };
    assert.deepEqual([...result.annotate(mine)], [[[one], [two]], [[three]]]);
  });

  it('may be a class with six members and its own indeterminate', async () => {
    class Mine implements Semiring<readonly number[] | null> {
      readonly name = 'mine';
      readonly zero = null;
      readonly one = [];
      readonly #of = (token: number) => [token];
      plus = Lin.plus;
      times = Lin.times;
      equals = Lin.equals;
      indeterminate(token: number): readonly number[] {
        return this.#of(token);
      }
    }
    for (const result of (await answers(false)).slice(0, 2))
      assert.deepEqual([...result.annotate(new Mine())], [...result.annotate(Lin)]);
  });

  it('that has values of growing size and says of no token what it is worth is refused by name', async () => {
    const { indeterminate, ...rest } = Why;
    assert.ok(indeterminate);
    const mine: Semiring<unknown> = { ...(rest as Semiring<unknown>), name: 'Mine' };
    const [result] = await answers(false);
    assert.throws(() => [...result.annotate(mine)], {
      code: 'query/no-valuation',
      message: /Mine.*indeterminate/,
    });
  });

  it('over labels reads those of the database, over any universe and lattice that says how', async () => {
    for (const result of await answers(true)) {
      const over = labelsOver(['ann', 'bob', 'eve']);
      assert.deepEqual(
        readingOf(result, over as Semiring<unknown>),
        readingOf(result, { ...semirings.get('labels')?.semiring, kernel: undefined } as never),
      );
      const { ofLabel, ...silent } = readersLattice;
      assert.ok(ofLabel);
      const own = conservative(silent, 'own readers') as Semiring<unknown>;
      assert.deepEqual(readingOf(result, own), ['query/no-valuation']);
      const said = conservative(readersLattice, 'own readers') as Semiring<unknown>;
      assert.deepEqual(readingOf(result, said), readingOf(result, conservativeReaders as Semiring<unknown>));
    }
  });

  it('that is a product reads each token in both', async () => {
    const [result] = await answers(false);
    const both = product(Polynomials, product(Natural, Tropical));
    const [value] = [...result.annotate(both)];
    const [polynomial] = [...result.annotate(Polynomials)];
    const [count] = [...result.annotate(Natural)];
    assert.ok(Polynomials.equals(value[0], polynomial));
    assert.deepEqual(value[1], [count, 0]);
  });
});
