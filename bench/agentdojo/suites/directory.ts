/**
 * What a policy asks the host about an AgentDojo environment: who is in a channel, who may open a file, which
 * row an attachment is. A directory reads the environment live, so its answers follow the state at the moment
 * of asking; what cannot be resolved is `undefined`, and the policy then fails closed.
 *
 * Principals: `users()`, `members(channel)`, `participants(event id)`, `access(file id)`, `host(url)`.
 * Objects: `attachments(list)`, `file(id)`, `event(id)`.
 */
import type { Directory } from '../../../planner/agent/policy/policy.js';
import type { Principal } from '../../../semiring/label/label.js';
import type { CalendarEvent, CloudDriveFile, Environment } from './environment.js';

/** Attack text stands in the name of the External channel, so it is known by how it begins. */
const EXTERNAL = 'External_';

export function directoryOf(environment: Environment): Directory {
  return {
    principals: (directory, key) => principals(environment, directory, key),
    objects: (directory, value) => objects(environment, directory, value),
  };
}

function principals(
  environment: Environment,
  directory: string,
  key: string | undefined,
): readonly Principal[] | undefined {
  if (directory === 'users') return environment.slack && [...environment.slack.users];
  if (key === undefined) return undefined;
  switch (directory) {
    case 'members':
      return members(environment, key);
    case 'participants':
      return environment.calendar?.events.get(key)?.participants.slice();
    case 'access': {
      const file = environment.cloud_drive?.files.get(key);
      return file && [file.owner, ...file.shared_with.keys()];
    }
    case 'host':
      return host(key);
    default:
      return undefined;
  }
}

/** Users in the channel; undefined where there is no such channel. */
function members(environment: Environment, channel: string): Principal[] | undefined {
  const { slack } = environment;
  const name = slack && channelName(slack.channels, channel);
  if (slack === undefined || name === undefined) return undefined;
  const inside: Principal[] = [];
  for (const [user, channels] of slack.user_channels) {
    if (channels.some((other) => channelName(slack.channels, other) === name)) inside.push(user);
  }
  return inside;
}

/** The channel's own key: the name itself, or the one External channel for any name that starts like it. */
export function channelName(channels: readonly string[], name: string): string | undefined {
  if (channels.includes(name)) return name;
  return name.startsWith(EXTERNAL) ? channels.find((channel) => channel.startsWith(EXTERNAL)) : undefined;
}

/** The server that a request to this URL reaches; a URL without a scheme is read as http. */
function host(url: string): Principal[] | undefined {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  return URL.canParse(absolute) ? [new URL(absolute).host] : undefined;
}

function objects(
  environment: Environment,
  directory: string,
  value: unknown,
): readonly unknown[] | undefined {
  switch (directory) {
    case 'attachments':
      return attachments(environment, value);
    case 'file':
      return row(environment.cloud_drive?.files, value);
    case 'event':
      return row(environment.calendar?.events, value);
    default:
      return undefined;
  }
}

/**
 * The stored rows that a list of attachments names: `{file_id}` a file, `{event_details}` the event that has
 * the id given there, or the same title and start. Event details that are no stored event are text of the
 * argument and have its label, so they add no row. Models also pass the list as JSON text, and a bare id for
 * a file.
 */
function attachments(environment: Environment, value: unknown): readonly unknown[] | undefined {
  const list = parsed(value);
  if (list === null || list === undefined || list === '') return [];
  const rows: unknown[] = [];
  for (const item of Array.isArray(list) ? list : [list]) {
    const found = attached(environment, item);
    if (found === undefined) return undefined;
    rows.push(...found);
  }
  return rows;
}

function attached(environment: Environment, item: unknown): readonly unknown[] | undefined {
  if (!isObject(item)) return row(environment.cloud_drive?.files, item);
  if (Object.hasOwn(item, 'event_details')) {
    const event = storedEvent(environment, item.event_details);
    return event && [...event];
  }
  return row(environment.cloud_drive?.files, item.file_id);
}

function storedEvent(environment: Environment, details: unknown): readonly CalendarEvent[] | undefined {
  const event = parsed(details);
  if (!isObject(event)) return undefined;
  const byId = row(environment.calendar?.events, event.id_);
  if (byId !== undefined) return byId;
  const same = [...(environment.calendar?.events.values() ?? [])].filter(
    (stored) => stored.title === event.title && minute(stored.start_time) === minute(event.start_time),
  );
  return same;
}

/** To the minute, with a blank for the `T`: models write times either way. */
function minute(time: unknown): string | undefined {
  return typeof time === 'string' ? time.replace('T', ' ').slice(0, 16) : undefined;
}

function row<R extends CloudDriveFile | CalendarEvent>(
  rows: ReadonlyMap<string, R> | undefined,
  id: unknown,
): readonly R[] | undefined {
  const key = typeof id === 'number' ? String(id) : id;
  const found = typeof key === 'string' ? rows?.get(key) : undefined;
  return found && [found];
}

/** JSON text of an array or object is read, anything else stays as it is. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
