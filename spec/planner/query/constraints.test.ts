/**
 * Tables with constraints as a program meets them: SQL, the rows of a program, files, what errors say, what
 * stays.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SqlError } from '../../../engine/sql/index.js';
import { joinSections, splitSections } from '../../../engine/storage/file-format.js';
import { Database } from '../../../planner/query/index.js';
import { bottom, conservativeLabels, showLabel } from '../../../semiring/index.js';
import { AssayError } from '../../../semiring/message/error.js';

async function refusal(run: () => unknown): Promise<AssayError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  assert.fail('not refused');
}

const goods =
  "CREATE TABLE goods (id integer PRIMARY KEY, name varchar(20) NOT NULL DEFAULT 'x', price numeric(10,2), UNIQUE (name), CHECK (price > 0))";

async function shop(...more: readonly string[]): Promise<Database> {
  const db = new Database({ clock: () => Date.UTC(2024, 1, 29, 12) });
  await db.run([goods, ...more].join(';'));
  return db;
}

const rowsOf = async (db: Database, table: string) => (await db.query(`SELECT * FROM ${table}`)).rows();

describe('a table with constraints', () => {
  it('takes what keeps them, in the size of its columns', async () => {
    const db = await shop("INSERT INTO goods VALUES (1, 'a', 1.005), (2, DEFAULT, DEFAULT)");
    await db.run(`INSERT INTO goods (price, id, name) SELECT id, id + 2, name || '${' '.repeat(30)}' || 'b'
      FROM goods WHERE false; INSERT INTO goods VALUES (3, 'c${' '.repeat(40)}')`);
    assert.deepEqual(await rowsOf(db, 'goods'), [
      [1, 'a', 1.01],
      [2, 'x', null],
      [3, `c${' '.repeat(19)}`, null],
    ]);
  });

  it('says table, row, column, value and constraint', async () => {
    const db = await shop("INSERT INTO goods VALUES (1, 'a', 1)");
    const cases: readonly (readonly [string, string, string])[] = [
      ["(2, 'b', 1), (NULL, 'c', 1)", 'not-null', 'row 2: column "id" may not be NULL'],
      ["(2, 'b', -1)", 'check', 'row 1: "price" = -1 violates the CHECK constraint "goods_price_check"'],
      [
        "(2, 'b', 1), (3, 'a', 1)",
        'unique',
        'row 2: "name" = "a" is there already: UNIQUE constraint "goods_name_key"',
      ],
      ["(2, 'b', 1), (2, 'c', 1)", 'unique', 'row 2: "id" = 2 is there already: PRIMARY KEY "goods_pkey"'],
      [
        "(2, 'a234567890123456789 z', 1)",
        'too-long',
        'row 1: "name" = "a234567890123456789 z" is too long for varchar(20)',
      ],
      ["(2, 'b', 99999999.995)", 'out-of-range', 'row 1: "price" = 99999999.995 does not fit numeric(10, 2)'],
    ];
    for (const [values, code, message] of cases) {
      const error = await refusal(() => db.run(`INSERT INTO goods VALUES ${values}`));
      assert.equal(error.code, `engine/${code}`);
      assert.equal(error.message, `table "goods", ${message}`);
    }
    assert.deepEqual(await rowsOf(db, 'goods'), [[1, 'a', 1]]);
  });

  it('is left as it was by an INSERT that it refuses: rows, keys, tokens, what tokens mean', async () => {
    const db = await shop("INSERT INTO goods VALUES (1, 'a', 1)");
    db.load('src', [
      { id: 2, name: 'b' },
      { id: 1, name: 'c' },
    ]);
    db.label('goods', bottom);
    const label = async () =>
      (await db.query('SELECT count(*) FROM goods')).annotateCell(0, conservativeLabels).at(0);
    const before = { tokens: db.tokens.count, saved: db.save() };
    // Both rows come from a table without labels: had the INSERT gone through, the count would depend on it.
    await refusal(() => db.run('INSERT INTO goods SELECT id, name FROM src'));
    assert.equal(db.tokens.count, before.tokens);
    assert.deepEqual(db.save(), before.saved);
    assert.equal(showLabel((await label()) ?? bottom), showLabel(bottom));
    // The keys of the row that was in order are free.
    await db.run("INSERT INTO goods VALUES (2, 'b', 1)");
  });

  it('holds for the rows of a program, to which a missing key is the default', async () => {
    const db = await shop('CREATE TABLE log (at timestamp DEFAULT now() NOT NULL, n int UNIQUE)');
    const table = db.table('goods');
    table.append([{ id: 1 }, { id: 2, name: 'b', price: 0.125 }]);
    assert.deepEqual(await rowsOf(db, 'goods'), [
      [1, 'x', null],
      [2, 'b', 0.13],
    ]);
    assert.equal(
      (
        await refusal(() =>
          table.append([
            { id: 3, name: 'c' },
            { id: 4, name: null },
          ]),
        )
      ).code,
      'engine/not-null',
    );
    assert.equal((await refusal(() => db.catalog.insert('goods', [[1, 'c', 1]]))).code, 'engine/unique');
    assert.equal(table.rowCount, 2);
    db.table('log').append([{ n: 1 }]);
    assert.deepEqual(await rowsOf(db, 'log'), [['2024-02-29 12:00:00', 1]]);
  });

  it('lets NULL pass CHECK and UNIQUE, and only one where NULLs are not distinct', async () => {
    const db = new Database();
    await db.run(`CREATE TABLE t (a int UNIQUE, b int UNIQUE NULLS NOT DISTINCT, CHECK (a > b));
      INSERT INTO t VALUES (NULL, 1), (NULL, NULL)`);
    assert.equal((await refusal(() => db.run('INSERT INTO t VALUES (NULL, NULL)'))).code, 'engine/unique');
    assert.equal((await refusal(() => db.run('INSERT INTO t VALUES (1, 1)'))).code, 'engine/check');
  });

  it('shows no more of a hostile value than a line', async () => {
    const db = new Database();
    await db.run('CREATE TABLE "t\u202e" ("a\u001b[31m" text UNIQUE, b text CHECK (b <> \'\'))');
    const long = 'x'.repeat(10_000_000);
    const row = [`\u001b[2J\u202e\0${long}`, null];
    const table = db.tables[0];
    table.append([row]);
    const { message } = await refusal(() => table.append([row]));
    assert.equal(
      message.replace(/x+…/, 'x…'),
      'table "t\\u{202e}", row 1: "a\\x1b[31m" = "\\x1b[2J\\u{202e}\\x00x… (10000006 characters)" is there already: UNIQUE constraint "t\\u{202e}_a\\x1b[31m_key"',
    );
    assert.ok(message.length < 250);
  });

  it('a CHECK that cannot be evaluated is an error that names it', async () => {
    const db = new Database();
    await db.run('CREATE TABLE t (a int CONSTRAINT ratio CHECK (6 / a > 1))');
    const { code, message } = await refusal(() => db.run('INSERT INTO t VALUES (1), (0)'));
    assert.equal(code, 'engine/check');
    assert.match(message, /^table "t", row 2: the CHECK constraint "ratio" cannot be evaluated: .*zero/);
  });

  it('takes only functions that every database has', async () => {
    const db = new Database({
      functions: [{ name: 'mine', resolve: () => 'boolean', evaluate: () => true }],
    });
    for (const sql of [
      'CREATE TABLE t (a int, CHECK (¦mine(a)))',
      'CREATE TABLE t (a boolean DEFAULT ¦mine(1))',
    ]) {
      const error = await refusal(() => db.run(sql.replace('¦', '')));
      assert.ok(error instanceof SqlError);
      assert.match(error.reason, /^mine, which is not a function of every database, in (CHECK|DEFAULT)/);
      assert.equal(error.column, sql.indexOf('¦') + 1);
    }
    assert.equal(
      (await refusal(() => db.run('CREATE TABLE t (a int CHECK (yours(a)))'))).code,
      'sql/unknown-function',
    );
  });

  it('IF NOT EXISTS leaves a table with other constraints alone', async () => {
    const db = await shop('CREATE TABLE IF NOT EXISTS goods (id int)');
    assert.equal(
      (await refusal(() => db.run("INSERT INTO goods (name) VALUES ('a')"))).code,
      'engine/not-null',
    );
  });

  it('brings each value of VALUES to its own column, with the place of one that does not read', async () => {
    const db = new Database();
    await db.run("CREATE TABLE t (a text, b date); INSERT INTO t VALUES ('x', NULL), (5, '2024-02-29')");
    assert.deepEqual(await rowsOf(db, 't'), [
      ['x', null],
      ['5', '2024-02-29'],
    ]);
    const wrong = "INSERT INTO t VALUES ('x', '2024-02-28'), ('y', 'never')";
    const error = await refusal(() => db.run(wrong));
    assert.ok(error instanceof SqlError);
    assert.deepEqual([error.code, error.column], ['sql/invalid-literal', wrong.indexOf("'never'") + 1]);
    await db.run('INSERT INTO t VALUES ($1, $2)', ['z', '2024-03-01']);
    await db.run('INSERT INTO t SELECT $1, $2', ['z', '2024-03-01']);
    assert.equal((await refusal(() => db.run('INSERT INTO t (b) SELECT a FROM t'))).code, 'sql/type');
  });
});

describe('a foreign key', () => {
  const lines =
    'CREATE TABLE line (n int PRIMARY KEY, good int REFERENCES goods, after int REFERENCES line ON DELETE RESTRICT)';

  it('refers to rows that are there, or that come with it', async () => {
    const db = await shop(
      lines,
      'INSERT INTO goods (id) VALUES (1)',
      'INSERT INTO line VALUES (1, 1, 2), (2, NULL, 1)',
    );
    const error = await refusal(() => db.run('INSERT INTO line VALUES (3, 1, 1), (4, 5, 1)'));
    assert.equal(error.code, 'engine/foreign-key');
    assert.equal(
      error.message,
      'table "line", row 2: "good" = 5 is no key of table "goods": foreign key "line_good_fkey"',
    );
    // Row 3 was taken back with row 4, so it cannot be referred to, and its key is free.
    assert.equal(
      (await refusal(() => db.run('INSERT INTO line VALUES (4, 1, 3)'))).code,
      'engine/foreign-key',
    );
    await db.run('INSERT INTO line VALUES (3, 1, 3)');
  });

  it('keeps the table that it refers to', async () => {
    const db = await shop(lines);
    assert.equal((await refusal(() => db.run('DROP TABLE goods'))).code, 'engine/referenced');
    assert.equal(db.tables.length, 2);
    await db.run('DROP TABLE goods, line');
    assert.equal(db.tables.length, 0);
  });

  it('finds its columns in whatever order the key has them', async () => {
    const db = new Database();
    await db.run(`CREATE TABLE p (a int, b text, UNIQUE (b, a));
      CREATE TABLE q (x text, y int, FOREIGN KEY (y, x) REFERENCES p (a, b));
      INSERT INTO p VALUES (1, 'k'); INSERT INTO q VALUES ('k', 1), (NULL, 7)`);
    assert.equal((await refusal(() => db.run("INSERT INTO q VALUES ('k', 2)"))).code, 'engine/foreign-key');
  });
});

describe('constraints in a file', () => {
  async function example(): Promise<Database> {
    return shop(
      `CREATE TABLE line (n int DEFAULT 1 + 1, good int REFERENCES goods, code char(3) UNIQUE NULLS NOT DISTINCT,
         made date DEFAULT CURRENT_DATE CHECK (made >= CURRENT_DATE), up int REFERENCES line (n), UNIQUE (n),
         CHECK (CASE WHEN code LIKE 'a%' THEN n IN (1, 2, 3) ELSE coalesce(length(code), 0) < 3 END))`,
      "INSERT INTO goods VALUES (1, 'a', 1); INSERT INTO line (good, code) VALUES (1, 'abc')",
    );
  }
  const attempts = [
    "INSERT INTO goods VALUES (1, 'b', 1)",
    "INSERT INTO goods VALUES (2, 'a', 1)",
    "INSERT INTO goods VALUES (2, 'b', 0)",
    'INSERT INTO goods (id, name) VALUES (2, NULL)',
    "INSERT INTO line VALUES (3, 2, 'ab')",
    "INSERT INTO line VALUES (3, 1, 'abc')",
    "INSERT INTO line VALUES (4, 1, 'ab')",
    "INSERT INTO line VALUES (3, 1, 'abcd')",
    'INSERT INTO line VALUES (3, 1, NULL), (5, 1, NULL)',
    "INSERT INTO line VALUES (3, 1, 'b', '2024-02-28')",
    "INSERT INTO line VALUES (3, 1, 'b', DEFAULT, 7)",
    "INSERT INTO line (good, code) VALUES (1, 'b')",
  ];

  it('are the same when it is opened', async () => {
    const db = await example();
    const again = Database.open(db.save(), { clock: () => Date.UTC(2024, 1, 29, 12) });
    assert.deepEqual(again.save(), db.save());
    for (const sql of attempts) {
      const [a, b] = [await refusal(() => db.run(sql)), await refusal(() => again.run(sql))];
      assert.deepEqual([a.code, a.message], [b.code, b.message]);
    }
    await again.run("INSERT INTO line VALUES (3, 1, 'b', DEFAULT, 3)");
    assert.deepEqual((await rowsOf(again, 'line'))[1], [3, 1, 'b', '2024-02-29', 3]);
  });

  it('that read the clock are not asked of rows that passed them once', async () => {
    const later = Database.open((await example()).save(), { clock: () => Date.UTC(2024, 5, 1) });
    const error = await refusal(() => later.run("INSERT INTO line VALUES (3, 1, 'b', '2024-02-29')"));
    assert.equal(error.code, 'engine/check');
    assert.equal(later.table('line').rowCount, 1);
  });

  it('must be kept by its rows, and be constraints at all', async () => {
    const [head, ...rest] = splitSections((await example()).save());
    type Saved = { tables: { constraints: Record<string, unknown[]> }[] };
    const edited = (edit: (tables: Saved['tables']) => void) => {
      const saved = JSON.parse(new TextDecoder().decode(head)) as Saved;
      edit(saved.tables);
      return joinSections([new TextEncoder().encode(JSON.stringify(saved)), ...rest]);
    };
    Database.open(edited(() => undefined));
    const edits: ((tables: Saved['tables']) => void)[] = [
      ([, line]) => line.constraints.notNull.push(4),
      ([, line]) => line.constraints.notNull.push(5),
      ([goods]) => goods.constraints.sizes.push({ column: 1, size: { kind: 'varying', length: 0 } }),
      ([goods]) => goods.constraints.checks.push({ name: 'c', syntax: goods.constraints.defaults[0] }),
      ([goods]) => goods.constraints.checks.push({ name: 'c', syntax: { A_Const: { boolval: {} } } }),
      ([goods]) =>
        goods.constraints.checks.push({ name: 'c', syntax: { SubLink: { subLinkType: 'EXISTS_SUBLINK' } } }),
      ([goods]) => goods.constraints.checks.push({ name: 'c', syntax: { BoolExpr: { boolop: 'NOT_EXPR' } } }),
      ([goods]) => goods.constraints.checks.push({ name: 'c', syntax: { DropStmt: {} } }),
      ([goods]) => goods.constraints.checks.push({ name: 'c', syntax: 7 }),
      ([, { constraints }]) =>
        constraints.references.push({ name: 'r', columns: [0], table: 'nowhere', key: 0 }),
      ([, { constraints }]) =>
        constraints.references.push({ name: 'r', columns: [0, 1], table: null, key: 0 }),
      ([, { constraints }]) =>
        constraints.references.push({ name: 'r', columns: [0], table: 'goods', key: 0 }),
    ];
    for (const [i, edit] of edits.entries()) {
      const { code } = await refusal(() => Database.open(edited(edit)));
      assert.equal(code, 'engine/bad-file', `edit ${i}`);
    }
  });
});
