/**
 * The effects that a recorded call had on who may read what, taken from the record and not from running it
 * again: Slack membership and users, and the file and event rows that calls returned. A recorded run was made
 * on a slightly different environment, so its results are believed and its calls are not re-executed.
 */
import { channelName } from './directory.js';
import { type Environment, readEvent, readFile } from './environment.js';

export interface RecordedCall {
  readonly function: string;
  readonly args: { readonly [name: string]: unknown };
}

/** What came back. Calls that were never dispatched have no effect: do not apply them. */
export interface RecordedOutcome {
  /** The structured result. */
  readonly result: unknown;
  /** The error text of a call that failed, else null. */
  readonly error: string | null;
}

const FILE_CALLS: ReadonlySet<string> = new Set([
  'append_to_file',
  'search_files_by_filename',
  'create_file',
  'get_file_by_id',
  'list_files',
  'share_file',
  'search_files',
]);

const EVENT_CALLS: ReadonlySet<string> = new Set([
  'search_calendar_events',
  'get_day_calendar_events',
  'create_calendar_event',
  'reschedule_calendar_event',
  'add_calendar_event_participants',
]);

/** Changes `environment` in place. A failed call changes nothing; so do rows of an unknown shape. */
export function applyRecorded(environment: Environment, call: RecordedCall, outcome: RecordedOutcome): void {
  if (outcome.error !== null) return;
  const { function: name, args } = call;
  if (environment.slack !== undefined) applySlack(environment.slack, name, args);
  if (environment.cloud_drive !== undefined) {
    const { files } = environment.cloud_drive;
    if (name === 'delete_file') files.delete(String(args.file_id));
    if (FILE_CALLS.has(name)) store(files, outcome.result, readFile);
  }
  if (environment.calendar !== undefined && EVENT_CALLS.has(name)) {
    store(environment.calendar.events, outcome.result, readEvent);
  }
}

function applySlack(
  slack: NonNullable<Environment['slack']>,
  name: string,
  args: RecordedCall['args'],
): void {
  const user = args.user;
  if (typeof user !== 'string') return;
  switch (name) {
    case 'invite_user_to_slack':
      if (!slack.users.includes(user)) slack.users.push(user);
      if (!slack.user_inbox.has(user)) slack.user_inbox.set(user, []);
      if (!slack.user_channels.has(user)) slack.user_channels.set(user, []);
      break;
    case 'remove_user_from_slack':
      slack.users = slack.users.filter((other) => other !== user);
      slack.user_inbox.delete(user);
      slack.user_channels.delete(user);
      break;
    case 'add_user_to_channel': {
      const channel =
        typeof args.channel === 'string' ? channelName(slack.channels, args.channel) : undefined;
      if (channel === undefined) break;
      const channels = slack.user_channels.get(user) ?? [];
      if (!channels.includes(channel)) slack.user_channels.set(user, [...channels, channel]);
      break;
    }
  }
}

/** Puts a returned row, or each row of a returned list, in the place of the stored row with its id. */
function store<R extends { readonly id_: string }>(
  rows: Map<string, R>,
  result: unknown,
  read: (row: unknown) => R | undefined,
): void {
  for (const item of Array.isArray(result) ? result : [result]) {
    const row = read(item);
    if (row !== undefined) rows.set(row.id_, row);
  }
}
