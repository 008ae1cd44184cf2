/**
 * What an answer would be without some rows: `Result.without`, which runs the query again, `difference`, and
 * tensors. Each expected answer is that of the same query over a database from which the rows were left out.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Database, type Result } from '../../../planner/query/index.js';
import { AssayError } from '../../../semiring/message/error.js';
import { computingModel } from '../../udf/ask/ask-scene.js';

const rowsOfT = [
  { k: 'a', v: 10 },
  { k: 'b', v: 15 },
  { k: 'a', v: 20 },
  { k: 'a', v: null },
  { k: 'a', v: 20 },
];
const rowsOfS = [
  { k: 'a', v: 1 },
  { k: 'd', v: 2 },
];

/** @param without numbers of rows of t, from 1 */
function database(without: readonly number[] = []): Database {
  const db = new Database();
  db.load(
    't',
    rowsOfT.filter((_, i) => !without.includes(i + 1)),
    { columns: ['k', 'v'], types: { k: 'text', v: 'integer' } },
  );
  db.load('s', rowsOfS);
  return db;
}

const token = (db: Database, table: string, row: number) => db.table(table).rowToken(row - 1);

const code = (wanted: string) => (error: unknown) => error instanceof AssayError && error.code === wanted;

describe('an answer without some rows', () => {
  const queries = [
    'select k, sum(v) from t group by k having sum(v) > 40',
    'select sum(v) + 1 from t',
    'select count(*) from (select distinct k, v from t) q',
    'select s.k, (select count(*) from t where t.k = s.k) from s',
    'select s.k, (select max(v) from t where t.k = s.k) from s',
    'select v from t order by v limit 1',
    'select k, count(*) n from t group by k order by n desc, k limit 1',
    'select k from s where (select count(*) from t where t.k = s.k) < 4',
    'select k from s except select k from t',
    'select k from s except all select k from t',
    'select k from t intersect all select k from s',
    'select s.k, t.v from s left join t on t.k = s.k and t.v < 15',
    'select s.k from s where not exists (select 1 from t where t.k = s.k)',
    'select s.k from s where s.k not in (select t.k from t)',
    'select array_agg(v) from t',
    'select sum(n) from (select k, sum(v) n from t group by k) q',
    'select distinct on (k) k, v from t order by k, v desc',
    'with q as (select k, avg(v) a from t group by k) select x.k, y.a from q x join q y on x.a >= y.a order by x.k, y.a',
  ];
  for (const sql of queries) {
    it(sql, async () => {
      const db = database();
      const answer = await db.query(sql);
      for (const without of [[], [1], [2], [3, 5], [1, 3, 4, 5], [1, 2, 3, 4, 5]]) {
        const tokens = without.map((row) => token(db, 't', row));
        const expected = (await database(without).query(sql)).rows();
        assert.deepEqual((await answer.without(tokens)).rows(), expected, `without ${without}`);
        assert.deepEqual((await db.query(sql, [], { without: tokens })).rows(), expected);
        const oneByOne = await (await answer.without(tokens.slice(0, 1))).without(tokens.slice(1));
        assert.deepEqual(oneByOne.rows(), expected);
      }
      assert.deepEqual(answer.rows(), (await database().query(sql)).rows());
    });
  }

  it('is of the state that the answer was made from', async () => {
    const db = database();
    const answer = await db.query('select count(*) from t');
    await db.run("insert into t values ('c', 1)");
    assert.deepEqual((await answer.without(token(db, 't', 1))).rows(), [[4]]);
  });

  it('takes parameters, and the builder, along', async () => {
    const db = database();
    const answer = await db.query('select count(*) from t where v >= $1', [15]);
    assert.deepEqual((await answer.without(token(db, 't', 3))).rows(), [[2]]);
    const built = db.execute(db.from('t').plan);
    assert.equal((await built.without(token(db, 't', 3))).rowCount, 4);
  });

  it('explains itself: rows, tokens and what is not there', async () => {
    const db = database();
    const left = await (await db.query("select k, v from t where k = 'a' and v is not null")).without(
      token(db, 't', 1),
    );
    assert.deepEqual(
      left.rows().map((_, row) => left.showPolynomial(row)),
      ['t[3]', 't[5]'],
    );
    assert.match(left.why(0).operators?.text ?? '', /t\[3\]/);
    const lost = await left.whyNot(['a', 10]);
    assert.equal(lost.present, false);
  });

  it('takes rows that a query made as long as one of their derivations is there', async () => {
    const db = database();
    await db.run(
      'create table big as select k, v from t where v > 10; create table pairs as select distinct k, v from big',
    );
    const all = await db.query('select k, v from pairs order by k');
    const without = async (...tokens: number[]) => (await all.without(tokens)).rows();
    assert.deepEqual(await without(token(db, 't', 3)), [
      ['a', 20],
      ['b', 15],
    ]);
    assert.deepEqual(await without(token(db, 't', 3), token(db, 't', 5)), [['b', 15]]);
    // A derived row's own token, and that of the row it was made from.
    assert.deepEqual(await without(token(db, 'pairs', 1)), [['a', 20]]);
    assert.deepEqual(await without(token(db, 'big', 1)), [['a', 20]]);
    assert.deepEqual(await without(token(db, 'big', 2)), [
      ['a', 20],
      ['b', 15],
    ]);
    const tensor = (await db.query('select count(*) from pairs')).tensor(0, 0);
    assert.equal(tensor.without([]), 2);
    assert.equal(tensor.without([token(db, 'big', 1)]), 1);
    assert.equal(tensor.without([token(db, 't', 3), token(db, 't', 5)]), 1);
    assert.equal(
      tensor.under((one) => (one === token(db, 't', 2) ? 0 : 1)),
      2,
    );
    assert.equal(
      (await db.query('select count(*) from pairs')).showTensor('count', 0),
      '1 ⊗ t[2] + 1 ⊗ (t[3] + t[5])',
    );
  });

  it('has NULL in the place of a cell that is deleted', async () => {
    const db = new Database();
    const mail = db.load(
      'mail',
      [
        { id: 1, body: 'x' },
        { id: 2, body: 'y' },
      ],
      { labelled: ['body'] },
    );
    const cell = mail.cellToken('body', 0) ?? -1;
    const answer = await db.query('select id, body from mail');
    const left = await answer.without(cell);
    assert.deepEqual(left.rows(), [
      [1, null],
      [2, 'y'],
    ]);
    assert.deepEqual(
      answer.difference(left).map(({ kind }) => kind),
      ['changes', 'stays'],
    );
    // Whether a NULL counts depends on who reads it, so the tensor does not guess.
    const known = await db.query("select count(*) from mail where body is null or body <> ''");
    assert.throws(() => known.tensor(0, 0).without([cell]), code('engine/not-in-tensor'));
    assert.equal(known.tensor(0, 0).without([mail.rowToken(0), cell]), 1);
    const filtered = await db.query("select id from mail where body = 'x'");
    assert.equal((await filtered.without(cell)).rowCount, 0);
    await db.run('create table copy as select body from mail');
    assert.deepEqual((await (await db.query('select body from copy')).without(cell)).rows(), [[null], ['y']]);
  });

  it('asks a model only what it has not answered', async () => {
    const db = new Database();
    const mail = db.load(
      'mail',
      ['pay now', 'hello', 'pay later', 'bye'].map((body, i) => ({ id: i + 1, body })),
    );
    const model = computingModel(({ inputs }) => String(inputs.get('body')).startsWith('pay'));
    db.useModel(model);
    const urgent = "ask('urgent?', body, 'boolean')";
    const counted = await db.query(`select count(*) from mail where ${urgent}`);
    assert.equal(model.asked.length, 4);
    assert.deepEqual((await counted.without(mail.rowToken(0))).rows(), [[1]]);
    assert.equal(model.asked.length, 4);
    // The answer's own token is no row.
    const answer = db.tokens;
    const asked = Array.from({ length: answer.count }, (_, one) => one).filter((one) =>
      answer.nameOf(one).startsWith('ask['),
    );
    await assert.rejects(counted.without(asked[0]), code('query/no-row-token'));
    // A row that comes in is asked about.
    await db.run("insert into mail values (5, 'pay me')");
    const first = await db.query(`select id, ${urgent} as a from (select * from mail order by id limit 4) q`);
    assert.equal(model.asked.length, 4);
    const left = await first.without([mail.rowToken(1)]);
    assert.deepEqual(left.rows(), [
      [1, true],
      [3, true],
      [4, false],
      [5, true],
    ]);
    assert.equal(model.asked.length, 5);
  });

  it('refuses tokens that stand for no row, and unknown ones', async () => {
    const db = database();
    const answer = await db.query('select k from t');
    const { membership = -1 } = db.table('t');
    await assert.rejects(answer.without(membership), code('query/no-row-token'));
    await assert.rejects(answer.without(1_000_000), code('engine/unknown-token'));
    const text = await db.query('explain select k from t');
    await assert.rejects(text.without(token(db, 't', 1)), code('query/no-plan'));
    await assert.rejects(
      db.run('create table c as select * from t', [], { without: [token(db, 't', 1)] }),
      code('query/without'),
    );
    assert.equal(db.catalog.has('c'), false);
  });
});

describe('the difference of two answers', () => {
  const kinds = (before: Result, after: Result) =>
    before
      .difference(after)
      .map((change) => [
        change.kind,
        ...('before' in change ? before.row(change.before) : []),
        ...('after' in change ? after.row(change.after) : []),
      ]);

  it('pairs rows that say the same, then those that differ in what can change', async () => {
    const db = database();
    const answer = await db.query('select k, sum(v) total from t group by k order by k');
    assert.deepEqual(kinds(answer, await answer.without(token(db, 't', 1))), [
      ['changes', 'a', 50, 'a', 40],
      ['stays', 'b', 15, 'b', 15],
    ]);
    assert.deepEqual(kinds(answer, await answer.without(token(db, 't', 2))), [
      ['stays', 'a', 50, 'a', 50],
      ['goes', 'b', 15],
    ]);
    const first = await db.query('select v from t order by v limit 1');
    assert.deepEqual(kinds(first, await first.without(token(db, 't', 1))), [
      ['goes', 10],
      ['comes', 15],
    ]);
    const outer = await db.query('select s.k, t.v from s left join t on t.k = s.k and t.v < 15 order by s.k');
    assert.deepEqual(kinds(outer, await outer.without(token(db, 't', 1))), [
      ['changes', 'a', 10, 'a', null],
      ['stays', 'd', null, 'd', null],
    ]);
  });

  it('says of equal rows that the one goes whose derivation does', async () => {
    const db = database();
    const answer = await db.query('select k, v from t');
    assert.deepEqual(
      answer.difference(await answer.without(token(db, 't', 3))).map(({ kind }) => kind),
      ['stays', 'stays', 'goes', 'stays', 'stays'],
    );
  });
});

describe('tensors of an answer', () => {
  it('are shown with the names of tokens, by column name or number', async () => {
    const db = database();
    const answer = await db.query('select k, sum(v) as total, count(*) from t group by k order by k');
    assert.equal(answer.showTensor('total', 0), '10 ⊗ t[1] + 20 ⊗ t[3] + 20 ⊗ t[5]');
    assert.equal(answer.showTensor(2, 1), '1 ⊗ t[2]');
    assert.equal(answer.showTensor('total', 0, { limit: 1 }), '10 ⊗ t[1] + … 2 more');
    assert.throws(() => answer.showTensor('sum', 0), code('engine/unknown-column'));
    const once = (await db.query('select sum(distinct v) from t')).tensor(0, 0);
    assert.equal(once.function, 'sum distinct');
    assert.equal(once.without(token(db, 't', 3)), 45);
  });

  it('say clearly where there is none', async () => {
    const db = database();
    for (const column of ['sum(v) + 1', 'cast(sum(v) as text)', 'coalesce(sum(v), 0)', "'x'"]) {
      const answer = await db.query(`select ${column} as x from t`);
      assert.throws(
        () => answer.tensor('x', 0),
        (error) =>
          error instanceof AssayError &&
          error.code === 'engine/no-tensor' &&
          error.message.includes('select the aggregate itself'),
      );
    }
  });
});

describe('a row number outside of the answer', () => {
  const wrong: readonly unknown[] = [
    -1,
    2,
    99,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '0',
    0n,
    undefined,
  ];
  const uses: { readonly [name: string]: (result: Result, row: number) => unknown } = {
    row: (result, row) => result.row(row),
    polynomial: (result, row) => result.polynomial(row),
    expand: (result, row) => result.expand(row),
    showPolynomial: (result, row) => result.showPolynomial(row),
    formula: (result, row) => result.formula(row),
    probability: (result, row) => result.probability(row),
    shapley: (result, row) => result.shapley(row),
    why: (result, row) => result.why(row),
    tensor: (result, row) => result.tensor(1, row),
    showTensor: (result, row) => result.showTensor(1, row),
    'relation.row': ({ relation }, row) => relation.row(row),
    'relation.value': ({ relation }, row) => relation.value(0, row),
    'relation.isPresent': ({ relation }, row) => relation.isPresent(row),
    'relation.polynomial': ({ relation }, row) => relation.polynomial(row),
    'relation.expand': ({ relation }, row) => relation.expand(row),
    'relation.formula': ({ relation }, row) => relation.formula(row),
    'relation.tensor': ({ relation }, row) => relation.tensor(1, row),
  };
  for (const [name, use] of Object.entries(uses)) {
    it(name, async () => {
      const answer = await database().query('select k, sum(v) from t group by k');
      assert.doesNotThrow(() => use(answer, 1));
      for (const row of wrong) {
        assert.throws(
          // What TypeScript forbids, JavaScript does.
          () => use(answer, row as number),
          (error) =>
            error instanceof AssayError && error.code === 'engine/no-row' && error.message.includes('2 rows'),
        );
      }
    });
  }
});
