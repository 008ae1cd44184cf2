/**
 * The README's commands and programs, run for real. A program imports `assay` as a user would, so it runs on
 * the built package.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const inRoot = { cwd: root, maxBuffer: 1 << 26 };
const run = promisify(execFile);

const outputs = new Map<string, Promise<string>>();

/** What a command of the README prints; one that is asked for twice is run once. */
function outputOf(command: string): Promise<string> {
  const started = outputs.get(command) ?? run('sh', ['-c', command], inRoot).then(({ stdout }) => stdout);
  outputs.set(command, started);
  return started;
}

/** The blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text]) =>
    name === language ? [text] : [],
  );
}

/** Commands that install or run all tests are not for inside a test. */
const setUp = /^npm (ci|test)\b/;

const commands = blocks('sh')
  .flatMap((block) => block.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, ''))
  .filter((line) => line !== '');

describe('the README', () => {
  const runnable = commands.filter((line) => !setUp.test(line) || line.includes('npm start'));

  test('shows the two set-up commands first', () => {
    assert.deepEqual(commands.slice(0, 2), ['npm ci && npm start', 'npm test']);
  });

  for (const line of runnable) {
    const command = line.replace('npm ci && ', '');
    test(`command: ${command.slice(0, 100)}`, async () => {
      assert.notEqual((await outputOf(command)).trim(), '');
    });
  }

  test('the table of npm start is what it prints', async () => {
    const stdout = await outputOf('npm start');
    const [, table] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];
    const rows = (table ?? '').trim().split('\n').slice(1);
    assert.equal(rows.length, 4);
    for (const row of rows) {
      const [design, runs, done, load, tcr0] = row.split(/\s+/);
      assert.match(
        stdout,
        new RegExp(`all +all +${design} +${runs} +${done} +${load} +${tcr0.replace('.', '\\.')}`),
      );
    }
  });
});

describe('programs of the README', {
  skip: existsSync(`${root}dist/index.js`) ? false : 'build first',
}, () => {
  const folder = `${root}dist/readme`;
  before(() => mkdir(folder, { recursive: true }));

  const printed = [/#tool-result-1#\n.*not made[\s\S]*It says: Pay 98\.70/, /orders\[1\][\s\S]*\[ 2, 1 \]/];
  for (const [index, program] of blocks('ts').entries()) {
    test(`program ${index + 1}`, async () => {
      const file = `${folder}/program-${index + 1}.ts`;
      await writeFile(file, program);
      const { stdout } = await run('npx', ['tsx', file], { cwd: root });
      assert.match(stdout, printed[index]);
    });
  }
});
