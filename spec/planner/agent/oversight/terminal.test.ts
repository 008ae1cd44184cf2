/** The question on a terminal: what approves, and all that does not. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ApprovalRequest,
  askOnTerminal,
  digestOf,
  type Subject,
} from '../../../../planner/agent/oversight/index.js';

const subject: Subject = { kind: 'endorsement', session: 's-1', call: 'call-1', variables: [] };

function terminal() {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  const oversight = askOnTerminal({ input, output, width: 60 });
  const ask = (id = 'approval-1', signal = new AbortController().signal) => {
    const request: ApprovalRequest = { id, subject, digest: digestOf(subject), evidence: {}, expires: 0 };
    return oversight.review(request, signal);
  };
  return { input, ask, screen: () => String(output.read() ?? '') };
}

async function answered(text: string): Promise<string> {
  const { input, ask } = terminal();
  const decision = ask();
  await wait(1);
  input.write(text);
  return decision;
}

describe('askOnTerminal', () => {
  it('approves on y and yes alone', async () => {
    for (const yes of ['y\n', 'YES\n', ' y \r\n']) assert.equal(await answered(yes), 'approve');
    for (const no of [
      '\n',
      'n\n',
      'ye\n',
      'yes please\n',
      'yy\n',
      '\x1by\n',
      '1\n',
      `${'y'.repeat(5000)}\n`,
      'у\n',
    ]) {
      assert.equal(await answered(no), 'deny', JSON.stringify(no));
    }
  });

  it('reads an answer that comes in pieces', async () => {
    const { input, ask } = terminal();
    const decision = ask();
    await wait(1);
    for (const piece of ['y', 'e', 's', '\n']) {
      input.write(piece);
      await wait(1);
    }
    assert.equal(await decision, 'approve');
  });

  it('denies at the end of input, before and after the question', async () => {
    const { input, ask } = terminal();
    const decision = ask();
    await wait(1);
    input.end('y');
    assert.equal(await decision, 'deny');
    assert.equal(await ask('approval-2'), 'deny');
  });

  it('denies on an error of the input and on an abort', async () => {
    const broken = terminal();
    const first = broken.ask();
    await wait(1);
    broken.input.destroy(new Error('gone'));
    assert.equal(await first, 'deny');
    const { ask } = terminal();
    const stop = new AbortController();
    const stopped = ask('approval-1', stop.signal);
    await wait(1);
    stop.abort();
    assert.equal(await stopped, 'deny');
    assert.equal(await ask('approval-2', AbortSignal.abort()), 'deny');
  });

  it('does not take for an answer what was typed before the question', async () => {
    const { input, ask } = terminal();
    input.write('y\ny\n');
    await wait(1);
    const decision = ask();
    await wait(5);
    input.write('n\n');
    assert.equal(await decision, 'deny');
  });

  it('asks parallel requests one after the other', async () => {
    const { input, ask, screen } = terminal();
    const both = [ask('approval-1'), ask('approval-2')];
    await wait(1);
    const first = screen();
    assert.match(first, /approval-1/);
    assert.doesNotMatch(first, /approval-2/);
    input.write('y\ny\n');
    await wait(5);
    assert.match(screen(), /approved\n┌─ approval-2/);
    input.write('\n');
    assert.deepEqual(await Promise.all(both), ['approve', 'deny']);
  });
});
