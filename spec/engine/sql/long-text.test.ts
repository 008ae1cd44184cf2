/**
 * Statements that are long without being deep: chains of operators, joins and set operations, lists, and
 * parentheses around parentheses. What is truly deep is refused by name.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepestExpression } from '../../../engine/plan/expression.js';
import { withoutRepeatedParentheses } from '../../../engine/sql/parse/parentheses.js';
import { Database } from '../../../planner/query/index.js';

const db = new Database();
db.load('t', [{ x: 1 }, { x: 2 }]);

const list = (n: number, item: (i: number) => string, separator: string): string =>
  Array.from({ length: n }, (_, i) => item(i)).join(separator);

const rows = async (text: string) => (await db.query(text)).rows();

describe('a chain', () => {
  it('of operators is as long as the deepest expression', async () => {
    const n = deepestExpression - 2;
    assert.deepEqual(await rows(`SELECT ${list(n, () => 'x', ' + ')} FROM t`), [[n], [2 * n]]);
    assert.deepEqual(await rows(`SELECT x FROM t WHERE ${list(n, () => 'x', ' - ')} = ${4 - 2 * n}`), [[2]]);
    assert.deepEqual(await rows(`SELECT length(${list(n, () => "'ab'", ' || ')})`), [[2 * n]]);
    const other = list(1000, () => 'u.x', ' + ');
    assert.deepEqual(
      await rows(`SELECT x FROM t WHERE EXISTS (SELECT 1 FROM t u WHERE ${other} = t.x * 1000) ORDER BY x`),
      [[1], [2]],
    );
  });

  it('of joins or set operations has no limit', async () => {
    const joins = list(500, (i) => `JOIN t t${i + 1} ON t${i}.x = t${i + 1}.x`, ' ');
    assert.deepEqual(await rows(`SELECT count(*) FROM t t0 ${joins}`), [[2]]);
    assert.equal((await rows(list(2000, (i) => `SELECT ${i}`, ' UNION ALL '))).length, 2000);
    assert.equal((await rows(list(2000, (i) => `SELECT ${i % 7}`, ' UNION '))).length, 7);
    assert.deepEqual(await rows(list(2000, (i) => `SELECT ${i}`, ' EXCEPT ')), [[0]]);
  });

  it('keeps what stands around its left part', async () => {
    assert.deepEqual(await rows('(SELECT 2 UNION ALL SELECT 1 ORDER BY 1 LIMIT 1) UNION ALL SELECT 3'), [
      [1],
      [3],
    ]);
    assert.deepEqual(await rows('SELECT 10 - 4 - 3, 10 - (4 - 3), - 2 - 3, 2 BETWEEN 1 AND 3 = true'), [
      [3, 9, -5, true],
    ]);
  });

  it('past that is refused by name', async () => {
    const tooLong = { code: 'sql/unsupported', message: /more than 1200 levels/ };
    await assert.rejects(rows(`SELECT ${list(deepestExpression + 2, () => 'x', ' + ')} FROM t`), tooLong);
    const tooDeep = { code: 'sql/unsupported', message: /deeper than 800 levels/ };
    await assert.rejects(rows(`SELECT ${'abs('.repeat(2000)}x${')'.repeat(2000)} FROM t`), tooDeep);
    await assert.rejects(rows(`SELECT ${list(100_000, () => 'x', ' + ')} FROM t`), {
      code: 'sql/unsupported',
    });
    await assert.rejects(rows(`SELECT ${'('.repeat(20_000)}x FROM t`), { code: 'sql/unsupported' });
  });

  it('says first what is wrong in what is written first', async () => {
    await assert.rejects(rows('SELECT nothing + x + neither FROM t'), /nothing/);
    await assert.rejects(rows("SELECT (x SIMILAR TO 'a') = (x IS DOCUMENT) FROM t"), /SIMILAR TO/);
  });
});

describe('lists and parentheses', () => {
  it('of ten thousand', async () => {
    const n = 10_000;
    assert.deepEqual(await rows(`SELECT x FROM t WHERE x IN (${list(n, (i) => String(i + 2), ',')})`), [[2]]);
    assert.deepEqual(await rows(`SELECT x FROM t WHERE x IN (${list(n, (i) => `x + ${i}`, ',')})`), [
      [1],
      [2],
    ]);
    assert.deepEqual(await rows(`SELECT coalesce(${list(n, () => 'NULL', ',')}, 7)`), [[7]]);
    assert.equal((await rows(`VALUES ${list(n, (i) => `(${i})`, ',')}`)).length, n);
    const around = (what: string) => `${'('.repeat(n)}${what}${')'.repeat(n)}`;
    assert.deepEqual(await rows(`SELECT ${around('x + 1')}, ')' FROM t WHERE ${around('x = 2')}`), [
      [3, ')'],
    ]);
    assert.deepEqual(await rows(`SELECT x FROM t WHERE x IN ${around('SELECT 1')}`), [[1]]);
  });

  it('lose no more parentheses than say nothing', () => {
    for (const [text, left] of [
      ['(a)', '(a)'],
      ['((a, b))', '((a, b))'],
      ['(((a, b)))', '(( a, b ))'],
      ['( ((a) + (b)) )', '( ((a) + (b)) )'],
      ["f((( ')' )))", "f((  ')'  ))"],
      ['((((a))))', '((  a  ))'],
      ['((((a)) + 1))', '((((a)) + 1))'],
      ['(((/* ) */ a)))', '(( /* ) */ a ))'],
      [')))(((', ')))((('],
    ])
      assert.equal(withoutRepeatedParentheses(text), left);
  });
});
