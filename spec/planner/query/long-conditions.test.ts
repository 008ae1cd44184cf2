/**
 * Conditions as programs write them: tens of thousands of terms in a row work, too deep a nesting is refused
 * by name.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database } from '../../../planner/query/database.js';
import { AssayError } from '../../../semiring/message/error.js';

const terms = 20_000;

function list(term: (i: number) => string, separator: string, count = terms): string {
  return Array.from({ length: count }, (_, i) => term(i)).join(separator);
}

function database(): Database {
  const db = new Database();
  db.load('t', [
    { x: 0, s: 'w0' },
    { x: 3, s: 'w4' },
    { x: 39_998, s: 'w1' },
    { x: 40_000, s: 'w39998' },
    { x: null, s: null },
  ]);
  return db;
}

async function rows(condition: string): Promise<readonly unknown[]> {
  return (await database().query(`SELECT x FROM t WHERE ${condition}`)).rows().flat();
}

describe('long conditions', () => {
  it('an OR of equalities is a list, an AND of inequalities its complement', async () => {
    assert.deepEqual(await rows(list((i) => `x = ${2 * i}`, ' OR ')), [0, 39_998]);
    assert.deepEqual(await rows(list((i) => `x <> ${2 * i}`, ' AND ')), [3, 40_000]);
    assert.deepEqual(await rows(list((i) => `'w${2 * i}' = s`, ' OR ')), [0, 3, 40_000]);
    const { text } = await database().explain('SELECT x FROM t WHERE x = 1 OR x = 2 OR x IN (3, NULL)');
    assert.match(text, /filter t\.x IN \(1, 2, 3, NULL\)/);
    assert.match(text, /equalities to list/);
  });

  it('IN takes as many literals', async () => {
    assert.deepEqual(await rows(`x IN (${list((i) => `${2 * i}`, ', ')})`), [0, 39_998]);
    assert.deepEqual(await rows(`s NOT IN (${list((i) => `'w${2 * i}'`, ', ')})`), [39_998]);
    assert.deepEqual(await rows(`s NOT IN (${list((i) => `'w${2 * i}'`, ', ')}, NULL)`), []);
  });

  it('comparisons of more than one kind stay what they are', async () => {
    assert.deepEqual(
      await rows(list((i) => (i % 2 === 0 ? `x = ${i}` : `s = 'w${i}'`), ' OR ', 5000)),
      [0, 39_998],
    );
    assert.deepEqual(await rows('x = 1 OR x = 2 OR x IS NULL OR x = 3'), [3, null]);
  });

  it('nesting is refused past 800 levels, by name and place', async () => {
    const nested = (depth: number) =>
      `${list((i) => `(x = ${i} `, 'OR (x > 0 AND ', depth)}${'))'.repeat(depth - 1)})`;
    assert.deepEqual(await rows(nested(300)), [0, 3]);
    for (const condition of [
      nested(900),
      nested(terms),
      `${'NOT '.repeat(terms)} true`,
      `${list(() => 'x', ' + ')} > 0`,
    ]) {
      await assert.rejects(rows(condition), (error) => {
        assert.ok(error instanceof AssayError);
        assert.equal(error.code, 'sql/unsupported');
        assert.match(error.message, /nested deeper than 800 levels is not supported \(line 1, column \d+\)/);
        return true;
      });
    }
  });
});
