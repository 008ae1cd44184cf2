/** The shell on a pseudo-terminal, which `script` of util-linux gives; without it these tests are skipped. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { program } from '../../program.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-terminal-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const cli = [process.execPath, ...program('cli.ts')].map((word) => `'${word}'`).join(' ');
const skip =
  spawnSync('script', ['-qfc', 'true', '/dev/null']).status === 0 ? false : 'there is no script(1)';

class Terminal {
  readonly #child: ChildProcessWithoutNullStreams;
  #screen = '';
  readonly #ended: Promise<number | null>;

  constructor(args: string) {
    this.#child = spawn('script', ['-qefc', `${cli} repl --no-rc ${args}`, '/dev/null'], {
      env: { ...process.env, XDG_STATE_HOME: folder, TERM: 'xterm', PAGER: 'cat' },
    });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#screen += chunk.toString();
    });
    this.#ended = new Promise((resolve) => this.#child.on('close', resolve));
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Waits until the screen shows this after what was waited for before. */
  async shows(text: string): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const at = this.#screen.indexOf(text);
      if (at >= 0) {
        this.#screen = this.#screen.slice(at + text.length);
        return;
      }
      if (Date.now() > deadline) {
        this.#child.kill();
        assert.fail(
          `the screen never showed ${JSON.stringify(text)}, but ${JSON.stringify(this.#screen.slice(-500))}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async end(): Promise<number | null> {
    return this.#ended;
  }
}

describe('on a terminal', { skip }, () => {
  it('prompts say why input goes on; Ctrl-C drops a statement and stops a query; the history is private', async () => {
    const many = join(folder, 'many.csv');
    writeFileSync(many, `n\n${Array.from({ length: 1000 }, (_, i) => i).join('\n')}\n`);
    const terminal = new Terminal(many);
    await terminal.shows('assay> ');
    terminal.type("SELECT 'it;\r");
    await terminal.shows("    '> ");
    terminal.type("', (1\r");
    await terminal.shows('    (> ');
    terminal.type('\u0003');
    await terminal.shows('assay> ');
    terminal.type('SELECT 40\r');
    await terminal.shows('    -> ');
    terminal.type('+ 2 AS answer;\r');
    await terminal.shows('│     42 │');
    await terminal.shows('assay> ');
    // A billion pairs, in one operator.
    terminal.type('SELECT count(*) FROM many a, many b, many c WHERE a.n * b.n + c.n = -5;\r');
    await new Promise((resolve) => setTimeout(resolve, 500));
    terminal.type('\u0003');
    await terminal.shows('interrupted');
    await terminal.shows('assay> ');
    terminal.type(" SELECT 'not kept';\r");
    await terminal.shows('(1 row)');
    terminal.type('.exit 9\r');
    assert.equal(await terminal.end(), 9);
    const history = join(folder, 'assay', 'history');
    assert.equal(statSync(history).mode & 0o777, 0o600);
    const entries = readFileSync(history, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string);
    assert.equal(entries[0], 'SELECT 40\n+ 2 AS answer;');
    assert.equal(entries.length, 3);
  });
});
