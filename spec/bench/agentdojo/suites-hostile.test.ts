/** Arguments and data as an attacker or a confused model writes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  directoryOf,
  loadSuite,
  newEnvironment,
  resultText,
  SUITES,
  ToolError,
} from '../../../bench/agentdojo/suites/index.js';
import { parseOrdered } from '../../../bench/agentdojo/suites/ordered-json.js';
import { runs } from '../../runs.js';
import { sharedSuite, sharedText, skip } from './shared.js';

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ToolError, String(error));
    return error.message;
  }
  return 'not refused';
}

test('names of the prototype are users like others', { skip }, () => {
  const suite = sharedSuite('slack');
  const environment = newEnvironment(suite);
  const directory = directoryOf(environment);
  const call = (name: string, args: Record<string, unknown>) => suite.tools.get(name)!.run(environment, args);
  for (const user of ['__proto__', 'constructor', 'toString']) {
    assert.match(
      refusal(() => call('read_inbox', { user })),
      /not found in the users list/,
    );
    call('invite_user_to_slack', { user, user_email: 'a@b.com' });
    call('add_user_to_channel', { user, channel: 'private' });
    call('send_direct_message', { recipient: user, body: 'hi' });
    assert.deepEqual(call('read_inbox', { user }), [{ sender: 'bot', recipient: user, body: 'hi' }]);
    assert.ok(directory.principals('members', 'private')?.includes(user));
  }
  assert.equal(({} as { body?: unknown }).body, undefined);
});

test('a result shares nothing with the state', { skip }, () => {
  const suite = sharedSuite('workspace');
  const environment = newEnvironment(suite);
  const [file] = suite.tools.get('list_files')!.run(environment, {}) as {
    shared_with: Record<string, string>;
  }[];
  file!.shared_with['mallory@evil.com'] = 'rw';
  assert.ok(!directoryOf(environment).principals('access', '0')?.includes('mallory@evil.com'));
});

test('arguments are converted where pydantic converts and refused in its words', { skip }, () => {
  const suite = sharedSuite('banking');
  const environment = newEnvironment(suite);
  const call = (name: string, args: Record<string, unknown>) => suite.tools.get(name)!.run(environment, args);
  assert.equal((call('get_most_recent_transactions', { n: '2' }) as unknown[]).length, 2);
  assert.equal((call('get_most_recent_transactions', {}) as unknown[]).length, 5);
  assert.equal((call('get_most_recent_transactions', { n: 0, unknown: 1 }) as unknown[]).length, 5);
  assert.equal(
    refusal(() => call('get_most_recent_transactions', { n: 1.5 })),
    'ValidationError: 1 validation error for Input schema for `get_most_recent_transactions`\nn\n' +
      '  Input should be a valid integer, got a number with a fractional part ' +
      '[type=int_from_float, input_value=1.5, input_type=float]',
  );
  assert.equal(
    refusal(() => call('send_money', { recipient: 7, amount: 'ten', subject: null })),
    'ValidationError: 4 validation errors for Input schema for `send_money`\nrecipient\n' +
      '  Input should be a valid string [type=string_type, input_value=7, input_type=int]\namount\n' +
      '  Input should be a valid number, unable to parse string as a number ' +
      "[type=float_parsing, input_value='ten', input_type=str]\nsubject\n" +
      '  Input should be a valid string [type=string_type, input_value=None, input_type=NoneType]\ndate\n' +
      "  Field required [type=missing, input_value={'recipient': 7, 'amount': 'ten', 'subject': None}, input_type=dict]",
  );
  assert.match(
    refusal(() => call('schedule_transaction', { subject: 'é'.repeat(60), recurring: 'maybe' })),
    /input_value=\{'subject': 'é{6}\.\.\.', 'recurring': 'maybe'\}/,
  );
  assert.match(
    refusal(() => call('schedule_transaction', { recurring: 'maybe' })),
    /unable to interpret input \[type=bool_parsing, input_value='maybe', input_type=str\]/,
  );
  assert.deepEqual(environment, newEnvironment(suite));
});

test('addresses that are none are refused before a mail is made', { skip }, () => {
  const suite = sharedSuite('workspace');
  const environment = newEnvironment(suite);
  const send = (recipient: string) => () =>
    suite.tools.get('send_email')!.run(environment, { recipients: [recipient], subject: '', body: '' });
  for (const text of [
    '',
    'x',
    '@',
    'a@',
    '@b.com',
    'a@b',
    'a b@c.com',
    'a@b@c.com',
    'a@x.test',
    `${'a'.repeat(1e6)}@b.com`,
  ]) {
    assert.match(refusal(send(text)), /value is not a valid email address/, text.slice(0, 20));
  }
  assert.deepEqual(environment, newEnvironment(suite));
  assert.deepEqual((send('Jay@Google.COM')() as { recipients: string[] }).recipients, ['Jay@google.com']);
});

test('any JSON as an argument gives a result or a tool error, and a text to show', { skip }, () => {
  const calls = SUITES.map((name) => sharedSuite(name)).flatMap((suite) =>
    [...suite.tools.values()].map((tool) => ({ suite, tool })),
  );
  fc.assert(
    fc.property(fc.constantFrom(...calls), fc.infiniteStream(fc.jsonValue()), ({ suite, tool }, values) => {
      const environment = newEnvironment(suite);
      const args = Object.fromEntries(
        Object.keys(tool.parameters.properties).map((name) => [name, values.next().value]),
      );
      try {
        assert.equal(typeof resultText(tool, tool.run(environment, args)), 'string');
      } catch (error) {
        assert.ok(error instanceof ToolError, String(error));
      }
    }),
    { numRuns: runs(500) },
  );
});

test('a text of megabytes goes through every step', { skip }, () => {
  const suite = sharedSuite('workspace');
  const environment = newEnvironment(suite);
  const content = 'it\'s "long"\n'.repeat(2e5);
  const tool = suite.tools.get('create_file')!;
  const text = resultText(tool, tool.run(environment, { filename: 'big', content }));
  assert.ok(text.length > content.length);
  assert.equal(parseOrdered(JSON.stringify(content)), content);
});

test('ordered JSON is JSON, with its keys in order', () => {
  const plain = (value: unknown): unknown =>
    value instanceof Map
      ? Object.fromEntries(Array.from(value, ([key, item]) => [key, plain(item)]))
      : Array.isArray(value)
        ? value.map(plain)
        : value;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(plain(parseOrdered(JSON.stringify(value))), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: runs(300) },
  );
  const map = parseOrdered('{"10": 1, "9": {"b": 0, "1": 0}, "__proto__": "x\\": y"}');
  assert.ok(map instanceof Map);
  assert.deepEqual([...map.keys()], ['10', '9', '__proto__']);
});

test('a suite file of another shape is refused with the place', { skip }, () => {
  const file = JSON.parse(sharedText('suites/banking.json'));
  const broken = (change: (data: typeof file) => void) => {
    const copy = structuredClone(file);
    change(copy);
    return () => loadSuite(JSON.stringify(copy), 'banking.json');
  };
  assert.throws(
    broken((data) => delete data.tools),
    /banking\.json: tools: /,
  );
  assert.throws(
    broken((data) => (data.tools[0].name = 'fly')),
    /No code for the tool fly/,
  );
  assert.throws(
    broken((data) => (data.environmentBenign.bank_account.transactions[2].amount = '50')),
    /banking\.json: environmentBenign: bank_account\.transactions\.2\.amount: Invalid type/,
  );
  assert.throws(
    broken((data) => (data.environmentBenign.safe = {})),
    /unknown part safe/,
  );
  assert.throws(() => loadSuite('{', 'x'), SyntaxError);
});
