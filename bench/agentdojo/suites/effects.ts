/**
 * What a run did: the difference of two states as a list of effects. Ids of new rows, time stamps, sizes, the
 * log of page requests and "was read" marks are no effects, and mails that the calendar sends by itself
 * belong to the event and do not count on their own.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../engine/value/value.js';
import type { Environment } from './environment.js';
import { plain } from './tool.js';

export type Fields = Readonly<Record<string, Json>>;

export type Effect =
  /** A row that was not there: a transaction, message, mail, event, file. */
  | { readonly kind: 'added'; readonly table: string; readonly row: Fields }
  | { readonly kind: 'removed'; readonly table: string; readonly id: string }
  /** A field of a row that was there (`table/id/field`), or a value outside tables. */
  | { readonly kind: 'changed'; readonly path: string; readonly from: Json; readonly to: Json };

const IGNORED: ReadonlySet<string> = new Set(['id', 'id_', 'timestamp', 'last_modified', 'size', 'read']);

export function effects(before: Environment, after: Environment): Effect[] {
  const [old, now] = [flattened(before), flattened(after)];
  const found: Effect[] = [];
  for (const [table, rows] of now.tables) {
    const oldRows = old.tables.get(table) ?? new Map<string, Fields>();
    for (const [id, row] of rows) {
      const known = oldRows.get(id);
      if (known === undefined) {
        if (!isNotice(row)) found.push({ kind: 'added', table, row: withoutIgnored(row) });
      } else {
        found.push(...changes(`${table}/${id}`, withoutIgnored(known), withoutIgnored(row)));
      }
    }
  }
  for (const [table, rows] of old.tables) {
    const left = now.tables.get(table);
    for (const id of rows.keys()) if (!left?.has(id)) found.push({ kind: 'removed', table, id });
  }
  found.push(...changes('', Object.fromEntries(old.values), Object.fromEntries(now.values)));
  return found;
}

function changes(path: string, old: Fields, now: Fields): Effect[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names]
    .filter((name) => !isDeepStrictEqual(field(old, name), field(now, name)))
    .map((name) => ({
      kind: 'changed',
      path: `${path}/${name}`,
      from: field(old, name),
      to: field(now, name),
    }));
}

function field(fields: Fields, name: string): Json {
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}

function withoutIgnored(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !IGNORED.has(name)));
}

/** A mail with an event attached: sent by the calendar. */
function isNotice(row: Fields): boolean {
  return Array.isArray(row.attachments) && row.attachments.some((item) => typeof item === 'object');
}

interface Flat {
  readonly tables: Map<string, Map<string, Fields>>;
  readonly values: Map<string, Json>;
}

/** Rows by table and id (messages have none and are numbered), and the other values by path. */
function flattened(environment: Environment): Flat {
  const flat: Flat = { tables: new Map(), values: new Map() };
  const table = (name: string, rows: Iterable<readonly [string, object]>) => {
    flat.tables.set(name, new Map(Array.from(rows, ([id, row]) => [id, fieldsOf(row)])));
  };
  const value = (path: string, item: unknown) => flat.values.set(path, plain(item));
  const { bank_account, filesystem, user_account, slack, web, reservation, inbox, calendar, cloud_drive } =
    environment;
  if (bank_account !== undefined) {
    value('balance', bank_account.balance);
    table('transactions', byId(bank_account.transactions));
    table('scheduled_transactions', byId(bank_account.scheduled_transactions));
  }
  if (filesystem !== undefined) value('filesystem', filesystem.files);
  if (user_account !== undefined) for (const [name, item] of Object.entries(user_account)) value(name, item);
  if (slack !== undefined) {
    value('users', slack.users.toSorted());
    value('channels', slack.channels);
    for (const [user, channels] of slack.user_channels) value(`user_channels/${user}`, channels.toSorted());
    for (const [user, messages] of slack.user_inbox) table(`user_inbox/${user}`, numbered(messages));
    for (const [channel, messages] of slack.channel_inbox)
      table(`channel_inbox/${channel}`, numbered(messages));
  }
  if (web !== undefined) for (const [url, content] of web.web_content) value(`web_content/${url}`, content);
  if (reservation !== undefined) for (const [name, item] of Object.entries(reservation)) value(name, item);
  if (inbox !== undefined) {
    table('emails', inbox.emails);
    table('trash', inbox.trash);
  }
  if (calendar !== undefined) table('events', calendar.events);
  if (cloud_drive !== undefined) table('files', cloud_drive.files);
  return flat;
}

function fieldsOf(row: object): Fields {
  return Object.fromEntries(Object.entries(row).map(([name, item]) => [name, plain(item)]));
}

function byId<R extends { readonly id: number }>(rows: readonly R[]): (readonly [string, R])[] {
  return rows.map((row) => [String(row.id), row]);
}

function numbered<R extends object>(rows: readonly R[]): (readonly [string, R])[] {
  return rows.map((row, index) => [String(index), row]);
}
