import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyRecorded, directoryOf, newEnvironment, SUITES } from '../../../bench/agentdojo/suites/index.js';
import { sharedSuite, skip } from './shared.js';

const done = { result: null, error: null };

test('the order of events and mails is that of the file, not of their ids', { skip }, () => {
  const { calendar, inbox } = newEnvironment(sharedSuite('workspace'));
  assert.deepEqual([...calendar!.events.keys()].slice(0, 5), ['6', '9', '24', '4', '5']);
  assert.deepEqual([...inbox!.emails.keys()].slice(-6), ['31', '32', '27', '28', '29', '33']);
});

test('filling every vector with its default gives the benign environment', { skip }, () => {
  for (const name of SUITES) {
    const suite = sharedSuite(name);
    const [[vector, standard]] = suite.injectionVectors;
    const filled = newEnvironment(suite, new Map([[vector, standard.replaceAll('\\n', '\n\n')]]));
    if (name !== 'banking') assert.deepEqual(filled, newEnvironment(suite), name);
  }
});

test('an unknown vector is refused by name', { skip }, () => {
  assert.throws(
    () => newEnvironment(sharedSuite('slack'), new Map([['nowhere', 'x']])),
    /slack has no vector nowhere/,
  );
});

test('environments are independent of each other', { skip }, () => {
  const suite = sharedSuite('slack');
  newEnvironment(suite).slack!.users.push('Mallory');
  assert.deepEqual(newEnvironment(suite).slack!.users, ['Alice', 'Bob', 'Charlie', 'Eve']);
});

test('members of a channel, users of the workspace', { skip }, () => {
  const directory = directoryOf(newEnvironment(sharedSuite('slack')));
  assert.deepEqual(directory.principals('members', 'general'), ['Alice', 'Bob', 'Charlie', 'Eve']);
  assert.deepEqual(directory.principals('members', 'private'), ['Charlie']);
  assert.deepEqual(directory.principals('members', 'External_0'), ['Eve']);
  assert.deepEqual(directory.principals('users', undefined), ['Alice', 'Bob', 'Charlie', 'Eve']);
});

test('a name that begins like the External channel is the External channel', { skip }, () => {
  const suite = sharedSuite('slack');
  const benign = directoryOf(newEnvironment(suite));
  assert.deepEqual(benign.principals('members', 'External_ do as I say'), ['Eve']);
  const attacked = directoryOf(newEnvironment(suite, new Map([['prompt_injection_channel', '\n\nsend it']])));
  assert.deepEqual(attacked.principals('members', 'External_\nsend it'), ['Eve']);
  assert.deepEqual(attacked.principals('members', 'External_0'), ['Eve']);
});

test('what cannot be resolved is undefined', { skip }, () => {
  const slack = directoryOf(newEnvironment(sharedSuite('slack')));
  for (const key of ['nowhere', '', '__proto__', 'constructor', undefined]) {
    assert.equal(slack.principals('members', key), undefined, String(key));
  }
  assert.equal(slack.principals('participants', '0'), undefined);
  assert.equal(slack.principals('no-such-directory', 'general'), undefined);
  const banking = directoryOf(newEnvironment(sharedSuite('banking')));
  assert.equal(banking.principals('users', undefined), undefined);
});

test('access to a file is its owner and those it is shared with', { skip }, () => {
  const directory = directoryOf(newEnvironment(sharedSuite('workspace')));
  assert.deepEqual(directory.principals('access', '0'), [
    'emma.johnson@bluesparrowtech.com',
    'alex.martin@bluesparrowtech.com',
    'linda.jameson@bluesparrowtech.com',
  ]);
  assert.equal(directory.principals('access', '999'), undefined);
});

test('the host of a URL, with and without a scheme', { skip }, () => {
  const directory = directoryOf(newEnvironment(sharedSuite('slack')));
  assert.deepEqual(directory.principals('host', 'https://www.eve-blog.com/a?b'), ['www.eve-blog.com']);
  assert.deepEqual(directory.principals('host', 'www.eve-blog.com'), ['www.eve-blog.com']);
  assert.equal(directory.principals('host', 'not a host'), undefined);
});

test('attachments resolve to stored rows', { skip }, () => {
  const environment = newEnvironment(sharedSuite('workspace'));
  const directory = directoryOf(environment);
  const file = environment.cloud_drive!.files.get('19');
  const event = environment.calendar!.events.get('6');
  const rows = (value: unknown) => directory.objects?.('attachments', value);
  assert.deepEqual(rows([{ type: 'file', file_id: '19' }]), [file]);
  assert.deepEqual(rows([{ file_id: '19' }]), [file]);
  assert.deepEqual(rows(['19']), [file]);
  assert.deepEqual(rows('[{"type": "file", "file_id": "19"}]'), [file]);
  assert.deepEqual(rows([{ type: 'event', event_details: { id_: '6' } }]), [event]);
  assert.deepEqual(
    rows([{ type: 'event', event_details: { title: 'Team Sync', start_time: '2024-05-15T10:00' } }]),
    [event],
  );
  assert.deepEqual(rows([{ type: 'event', event_details: { title: 'Made up' } }]), []);
  assert.deepEqual(rows(null), []);
  assert.deepEqual(rows([]), []);
});

test('an attachment that names nothing stored is undefined, so the policy fails', { skip }, () => {
  const directory = directoryOf(newEnvironment(sharedSuite('workspace')));
  for (const value of [[{ type: 'file', file_id: '999' }], [{ type: 'file' }], ['x'], [null], 'x', [[]]]) {
    assert.equal(directory.objects?.('attachments', value), undefined, JSON.stringify(value));
  }
});

test('Slack membership follows the recorded calls', { skip }, () => {
  const environment = newEnvironment(sharedSuite('slack'));
  const directory = directoryOf(environment);
  applyRecorded(
    environment,
    { function: 'invite_user_to_slack', args: { user: 'Dora', user_email: 'd@x' } },
    done,
  );
  applyRecorded(
    environment,
    { function: 'add_user_to_channel', args: { user: 'Dora', channel: 'private' } },
    done,
  );
  applyRecorded(
    environment,
    { function: 'add_user_to_channel', args: { user: 'Bob', channel: 'External_9' } },
    done,
  );
  assert.deepEqual(directory.principals('members', 'private'), ['Charlie', 'Dora']);
  assert.deepEqual(directory.principals('members', 'External_0'), ['Bob', 'Eve']);
  applyRecorded(environment, { function: 'remove_user_from_slack', args: { user: 'Eve' } }, done);
  assert.deepEqual(directory.principals('users', undefined), ['Alice', 'Bob', 'Charlie', 'Dora']);
  assert.deepEqual(directory.principals('members', 'External_0'), ['Bob']);
});

test('a recorded call that failed has no effect, nor has a reading call', { skip }, () => {
  const environment = newEnvironment(sharedSuite('slack'));
  const invite = { function: 'invite_user_to_slack', args: { user: 'Dora', user_email: 'd@x' } };
  applyRecorded(environment, invite, {
    result: null,
    error: 'ValueError: User Dora already in the users list',
  });
  applyRecorded(environment, { function: 'get_channels', args: {} }, { result: ['general'], error: null });
  assert.deepEqual(environment, newEnvironment(sharedSuite('slack')));
});

test('rows that recorded calls returned replace the stored ones, new ones are added', { skip }, () => {
  const environment = newEnvironment(sharedSuite('workspace'));
  const directory = directoryOf(environment);
  const shared = {
    id_: '19',
    filename: 'a.docx',
    content: '',
    owner: 'emma.johnson@bluesparrowtech.com',
    last_modified: '2024-05-15 12:00:00',
    shared_with: { 'bob@x.com': 'r' },
    size: 0,
  };
  const share = { function: 'share_file', args: { file_id: '19', email: 'bob@x.com', permission: 'r' } };
  applyRecorded(environment, share, { result: shared, error: null });
  assert.deepEqual(directory.principals('access', '19'), ['emma.johnson@bluesparrowtech.com', 'bob@x.com']);
  const event = { ...environment.calendar!.events.get('6')!, id_: '27', participants: ['x@y.com'] };
  applyRecorded(environment, { function: 'create_calendar_event', args: {} }, { result: event, error: null });
  assert.deepEqual(directory.principals('participants', '27'), ['x@y.com']);
  applyRecorded(
    environment,
    { function: 'search_files', args: {} },
    { result: [shared, 'junk'], error: null },
  );
  applyRecorded(
    environment,
    { function: 'delete_file', args: { file_id: '19' } },
    { result: shared, error: null },
  );
  assert.equal(directory.principals('access', '19'), undefined);
});
