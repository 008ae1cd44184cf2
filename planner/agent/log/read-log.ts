/**
 * Reading a session's log. A last line without its end is what a killed process leaves, and is left out;
 * anything else that is not as it was written is an error with file, line and field.
 */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Label } from '../../../semiring/label/label.js';
import { AssayError } from '../../../semiring/message/error.js';
import type { SessionEvent } from '../session/event.js';
import { decodeEvent } from './event-codec.js';
import { LabelReader } from './label-table.js';
import { LogError } from './log-error.js';
import { type Header, header, writtenEvent, writtenLabel } from './written-event.js';

export interface ReadLog {
  readonly header: Header;
  readonly events: readonly SessionEvent[];
  /** By number, for the writer that goes on. */
  readonly labels: readonly Label[];
  /** The length of its whole lines. */
  readonly bytes: number;
  /** Bytes of a last line that was cut off; 0 for none. */
  readonly truncated: number;
}

/** @throws LogError `log/empty`, `log/corrupt`, `log/version`; errors of the file system as they are */
export function readLogFile(path: string): ReadLog {
  return readLog(readFileSync(path), path);
}

/** @param source its name, for messages */
export function readLog(content: Uint8Array | string, source: string): ReadLog {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const labels = new LabelReader();
  const events: SessionEvent[] = [];
  const order = new Order();
  let head: Header | undefined;
  let line = 0;
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    line += 1;
    const place = `${source}:${line}`;
    const json = parseLine(bytes.subarray(start, end), place);
    if (head === undefined) head = readHeader(json, place);
    else events.push(readEvent(json, labels, order, place));
    start = end + 1;
  }
  if (head === undefined)
    throw new LogError('log/empty', `${source} has no whole line: nothing happened yet`);
  return { header: head, events, labels: labels.all, bytes: start, truncated: bytes.length - start };
}

const newline = 10;

function parseLine(bytes: Uint8Array, place: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw corrupt(place, '', 'is not JSON', cause);
  }
}

function readHeader(json: unknown, place: string): Header {
  const parsed = v.safeParse(header, json);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? '';
  if (field !== 'version') throw corrupt(place, field, issue.message);
  throw new LogError('log/version', `${place}: version: this is no log of version 1`);
}

const line = v.looseObject({ labels: v.optional(v.array(writtenLabel)) });

function readEvent(json: unknown, labels: LabelReader, order: Order, place: string): SessionEvent {
  const declared = v.safeParse(line, json);
  if (!declared.success) throw issueAt(place, declared.issues[0]);
  const { labels: added = [], ...content } = declared.output;
  for (const label of added) labels.declare(label);
  const written = v.safeParse(writtenEvent, content);
  if (!written.success) throw issueAt(place, written.issues[0]);
  try {
    const event = decodeEvent(written.output, (number) => labels.label(number));
    order.check(event);
    return event;
  } catch (error) {
    if (error instanceof AssayError) throw corrupt(place, '', error.message, error);
    throw error;
  }
}

/** Events refer to one another: to calls by number. */
class Order {
  #calls = 0;
  readonly #dispatched = new Set<number>();
  #started = false;

  check(event: SessionEvent): void {
    if (!this.#started && event.kind !== 'started') throw outOfOrder('the first event must be started');
    this.#started = true;
    switch (event.kind) {
      case 'decided':
        this.#calls += 1;
        if (event.call !== this.#calls)
          throw outOfOrder(`call: expected ${this.#calls}, found ${event.call}`);
        break;
      case 'reviewed':
      case 'dispatched':
        if (event.call > this.#calls) throw outOfOrder(`call: there is no call ${event.call} yet`);
        if (event.kind === 'dispatched') this.#dispatched.add(event.call);
        break;
      case 'returned':
      case 'failed':
        if (!this.#dispatched.delete(event.call))
          throw outOfOrder(`call: call ${event.call} is not under way`);
    }
  }
}

function outOfOrder(what: string): AssayError {
  return new AssayError('log/order', what);
}

function issueAt(place: string, issue: v.BaseIssue<unknown>): LogError {
  return corrupt(place, v.getDotPath(issue) ?? '', issue.message);
}

function corrupt(place: string, field: string, what: string, cause?: unknown): LogError {
  const where = field === '' ? place : `${place}: ${field}`;
  return new LogError('log/corrupt', `${where}: ${what}; the log is not as it was written`, { cause });
}
