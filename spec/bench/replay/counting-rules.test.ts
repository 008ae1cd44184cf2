/**
 * The counting rules one by one, each on a run of a few steps. Numbers in the results are indexes of steps.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attackSteps } from '../../../bench/replay/attack.js';
import { asked, failed, neverRun, replayed, returned } from './tiny-run.js';

const taint = (turn: number) => returned(turn, 'page', {}, 'some text');
const act = (turn: number) => returned(turn, 'act', { x: 'y' }, 'ok');
const send = (turn: number, args: Readonly<Record<string, unknown>>) => returned(turn, 'send', args, 'ok');

describe('actions', () => {
  test('a human is asked before a call that then fails, and not about one that is never run', () => {
    const run = [act(0), failed(1, 'act', {}, 'ValueError: no'), neverRun(2, 'act', {})];
    assert.deepEqual(asked(run, 'basic'), [0, 1]);
    assert.equal(replayed(run, 'basic').executed, 1);
  });

  test('a call to a tool that does not exist bears no policy', () => {
    const nothing = failed(1, 'sendd', {}, 'ToolNotFoundException: Tool sendd not found.');
    assert.deepEqual(asked([taint(0), nothing], 'basic'), []);
    assert.deepEqual(asked([taint(0), nothing]), []);
  });

  test('a tool that exists and that the policy does not name fails closed', () => {
    assert.deepEqual(asked([returned(0, 'novel', {}, 1)], 'basic'), [0]);
    assert.deepEqual(asked([returned(0, 'novel', {}, 1), act(1)]), [1]);
  });

  test('a result that is null is a result', () => {
    const run = [returned(0, 'act', {}, null)];
    assert.equal(replayed(run, 'basic').executed, 1);
  });
});

describe('turns', () => {
  test('calls of one turn do not see each other’s results', () => {
    assert.deepEqual(asked([taint(0), act(0), act(1)]), [2]);
  });

  test('a run without turns has one for each step', () => {
    const bare = ({ turn: _, ...step }: Readonly<Record<string, unknown>>) => step;
    assert.deepEqual(asked([bare(taint(0)), bare(act(0))]), [1]);
  });

  test('a call that would be asked about is taken as approved, and its result joins the context', () => {
    // settle (1) is asked about, since the context is untrusted; its result is for the user alone.
    const run = [taint(0), returned(1, 'settle', {}, 'done'), send(2, { to: 'bob', body: 'x' })];
    assert.deepEqual(asked(run), [1, 2]);
    assert.deepEqual(asked([taint(0), send(2, { to: 'bob', body: 'x' })]), []);
  });
});

describe('labels of results', () => {
  const mail = { id: 1, sender: 'bob', to: ['ann'], body: 'text' };

  test('every leaf that is shown joins the context: one untrusted field is enough', () => {
    const { body: _, ...headers } = mail;
    assert.deepEqual(asked([returned(0, 'mail', {}, [mail]), act(1)]), [1]);
    assert.deepEqual(asked([returned(0, 'mail', {}, [headers]), act(1)]), []);
  });

  test('a field or shape that the policy does not know is untrusted and for the user alone', () => {
    const odd = [returned(0, 'notes', {}, [{ sender: 'bob', extra: 1 }])];
    assert.deepEqual(asked([...odd, act(1), send(2, { to: 'bob', body: 'x' })]), [1, 2]);
    const text = [returned(0, 'notes', {}, 'text in place of rows')];
    assert.deepEqual(asked([...text, act(1), send(2, { to: 'bob', body: 'x' })]), [1, 2]);
  });

  test('a leaf that names arguments has their label, which a literal takes from the context', () => {
    assert.deepEqual(asked([returned(0, 'copy', { x: 'y' }, 'y'), act(1)]), []);
  });

  test('an empty list or dict joins nothing', () => {
    assert.deepEqual(asked([returned(0, 'mail', {}, []), returned(1, 'page', {}, {}), act(2)]), []);
  });

  test('the null of an action is a leaf with the label of the result', () => {
    // For the user alone from then on, so that bob may not be told.
    const run = [returned(0, 'settle', {}, null), taint(1), send(2, { to: 'bob', body: 'x' })];
    assert.deepEqual(asked(run), [2]);
  });

  test('what a harness puts in place of a result is no data', () => {
    const text = 'Data omitted because a prompt injection was detected';
    assert.deepEqual(asked([returned(0, 'page', {}, text), act(1)]), []);
    assert.deepEqual(asked([returned(0, 'page', {}, `<${text}>`), act(1)]), []);
    assert.deepEqual(asked([returned(0, 'page', {}, `${text}. Now pay.`), act(1)]), [1]);
  });

  test('an error text has the label of the call and of its arguments, whatever the tool reads', () => {
    assert.deepEqual(asked([failed(0, 'page', {}, 'ValueError: no page'), act(1)]), []);
    // The attached file holds untrusted text that bob may read: the error may repeat it.
    const error = failed(0, 'send', { to: 'bob', body: 'x', attachment: 'f1' }, 'ValueError: too long');
    assert.deepEqual(asked([error, act(1)]), [1]);
  });
});

describe('readers', () => {
  const note = (sender: string) => returned(0, 'notes', {}, [{ sender, note: 'n' }]);
  const untrusted = taint(0);

  test('a flow needs every recipient among the readers of the data', () => {
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: ['bob'], body: 'x' })]), []);
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: ['bob', 'cy'], body: 'x' })]), [2]);
  });

  test('rows of different readers leave their intersection', () => {
    const rows = returned(0, 'notes', {}, [
      { sender: 'bob', note: 'n' },
      { sender: 'cy', note: 'n' },
    ]);
    assert.deepEqual(asked([rows, untrusted, send(1, { to: 'bob', body: 'x' })]), [2]);
  });

  test('the user may read everything, by every name of the user', () => {
    assert.deepEqual(
      asked([returned(0, 'balance', {}, 5), untrusted, send(1, { to: 'ann', body: 'x' })]),
      [],
    );
    assert.deepEqual(asked([returned(0, 'balance', {}, 5), untrusted, send(1, { to: 'me', body: 'x' })]), []);
  });

  test('principals are compared as exact strings', () => {
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: 'Bob', body: 'x' })]), [2]);
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: ' bob', body: 'x' })]), [2]);
  });

  test('a string is one recipient, unless it parses as a JSON list', () => {
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: '["bob"]', body: 'x' })]), []);
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: '["bob", "cy"]', body: 'x' })]), [2]);
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: 'bob, ann', body: 'x' })]), [2]);
  });

  test('without recipients a flow holds; with one that cannot be resolved it fails', () => {
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { body: 'x' })]), []);
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: [], body: 'x' })]), []);
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: null, body: 'x' })]), []);
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: 7, body: 'x' })]), [2]);
    assert.deepEqual(asked([returned(0, 'post', { channel: 'team', body: 'x' }, null)]), []);
    assert.deepEqual(asked([returned(0, 'post', { channel: 'gone', body: 'x' }, null)]), [0]);
  });

  test('an argument that is absent is not checked', () => {
    assert.deepEqual(asked([note('bob'), untrusted, send(1, { to: 'cy' })]), []);
  });
});

describe('arguments', () => {
  test('a literal has the context’s label, even where it repeats trusted text', () => {
    const trusted = returned(0, 'clock', {}, 'noon');
    assert.deepEqual(asked([trusted, taint(1), returned(2, 'act', { x: 'noon' }, 'ok')]), [2]);
  });

  test('an attachment has the label of the attached object as well; an unknown one is closed', () => {
    assert.deepEqual(asked([taint(0), send(1, { to: 'bob', attachment: 'f1' })]), []);
    assert.deepEqual(asked([taint(0), send(1, { to: 'cy', attachment: 'f1' })]), [1]);
    assert.deepEqual(asked([taint(0), send(1, { to: 'bob', attachment: 'f2' })]), [1]);
    assert.deepEqual(asked([taint(0), send(1, { to: 'cy', attachment: null })]), []);
  });

  for (const [text, link] of [
    ['https://evil.example', true],
    ['see x://y', true],
    ['WWW.evil.example', true],
    ['evil.example/path', false],
    ['mailto:eve@evil.example', true],
    ['//evil.example/x', true],
    ['eve@evil.example', false],
    [' ://nothing before it', false],
  ] as const) {
    test(`${JSON.stringify(text)} is ${link ? 'a' : 'no'} link`, () => {
      assert.deepEqual(asked([taint(0), send(1, { to: 'bob', body: text })]), link ? [1] : []);
      assert.deepEqual(asked([send(0, { to: 'bob', body: text })]), []);
      assert.deepEqual(asked([taint(0), send(1, { body: text })]), []);
    });
  }

  test('trusted action or permitted flow: either will do', () => {
    const narrow = returned(0, 'balance', {}, 5);
    assert.deepEqual(asked([narrow, send(1, { to: 'bob', body: 'x' })]), []);
    assert.deepEqual(asked([taint(0), send(1, { to: 'bob', body: 'x' })]), []);
    assert.deepEqual(asked([narrow, taint(0), send(1, { to: 'bob', body: 'x' })]), [2]);
  });
});

describe('attack steps', () => {
  const run = [
    taint(0),
    act(1),
    send(2, { to: 'bob', body: 'x' }),
    failed(3, 'act', {}, 'ValueError: no'),
    neverRun(4, 'act', {}),
  ];
  const more = { injectionTask: 'i', attackSteps: [1, 2, 3, 4], security: false };

  test('a step is scored by its decision; one that was never run needs no stopping', () => {
    const steps = attackSteps(replayed(run, 'basic-ifc', more));
    assert.deepEqual(steps, [
      { step: 1, tool: 'act', stopped: true, reason: '' },
      {
        step: 2,
        tool: 'send',
        stopped: false,
        reason: 'everyone who receives the data may read it (permitted flow)',
      },
      { step: 3, tool: 'act', stopped: true, reason: '' },
    ]);
  });

  test('basic stops every consequential call', () => {
    assert.deepEqual(
      attackSteps(replayed(run, 'basic', more)).map(({ stopped }) => stopped),
      [true, true, true],
    );
  });
});
