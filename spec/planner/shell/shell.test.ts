/** The shell from outside: scripts in, screens and exit codes out. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { openDatabase } from '../../../planner/shell/commands/data.js';
import { commands } from '../../../planner/shell/commands/table.js';
import { type QueryCommandOptions, queryCommand } from '../../../planner/shell/entry/query-command.js';
import { exitCode } from '../../../planner/shell/process/exit-code.js';
import { runs, thorough } from '../../runs.js';
import { captured, repl } from './capture.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-shell-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const orders = file('Orders.csv', 'id,item,price\n1,pen,2\n2,ink,5\n3,pen,\n');

function query(sql: string | undefined, options: QueryCommandOptions, input = '') {
  return captured(input, (streams) => queryCommand(sql, options, streams));
}

describe('the same script', () => {
  const script = [
    '.tables',
    'SELECT item, count(*) AS n',
    'FROM orders',
    "WHERE item <> ';'",
    'GROUP BY item ORDER BY item; .5',
    '.why 1',
    'SELECT nothing;',
    'SELECT 2;',
    '',
  ].join('\n');
  const good = script.replace(' .5', '').replace('SELECT nothing;\n', '');

  it('has the same output from a pipe, a file and an argument', async () => {
    const path = file('script.sql', good);
    const piped = await repl(good, {}, [orders]);
    const read = await repl('', { file: [path] }, [orders]);
    const argument = await repl('', { command: [good] }, [orders]);
    const dotRead = await repl(`.read '${path}'`, {}, [orders]);
    assert.equal(piped.code, exitCode.done);
    assert.match(piped.out, /pen/);
    for (const other of [read, argument, dotRead]) assert.equal(other.out, piped.out);
  });

  it('stops at the first error, or goes on where it is told to; the code says that something failed', async () => {
    const stopped = await repl('SELECT 1 AS a;\nSELECT b;\nSELECT 3 AS c;');
    assert.equal(stopped.code, exitCode.failed);
    assert.match(stopped.out, /│ a /);
    assert.doesNotMatch(stopped.out, /│ c /);
    const gone = await repl('SELECT 1 AS a;\nSELECT b;\nSELECT 3 AS c;', { keepGoing: true });
    assert.equal(gone.code, exitCode.failed);
    assert.match(gone.out, /│ c /);
  });
});

describe('errors', () => {
  it('name file, line and column, with a mark under the place and a hint', async () => {
    const path = file('bad.sql', '-- two lines\n\n  SELECT 1; SELECT\n    prize FROM orders;');
    const { err } = await repl('', { file: [path] }, [orders]);
    assert.equal(
      err,
      [
        `${path}:4:5: column prize does not exist`,
        '      prize FROM orders',
        '      ^',
        'hint: did you mean "price"?',
        '',
      ].join('\n'),
    );
  });

  it('of a command point at the word', async () => {
    const { err } = await repl('SELECT 1;\n.circuit 1 svgg');
    assert.equal(
      err,
      'input:2:12: there is no picture format "svgg"\n  .circuit 1 svgg\n             ^\nhint: did you mean "svg"?\n',
    );
  });

  it('of a command inside a file that is read name that file', async () => {
    const inner = file('inner.sql', '\n.semiring whi\n');
    const { err, code } = await repl(`.read ${inner}\nSELECT 1;`);
    assert.match(err, new RegExp(`^${inner}:2:11: `));
    assert.equal(err.split('\n').filter((line) => line.includes(':')).length, 1);
    assert.equal(code, exitCode.failed);
  });

  it('a file that reads itself is stopped', async () => {
    const path = join(folder, 'self.sql');
    writeFileSync(path, `.read ${path}\n`);
    const { err, code } = await repl(`.read ${path}`);
    assert.match(err, /16 deep/);
    assert.equal(code, exitCode.failed);
  });
});

describe('exit codes', () => {
  it('are those that the documentation lists', async () => {
    assert.equal((await repl('SELECT 1')).code, exitCode.done);
    assert.equal((await repl('SELECT nope')).code, exitCode.failed);
    assert.equal((await repl('.unknown')).code, exitCode.failed);
    assert.equal((await repl('', { mode: 'bix' })).code, exitCode.usage);
    assert.equal((await repl('', {}, [join(folder, 'missing.csv')])).code, exitCode.cannotOpen);
    assert.equal((await repl(`.read ${join(folder, 'missing.sql')}`)).code, exitCode.cannotOpen);
    assert.equal((await repl('.exit 7\nSELECT nothing;')).code, 7);
  });

  it('a decision with nobody to ask is 4', async () => {
    const policy = file(
      'policy.yaml',
      'user: ann\ntools:\n  pay(account):\n    rule: trusted action\n    trusted arguments: account\n',
    );
    const decide = (where: string) =>
      repl(`.policy ${policy}\n.decide ${where}{"tool": "pay", "arguments": {"account": "x"}}`);
    assert.equal((await decide('')).code, exitCode.done);
    const asked = await decide('in untrusted everyone: ');
    assert.equal(asked.code, exitCode.unanswered);
    assert.match(asked.out, /account is untrusted/);
  });
});

describe('assay query', () => {
  it('writes data to standard output and nothing else', async () => {
    const { out, err, code } = await query('SELECT item FROM t WHERE price > 2', {
      table: [`t=${orders}`],
      mode: 'csv',
    });
    assert.deepEqual([out, err, code], ['item\nink\n', '', exitCode.done]);
  });

  it('annotates in a semiring, as JSON', async () => {
    const { out } = await query('SELECT DISTINCT item FROM orders WHERE price IS NULL OR price < 3', {
      table: [orders],
      semiring: 'why',
      json: true,
    });
    assert.deepEqual(JSON.parse(out), [{ item: 'pen', Why: '{{orders[1]}, {orders[3]}}' }]);
  });

  it('reports errors as JSON with --json', async () => {
    const { err, out, code } = await query('SELECT\n nope', { json: true });
    const problem = JSON.parse(err) as Record<string, unknown>;
    assert.deepEqual([problem.code, problem.line, problem.column], ['sql/unknown-column', 2, 2]);
    assert.equal(out, '');
    assert.equal(code, exitCode.failed);
  });

  it('reads statements from standard input', async () => {
    const { out } = await query(undefined, { mode: 'tabs' }, 'SELECT 1 AS x;');
    assert.equal(out, 'x\n1\n');
  });
});

describe('commands', () => {
  it('have an example that the shell understands', async () => {
    for (const command of commands) {
      assert.ok(command.example.startsWith(`.${command.name}`), command.name);
      assert.ok(command.summary.length > 0 && command.summary.length < 110, command.name);
      const { out } = await repl(`.help ${command.name}`);
      assert.ok(out.includes(command.example));
    }
  });

  it('may be shortened where that is unique', async () => {
    assert.match((await repl('.tab')).out, /table/);
    assert.match((await repl('.t')).err, /\.tables and \.tensor and \.token/);
  });

  it('import with declared types, and show schemas with constraints', async () => {
    const script = [
      `.import ${orders} typed --types id=text,item=text`,
      'CREATE TABLE u (a int PRIMARY KEY, b varchar(3) NOT NULL, UNIQUE (a, b));',
      '.schema u',
    ].join('\n');
    const { out, err } = await repl(`${script}\nSELECT id FROM typed;`, { mode: 'csv' });
    assert.equal(err.includes('error'), false, err);
    assert.equal(
      out.slice(0, out.indexOf('id')),
      'table,column,type,token by,constraints\n' +
        'u,a,integer,row,"PRIMARY KEY, NOT NULL"\nu,b,varchar(3),row,NOT NULL\nu,"a, b","","",UNIQUE\n',
    );
    const wrong = await repl(`.import ${orders} typed --types item=integer`);
    assert.match(wrong.err, /row 1, column "item": .* is no integer/);
    assert.match((await repl(`.import ${orders} t --types id=integr`)).err, /did you mean "integer"/);
  });

  it('save and open a database with its tokens', async () => {
    const path = join(folder, 'saved.assay');
    const saved = await repl(`.token orders[2] as dear\n.save ${path}`, {}, [orders]);
    assert.equal(saved.err.split('\n').length, 2);
    const { out } = await repl('SELECT item FROM orders WHERE id > 1;', { mode: 'csv' }, [path]);
    assert.equal(out, 'item,N[X]\nink,dear\npen,orders[3]\n');
  });

  it('save and open what tokens mean: labels, values, names, and what rows were made from', async () => {
    const path = join(folder, 'meant.assay');
    const script = [
      ".semiring N[X]\nSELECT item FROM pairs WHERE item = 'ink';",
      '.lineage 1',
      ".semiring N\nSELECT item FROM pairs WHERE item = 'ink';",
      '.semiring labels\nSELECT item FROM orders WHERE id < 3;\nSELECT item FROM pairs;',
      '.token',
      '.label',
    ].join('\n');
    const before = await repl(
      [
        '.mode csv',
        '.token orders[2] as dear',
        '.label orders untrusted {alice}',
        '.label dear trusted',
        '.semiring N',
        '.token dear = 3',
        'CREATE TABLE pairs AS SELECT x.item, y.item AS other FROM orders AS x JOIN orders AS y ON x.id = y.id;',
        script,
        `.save ${path}`,
      ].join('\n'),
      {},
      [orders],
    );
    assert.equal(before.code, exitCode.done, before.err);
    const { out, err, code } = await repl(script, { mode: 'csv' }, [path]);
    assert.equal(code, exitCode.done, err);
    assert.equal(before.out, out);
    assert.equal(
      out,
      [
        'item,N[X]\nink,dear^2',
        '#,token,table,row,values\n1,dear,orders,2,"2, ink, 5"',
        'item,N\nink,9',
        'item,labels\npen,U {alice}\nink,T everyone\nitem,labels\npen,U {alice}\nink,T everyone\npen,U {alice}',
        'token,semiring,value\ndear,name,""\ndear,N,3',
        'what,label\norders,U {alice}\ndear,T everyone\n',
      ].join('\n'),
    );
  });

  it('know the secrets of a database that they open', async () => {
    const path = join(folder, 'secret.assay');
    await repl(`.label orders[2] trusted {alice}\n.save ${path}`, {}, [orders]);
    const { secrets } = await openDatabase(path);
    assert.equal(secrets.isIn("SELECT 'ink';"), true);
    assert.equal(secrets.isIn("SELECT 'pen';"), false);
  });

  it('write to a file, for one statement or until told otherwise', async () => {
    const once = join(folder, 'once.csv');
    const all = join(folder, 'all.csv');
    const { out } = await repl(
      `.mode csv\n.semiring off\n.once ${once}\nSELECT 1 AS a;\nSELECT 2 AS b;\n.output ${all}\nSELECT 3 AS c;\nSELECT 4 AS d;\n.output\nSELECT 5 AS e;`,
    );
    assert.equal(out, 'b\n2\ne\n5\n');
    assert.equal(readFileSync(once, 'utf8'), 'a\n1\n');
    assert.equal(readFileSync(all, 'utf8'), 'c\n3\nd\n4\n');
  });

  it('delete: aggregates, rows that go and rows that come', async () => {
    const { out } = await repl(
      ".mode csv\nSELECT item, count(*) AS n, sum(price) AS s FROM orders GROUP BY item ORDER BY item;\n.delete orders[1]\nSELECT item FROM orders WHERE id = 2 EXCEPT SELECT 'ink' FROM orders WHERE id = 1;\n.delete orders[1]\nSELECT id FROM orders;\n.delete orders[2]",
      { semiring: 'off' },
      [orders],
    );
    assert.equal(
      out,
      'item,n,s\nink,1,5\npen,2,2\nitem,n,s,then\nink,1,5,stays\npen,2 → 1,2 → NULL,changes\nitem\nitem,then\nink,comes\nid\n1\n2\n3\nid,then\n1,stays\n2,goes\n3,stays\n',
    );
  });

  it('delete: filters over aggregates, expressions of them, and LIMIT, as the query run again has them', async () => {
    const deletions = async (sql: string, tokens: string) =>
      (await repl(`.mode csv\n${sql};\n.delete ${tokens}`, { semiring: 'off' }, [orders])).out
        .split('\n')
        .filter((line) => /,(stays|goes|comes|changes)$/.test(line));
    const cases: readonly (readonly [string, string, readonly string[]])[] = [
      ['SELECT item FROM orders GROUP BY item HAVING count(*) > 1', 'orders[1]', ['pen,goes']],
      ['SELECT sum(price) + 1 AS x FROM orders', 'orders[2]', ['8 → 3,changes']],
      ['SELECT count(*) AS n FROM (SELECT DISTINCT item FROM orders) q', 'orders[1]', ['2,stays']],
      ['SELECT id FROM orders ORDER BY price DESC NULLS LAST LIMIT 1', 'orders[2]', ['2,goes', '1,comes']],
      [
        'SELECT id, (SELECT count(*) FROM orders o WHERE o.item = p.item) AS n FROM orders p WHERE id < 3',
        'orders[3]',
        ['1,2 → 1,changes', '2,1,stays'],
      ],
    ];
    for (const [sql, tokens, rows] of cases) assert.deepEqual(await deletions(sql, tokens), rows, sql);
    const { err } = await repl('SELECT id FROM orders;\n.delete orders[*]', {}, [orders]);
    assert.match(err, /orders\[\*\] stands for who may add or remove rows/);
  });

  it('tensor: which input gave an aggregate which value', async () => {
    const grouped =
      '.mode csv\nSELECT item, count(*) AS n, sum(price) AS s FROM orders GROUP BY item ORDER BY item;\n';
    const { out } = await repl(`${grouped}.tensor 2\n.tensor 1 s`, { semiring: 'off' }, [orders]);
    assert.match(
      out,
      /column,value,aggregate,tensor\nn,2,count,1 ⊗ orders\[1\] \+ 1 ⊗ orders\[3\]\ns,2,sum,2 ⊗ orders\[1\]\n/,
    );
    assert.match(out, /column,value,aggregate,tensor\ns,5,sum,5 ⊗ orders\[2\]\n/);
    for (const [line, message] of [
      ['.tensor 3', /there is no row "3"/],
      ['.tensor 1 item', /column "item" is not the value of an aggregate.*select the aggregate itself/],
      ['.tensor 1 x', /the result has no column "x"\n(.*\n)*hint: its columns are item, n, s/],
    ] as const)
      assert.match((await repl(grouped + line, {}, [orders])).err, message);
    const { err } = await repl('SELECT sum(price) + 1 AS x FROM orders;\n.tensor 1', {}, [orders]);
    assert.match(
      err,
      /no column of this row is the value of an aggregate\n(.*\n)*hint: select the aggregate itself/,
    );
  });

  it('trust: what a label would change, and the fewest inputs to endorse', async () => {
    const script =
      '.mode csv\n.label orders trusted\n.label orders[2] untrusted\nSELECT x.id, y.id AS other FROM orders x JOIN orders y ON y.id = x.id + 1;\n.trust\n.trust orders[2]';
    const { out } = await repl(script, { semiring: 'off' }, [orders]);
    assert.match(out, /1,2,U,U,1: orders\[2\]\n2,3,U,U,1: orders\[2\]\n/);
    assert.match(out, /1,2,U → T,U → T\n/);
  });

  it('probability and shapley: how likely a row is, and what it owes that to', async () => {
    const script =
      '.mode csv\n.semiring viterbi\n.token orders = 0.5\nSELECT item FROM orders GROUP BY item ORDER BY item;\n.probability\n.probability 2\n.shapley 2\n.shapley 2 orders[1]\n.probability 9';
    const { out, err } = await repl(script, {}, [orders]);
    // Two pens: 1 - 0.5 · 0.5.
    assert.match(out, /\n#,item,probability\n1,ink,0\.5\n2,pen,0\.75\n#,item,probability\n2,pen,0\.75\n/);
    assert.match(out, /\ntoken,Shapley value\norders\[1\],0\.5\norders\[3\],0\.5\n/);
    // With the first pen given, the second adds nothing.
    assert.match(out, /\ntoken,Shapley value\norders\[3\],0\n/);
    assert.match(err, /there is no row "9"/);
    const certain = await repl('SELECT item FROM orders;\n.probability 1', {}, [orders]);
    assert.match(certain.out + certain.err, /every token is certain/);
  });

  it('a long annotation is folded with a count, never cut without a word', async () => {
    const many = file('many.csv', `n\n${Array.from({ length: 40 }, (_, i) => i).join('\n')}\n`);
    const { out } = await repl(
      'SELECT DISTINCT 1 AS one FROM many;\n.show lin\n.show why\n.fold 100\n.show lin',
      { mode: 'csv' },
      [many],
    );
    assert.match(out, /… 28 more monomials/);
    assert.match(out, /… 28 more tokens/);
    assert.match(out, /… 28 more witnesses/);
    assert.match(out, /many\[40\]\}/);
    const relations = thorough ? ['a', 'b', 'c', 'd'] : ['a', 'b', 'c'];
    const huge = await repl(
      `SELECT DISTINCT 1 AS one FROM ${relations.map((name) => `many ${name}`).join(', ')};\n.show why`,
      { mode: 'csv' },
      [many],
    );
    const derivations = (40 ** relations.length).toLocaleString('en-US');
    assert.ok(huge.out.includes(`… up to ${derivations} monomials in all`), huge.out);
    assert.ok(huge.out.includes(`… up to ${derivations} derivations: too many to list in Why`), huge.out);
  });
});

describe('any bytes as input', () => {
  const fragments = fc.constantFrom(
    ...commands.map((command) => `.${command.name} `),
    'SELECT ',
    "'",
    '"',
    '(',
    '--',
    '/*',
    '$$',
    ';',
    '\n',
    '\r\n',
    '\0',
    '\u001b[2J',
    '\u202e',
    ' 1',
    ' FROM orders',
    'a',
    '{',
    '[',
    '*',
    '1 ',
    '-',
    '= ',
    'as ',
    '\ud800',
    'é',
    '\u{1f600}',
    'x'.repeat(2000),
  );
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const text = fc.array(fragments, { maxLength: 30 }).map((parts) => Buffer.from(parts.join('')));
  /** The exit code is the script's own: `.quit 1`. */
  const leaves = /\.(?:exit?|q(?:u(?:it?)?)?)\s+\d/;
  // Commands that write files are tried with paths of their own elsewhere.
  const writes = /\.(?:sa|outp|onc|ci|ti)/;

  it('never crash the shell, and every error names its place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, text), async (input) => {
        fc.pre(!writes.test(input.toString()));
        const { code, out, err } = await repl(input, { keepGoing: true }, [orders]);
        assert.ok(Number.isInteger(code) && code >= 0 && code < 256);
        assert.doesNotMatch(err + out, /defect of assay/);
        assert.doesNotMatch((err + out).replaceAll('\n', ''), /[\p{C}\p{Default_Ignorable_Code_Point}]/u);
        const chosen = leaves.test(input.toString());
        if (code === exitCode.failed && !chosen) assert.match(err, /^\S+:\d+:\d+: /m);
      }),
      { numRuns: runs(150) },
    );
  });

  it('a file name with a NUL is a file that cannot be opened', async () => {
    const { code, err } = await repl('.policy \0', {}, [orders]);
    assert.equal(code, exitCode.cannotOpen);
    assert.match(err, /^input:1:1: /);
  });

  it('lines of a megabyte are no trouble', async () => {
    for (const line of [
      `SELECT '${'x'.repeat(1_000_000)}';`,
      `SELECT ${'1+'.repeat(300)}1;`,
      `.${'x'.repeat(1_000_000)}`,
      `.help ${"'".repeat(999_999)}`,
      'x'.repeat(1_000_000),
      `.decide ${'['.repeat(1_000_000)}`,
      `.token ${'a'.repeat(500_000)} as ${'b'.repeat(500_000)}`,
    ]) {
      const { err, out } = await repl(line, { keepGoing: true }, [orders]);
      assert.ok(err.length + out.length < 20_000);
      assert.doesNotMatch(err, /defect of assay/);
    }
  });
});
