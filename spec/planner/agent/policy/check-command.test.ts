import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { type CheckCommandOptions, checkCommand } from '../../../../planner/shell/entry/check-command.js';
import { exitCode } from '../../../../planner/shell/process/exit-code.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-check-'));
after(() => rmSync(folder, { recursive: true }));

async function run(files: string[], options: CheckCommandOptions = {}, input = '') {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await checkCommand(files, options, { stdin: Readable.from([input]), stdout, stderr });
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}

const right = 'user: a\ntools:\n  f(x): trusted action -> trusted\n  g(): untrusted\n';
const wrong = 'user: a\ntools:\n  f(x): trusted actoin -> trusted\n';

describe('assay check', () => {
  it('says what a policy holds where it is right', async () => {
    assert.deepEqual(await run(['-'], {}, right), {
      code: exitCode.done,
      out: '<stdin>: 2 tools, 1 of them consequential; no errors, no warnings\n',
      err: '',
    });
  });

  it('fails where it is wrong, with file, line, column and the nearest right name', async () => {
    const { code, out } = await run(['-'], {}, wrong);
    assert.equal(code, exitCode.failed);
    assert.equal(
      out,
      '<stdin>:3:9: error: tool "f": unknown rule "trusted actoin"; did you mean "trusted action"?\n' +
        '<stdin>: 1 error, no warnings\n',
    );
  });

  it('checks the others where one cannot be opened', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, wrong);
    const { code, out, err } = await run([join(folder, 'none.yaml'), file]);
    assert.equal(code, exitCode.cannotOpen);
    assert.match(out, /wrong\.yaml:3:9: error/);
    assert.match(err, /none\.yaml cannot be opened: ENOENT/);
  });

  it('holds it against the tools, and answers in JSON', async () => {
    const tools = join(folder, 'tools.json');
    writeFileSync(
      tools,
      JSON.stringify([{ name: 'f', parameters: { type: 'object', properties: { y: {} } } }]),
    );
    const { code, out } = await run(['-'], { tools, json: true }, right);
    assert.equal(code, exitCode.failed);
    const [{ policy, diagnostics }] = JSON.parse(out);
    assert.equal(policy, '<stdin>');
    assert.deepEqual(diagnostics[1], {
      severity: 'error',
      message: 'tool "f" has no argument "x"',
      line: 3,
      column: 5,
      hint: 'did you mean "y"?',
    });
  });
});
