/** Completion: names of everything that can be named, and never an error. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { complete } from '../../../planner/shell/entry/complete.js';
import { Player } from '../../../planner/shell/entry/transcript.js';
import { runs } from '../../runs.js';

const { shell } = new Player();
shell.workspace.database.load('orders', [{ id: 1, 'unit price': 2 }]);
shell.workspace.database.load('Customers', [{ name: 'x' }]);

describe('completion', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['.lad', ['.ladder '], '.lad'],
    ['.semiring trop', ['tropical'], 'trop'],
    ['.mode js', ['json', 'jsonl'], 'js'],
    ['.schema or', ['orders'], 'or'],
    ['.delete orders[', ['orders[1]'], 'orders['],
    ['.circuit 1 me', ['mermaid'], 'me'],
    ['SELECT * FROM ord', ['order', 'orders'], 'ord'],
    ['SELECT * FROM ORD', ['ORDER', 'orders'], 'ORD'],
    ['SELECT orders.', ['orders."unit price"', 'orders.id'], 'orders.'],
    ['CREATE TABLE t (a int PRIM', ['PRIMARY'], 'PRIM'],
    ['SELECT o.i', ['o.id'], 'o.i'],
    ['SELECT * FROM cust', ['"Customers"'], 'cust'],
    ['SELECT ', [], ''],
  ];
  for (const [line, candidates, replaced] of cases) {
    it(`of ${JSON.stringify(line)}`, () => {
      assert.deepEqual(complete(shell, line), [candidates, replaced]);
    });
  }

  it('knows functions', () => {
    assert.ok(complete(shell, 'SELECT cou')[0].includes('count'));
  });

  it('replaces the end of the line by what begins with it, whatever stands there', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => `.${text}`),
        ),
        (line) => {
          const [candidates, replaced] = complete(shell, line);
          assert.ok(line.endsWith(replaced));
          for (const candidate of candidates) {
            const plain = candidate.replaceAll('"', '').toLowerCase();
            assert.ok(
              plain.startsWith(replaced.replaceAll('"', '').toLowerCase()) || replaced.includes('.'),
              candidate,
            );
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
