/**
 * What a caller says that tokens mean is checked where it comes in, and where it is read; nothing that is
 * wrong is taken quietly.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LabelSpace } from '../../../planner/agent/label/label-space.js';
import { Database, type Result } from '../../../planner/query/index.js';
import {
  alternativeLabels,
  conservativeIntegrity,
  type Label,
  labelsOver,
  Natural,
  type Semiring,
  Tropical,
  Viterbi,
} from '../../../semiring/index.js';
import { mcpLabel } from '../../../udf/adapters/mcp-label.js';
import { LabelledFailure, LabelledResult } from '../../../udf/tool-result.js';

const small = (): Database => {
  const db = new Database();
  db.load('t', [{ v: 1 }, { v: 2 }, { v: 3 }]);
  return db;
};

const refuses = (run: () => unknown, code: string, message: RegExp): void =>
  assert.throws(run, (error: Error & { code?: string }) => {
    assert.equal(error.code, code, error.stack);
    assert.match(error.message, message);
    return true;
  });

const wrongLabels = [
  { integrity: 'u', readers: 'everyone' },
  { integrity: 'T', readers: 'ann' },
  { integrity: 'U' },
  'U',
  null,
] as unknown as Label[];

describe('a label that is none', () => {
  it('is not taken by a database', () => {
    const db = small();
    for (const label of wrongLabels) {
      refuses(() => db.label('t', label), 'semiring/bad-label', /^the label of table "t"/);
      refuses(() => db.label(0, label), 'semiring/bad-label', /^the label/);
      refuses(() => db.useModel({} as never, { label }), 'semiring/bad-label', /what the model answers/);
    }
    assert.equal(db.valuations.labels.size, 0);
  });

  it('is not taken by a session, nor from a tool or its server', () => {
    for (const label of wrongLabels) {
      refuses(() => new LabelSpace().intern(label), 'semiring/bad-label', /label/);
      refuses(() => new LabelledResult(1, label), 'semiring/bad-label', /a tool's result/);
      refuses(() => new LabelledFailure('no', label), 'semiring/bad-label', /a tool's failure/);
    }
    const result = { _meta: { ifc: { integrity: 'trusted', confidentiality: 'private' } } };
    refuses(() => mcpLabel(result, 'ann' as never), 'semiring/bad-label', /^privateReaders must be/);
  });

  it('in a file is a damaged file', () => {
    const db = small();
    const label = { integrity: 'U', readers: 'everyone' } as { integrity: 'T' | 'U'; readers: 'everyone' };
    db.label('t', label);
    label.integrity = 'u' as 'U';
    refuses(() => Database.open(db.save()), 'engine/bad-file', /integrity must be/);
  });
});

describe('a value that the semiring does not hold', () => {
  const cases: [Semiring<unknown>, unknown][] = [
    ...[-1, 1.5, '3', Number.NaN, 2 ** 53, 2n, undefined, null].map((value): [Semiring<unknown>, unknown] => [
      Natural as Semiring<unknown>,
      value,
    ]),
    [Viterbi as Semiring<unknown>, 2],
    [Tropical as Semiring<unknown>, -1],
    [conservativeIntegrity as Semiring<unknown>, 'u'],
    [alternativeLabels as Semiring<unknown>, { integrity: 'u', readers: 'everyone' }],
    [labelsOver(['ann']) as Semiring<unknown>, { integrity: 'T', readers: 'ann' }],
    [labelsOver(['ann']) as Semiring<unknown>, 'T'],
  ];

  it('is not taken by a database', () => {
    const db = small();
    for (const [semiring, value] of cases)
      refuses(() => db.value(semiring, 1, value), 'semiring/not-in-carrier', /token 1 .* does not hold/);
  });

  it('ends a reading, with its token, whether all tokens have it or one', async () => {
    const result = await small().query('SELECT x.v FROM t AS x JOIN t AS y ON x.v = y.v');
    for (const [semiring, value] of cases) {
      refuses(
        () => result.annotate(semiring, () => value),
        'semiring/not-in-carrier',
        /the valuation gives token 1/,
      );
      // Token 0 is the table's own.
      refuses(
        () => result.annotate(semiring, (token) => (token === 2 ? value : semiring.one)),
        'semiring/not-in-carrier',
        /the valuation gives token 2/,
      );
      refuses(
        () => result.relation.annotate(semiring, { every: value }),
        'semiring/not-in-carrier',
        /every token/,
      );
    }
  });

  it('is no multiplicity of an aggregate either', async () => {
    const { relation } = await small().query('SELECT sum(v) AS s FROM t');
    const tensor = relation.tensor(0, 0);
    assert.equal(
      tensor.under(() => 2),
      12,
    );
    for (const value of [1.5, -1, '1', Number.NaN] as number[])
      refuses(() => tensor.under(() => value), 'semiring/not-in-carrier', /token \d .* semiring N does/);
  });

  it('is found where the kernel of a user’s own semiring takes anything', async () => {
    const careless: Semiring<number> = {
      ...Viterbi,
      name: 'careless',
      ...(Viterbi.kernel && {
        kernel: { ...Viterbi.kernel, checksCarrier: false, encode: (x: number) => x },
      }),
    };
    const result = await small().query('SELECT v FROM t');
    assert.deepEqual([...result.annotate(careless, () => 0.5)], [0.5, 0.5, 0.5]);
    refuses(() => result.annotate(careless, () => 2), 'semiring/not-in-carrier', /careless/);
  });
});

describe('what is no semiring, no valuation or no token', () => {
  it('is refused by name', async () => {
    const db = small();
    const result = await db.query('SELECT v FROM t');
    for (const semiring of [null, undefined, 'N', { name: 'x' }, {}] as unknown as Semiring<number>[]) {
      refuses(() => result.annotate(semiring), 'semiring/not-a-semiring', /semiring/);
      refuses(() => result.annotate(semiring, () => 1), 'semiring/not-a-semiring', /semiring/);
      refuses(() => db.value(semiring, 1, 1), 'semiring/not-a-semiring', /semiring/);
    }
    refuses(() => result.annotate(Natural, 1 as never), 'engine/no-valuation', /a function of a token/);
    refuses(() => result.annotate(Natural, undefined, { limit: Number.NaN }), 'engine/bad-limit', /not NaN/);
    const tokens = db.tokens.count;
    for (const token of [tokens, -1, 0.5, '1'] as number[]) {
      refuses(
        () => db.label([token], { integrity: 'T', readers: 'everyone' }),
        'engine/unknown-token',
        /no token/,
      );
      refuses(() => db.value(Natural, [token], 1), 'engine/unknown-token', /issued are 0 to 3/);
    }
  });

  it('does not get into a table', () => {
    const db = small();
    const table = db.table('t');
    refuses(
      () => table.append([{ v: 4 }], { rowTokens: [999] }),
      'engine/unknown-token',
      /^table "t", row 1, row tokens: 999 is no token/,
    );
    refuses(() => db.load('u', [{ v: 1 }], { membership: 999 }), 'engine/unknown-token', /membership/);
    refuses(
      () => db.load('w', [{ v: 1 }], { labelled: 'all', cellTokens: new Map([['v', [999]]]) }),
      'engine/unknown-token',
      /cell tokens of "v"/,
    );
    assert.equal(table.rowCount, 3);
    // One that was issued may be used again, and the file can be read.
    table.append([{ v: 4 }], { rowTokens: [table.rowToken(0)] });
    assert.equal(Database.open(db.save()).table('t').rowCount, 4);
  });
});

describe('a row of a thousand million derivations', () => {
  const cube = async (): Promise<Result> => {
    const db = new Database();
    db.load(
      'x',
      Array.from({ length: 1001 }, () => ({ v: 1 })),
    );
    const s = '(SELECT DISTINCT v FROM x)';
    return db.query(`SELECT a.v FROM ${s} a JOIN ${s} b ON a.v = b.v JOIN ${s} c ON a.v = c.v`);
  };

  it('is shown cut with its size, and has a probability and Shapley values', async () => {
    const result = await cube();
    const text = result.showPolynomial(0);
    assert.ok(text.length < 10_000);
    assert.match(text, / \+ … up to 1,003,003,001 monomials in all$/);
    assert.equal(result.expand(0, 10).polynomial.length, 10);
    assert.throws(() => result.polynomial(0), { code: 'engine/long-polynomial' });
    const expected = 1 - 0.999 ** 1001;
    assert.ok(Math.abs(result.probability(0, () => 0.001) - expected) < 1e-12);
    assert.ok(Math.abs((result.shapley(0).get(5) ?? 0) - 1 / 1001) < 1e-12);
    assert.equal(result.probability(0), 1);
  });

  it('of many monomials is shown as far as asked for, and what is hidden is counted', async () => {
    const db = new Database();
    db.load(
      'x',
      Array.from({ length: 5000 }, () => ({ v: 1 })),
    );
    const result = await db.query('SELECT DISTINCT v FROM x');
    assert.match(result.showPolynomial(0), / \+ … 4,900 more monomials$/);
    assert.match(result.showPolynomial(0, { limit: 2 }), /^x\[1\] \+ x\[2\] \+ … 4,998 more monomials$/);
    assert.ok(!result.showPolynomial(0, { limit: Number.POSITIVE_INFINITY }).includes('…'));
  });
});

describe('probabilities and Shapley values of a row', () => {
  it('take what tokens mean from the database, made rows expanded', async () => {
    const db = small();
    await db.run('CREATE TABLE copies AS SELECT v FROM t WHERE v < 3');
    db.value(Viterbi, [1, 2], 0.5);
    const result = await db.query('SELECT count(*) > 0 AS any FROM copies GROUP BY v > 0');
    // δ(t[1] + t[2])
    assert.equal(result.probability(0), 0.75);
    assert.deepEqual(
      [...result.shapley(0)].map(([token, value]) => [
        db.tokens.nameOf(token),
        Math.round(value * 1e9) / 1e9,
      ]),
      [
        ['t[1]', 0.5],
        ['t[2]', 0.5],
      ],
    );
    assert.deepEqual([...result.shapley(0, { certain: [1] }).values()], [0]);
    refuses(() => result.probability(0, () => 2), 'semiring/not-a-probability', /has probability 2/);
  });

  it('of a difference', async () => {
    const db = small();
    db.value(Viterbi, [1, 2, 3], 0.5);
    const result = await db.query('SELECT 1 AS a FROM t WHERE v = 1 EXCEPT SELECT 1 FROM t WHERE v = 2', [], {
      keep: 'possible',
    });
    assert.equal(result.probability(0), 0.25);
  });
});
