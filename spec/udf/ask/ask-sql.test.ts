/** `ask` as SQL writes it: the binder, the stages, the answer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { count, max } from '../../../engine/aggregates/index.js';
import type { LogicalPlan } from '../../../engine/plan/plan.js';
import { Tokens } from '../../../engine/provenance/token.js';
import { bindStatement, builtinScalars, Functions, parseSql, SqlError } from '../../../engine/sql/index.js';
import { Table } from '../../../engine/table/table.js';
import type { Value } from '../../../engine/value/value.js';
import { optimize } from '../../../planner/query/optimize/optimize.js';
import { AskFunctions } from '../../../udf/ask/ask-functions.js';
import { runByEngine } from '../../../udf/ask/run-plan.js';
import { type Asked, computingModel } from './ask-scene.js';

const replies = new Map<string, (text: string) => unknown>([
  ['urgent?', (body) => body.startsWith('pay')],
  ['length?', (body) => body.length],
  ['mood?', (body) => (body.includes('!') ? 'angry' : 'calm')],
  ['due?', (body) => (body.includes('now') ? '2026-03-01' : '2026-04-01')],
  ['parts?', (body) => ({ words: body.split(' ') })],
]);

function scene() {
  const tokens = new Tokens();
  const mail = Table.fromRows(tokens, 'mail', [
    { id: 1, body: 'pay now!' },
    { id: 2, body: 'hello' },
    { id: 3, body: 'pay later' },
  ]);
  const model = computingModel(({ question, inputs }: Asked) =>
    (replies.get(question) ?? assert.fail(question))(String([...inputs.values()][0])),
  );
  const asks = new AskFunctions(model, tokens, { concurrency: 1 });
  const functions = new Functions([...builtinScalars, ...asks.vocabulary.functions], [count, max]);
  const tables = { table: (name: string) => (name === 'mail' ? mail : undefined), names: () => ['mail'] };
  const bind = async (sql: string): Promise<LogicalPlan> => {
    const [parsed] = await parseSql(sql);
    const statement = bindStatement(parsed, { tables, functions, now: 0 });
    return statement.kind === 'query' ? statement.query.plan : assert.fail('not a query');
  };
  const query = async (sql: string): Promise<readonly (readonly Value[])[]> => {
    const { plan } = optimize(await bind(sql));
    return runByEngine()((await asks.resolve(plan, runByEngine())).plan);
  };
  return { model, bind, query };
}

describe('ask in SQL', () => {
  it('has the type that its last argument names', async () => {
    const { query } = scene();
    const rows = await query(`
      SELECT id, ask('length?', body, 'integer') + 1, ask('mood?', body, 'enum(angry, calm)') || '.',
             ask('due?', body, 'date') < DATE '2026-03-15', ask('parts?', body, '{"type":"object"}')
      FROM mail WHERE ask('urgent?', body, 'boolean') ORDER BY id DESC`);
    assert.deepEqual(rows, [
      [3, 10, 'calm.', false, { words: ['pay', 'later'] }],
      [1, 9, 'angry.', true, { words: ['pay', 'now!'] }],
    ]);
  });

  it('asks about what cheap predicates and LIMIT leave', async () => {
    const { query, model } = scene();
    assert.deepEqual(
      await query("SELECT ask('length?', body, 'integer') FROM mail WHERE id > 1 ORDER BY id LIMIT 1"),
      [[5]],
    );
    assert.equal(model.asked.length, 1);
  });

  it('asks in a subquery, in EXISTS and in a join, after decorrelation and planning', async () => {
    const { query, model } = scene();
    const cases: readonly [string, readonly (readonly Value[])[]][] = [
      ["SELECT max(n) FROM (SELECT ask('length?', body, 'integer') AS n FROM mail) AS t", [[9]]],
      [
        "SELECT id FROM mail AS m WHERE EXISTS (SELECT 1 FROM mail AS o WHERE o.id > m.id AND ask('urgent?', o.body, 'boolean')) ORDER BY id",
        [[1], [2]],
      ],
      [
        "SELECT a.id, b.id FROM mail AS a JOIN mail AS b ON a.id < b.id AND ask('urgent?', a.body, 'boolean') ORDER BY 1, 2",
        [
          [1, 2],
          [1, 3],
        ],
      ],
      [
        "SELECT a.id FROM mail AS a JOIN mail AS b ON ask('length?', a.body, 'integer') = b.id + 6 ORDER BY 1",
        [[1], [3]],
      ],
      [
        "SELECT CASE WHEN ask('urgent?', body, 'boolean') THEN 'yes' ELSE 'no' END, count(*) FROM mail GROUP BY 1 ORDER BY 1",
        [
          ['no', 1],
          ['yes', 2],
        ],
      ],
    ];
    for (const [sql, rows] of cases) assert.deepEqual(await query(sql), rows, sql);
    assert.ok(model.asked.length > 0);
  });

  it('counts and groups by answers', async () => {
    const { query } = scene();
    const rows = await query("SELECT DISTINCT ask('mood?', body, 'enum(angry, calm)') FROM mail");
    assert.deepEqual(rows.map(([mood]) => mood).sort(), ['angry', 'calm']);
  });

  it('says what is wrong with a call, and where', async () => {
    const { bind } = scene();
    const wrong: readonly [string, RegExp][] = [
      ["SELECT ask('urgent?', body, 'bool') FROM mail", /Not an answer type: "bool"/],
      ["SELECT ask('urgent?') FROM mail", /expected \(question, cell, …, type\)/],
      ["SELECT ask('urgent?', body, body) FROM mail", /the type a literal text/],
      ["SELECT ask(id, body, 'boolean') FROM mail", /no such function for these types/],
      ["SELECT ask('urgent?', body, 'integer') || 'x' AND true FROM mail", /./],
    ];
    for (const [sql, message] of wrong) {
      await assert.rejects(
        bind(sql),
        (error) => error instanceof SqlError && message.test(error.message),
        sql,
      );
    }
  });
});
