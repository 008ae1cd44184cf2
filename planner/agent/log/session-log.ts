/**
 * Writing a session's log: one event a line, as it happens. The one thing to know: a line is handed to the
 * operating system before the session goes on, so it survives the end of the process; before a tool runs, and
 * after the last line, the file is also flushed to the disk, so that no effect is there of which the log
 * knows nothing. Lines since the last flush can be lost with the power; they are results and decisions of a
 * call that is then treated as cut off.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Design } from '../decision/design.js';
import { digest } from '../oversight/canonical.js';
import type { Policy } from '../policy/policy.js';
import type { SessionEvent } from '../session/event.js';
import { encodeEvent } from './event-codec.js';
import { LabelWriter } from './label-table.js';
import { lock } from './lock.js';
import { LogError } from './log-error.js';
import type { ReadLog } from './read-log.js';
import type { Header } from './written-event.js';

export interface SessionLogOptions {
  /** Texts that are never written, such as keys of the environment; `[redacted]` stands in their place. */
  readonly secrets?: readonly string[];
}

/** What a new log says about itself. */
export interface LogHead {
  readonly policy: Policy;
  readonly design: Design;
}

export class SessionLog {
  readonly path: string;
  readonly #file: number;
  readonly #labels = new LabelWriter();
  readonly #hide: (text: string) => string;
  readonly #unlock: () => void;

  private constructor(path: string, open: () => number, options: SessionLogOptions) {
    this.path = path;
    this.#unlock = lock(path);
    try {
      this.#file = open();
    } catch (error) {
      this.#unlock();
      throw error;
    }
    this.#hide = hider(options.secrets ?? []);
  }

  /**
   * Begins a log. The file must not exist; only its owner may read it.
   * @throws LogError `log/exists`, `log/in-use`; errors of the file system as they are
   */
  static create(path: string, head: LogHead, options: SessionLogOptions = {}): SessionLog {
    const log = new SessionLog(path, () => openNew(path), options);
    log.#line(headerOf(head));
    log.#flush();
    flushFolder(dirname(path));
    return log;
  }

  /**
   * Goes on with a log that was read: after its last whole line.
   * @throws LogError `log/in-use`, also where it has changed since it was read
   */
  static append(path: string, read: ReadLog, options: SessionLogOptions = {}): SessionLog {
    const log = new SessionLog(path, () => openAgain(path, read), options);
    for (const label of read.labels) log.#labels.number(label);
    log.#labels.takeDeclared();
    return log;
  }

  /** To be given to a session as its `log`. */
  readonly write = (event: SessionEvent): void => {
    const written = encodeEvent(event, (label) => this.#labels.number(label), this.#hide);
    const labels = this.#labels.takeDeclared();
    this.#line(labels.length > 0 ? { ...written, labels } : written);
    if (event.kind === 'dispatched' || event.kind === 'answered') this.#flush();
  };

  close(): void {
    this.#flush();
    closeSync(this.#file);
    this.#unlock();
  }

  #line(content: object): void {
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`, 'utf8');
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
  }

  #flush(): void {
    fdatasyncSync(this.#file);
  }
}

/** The digest of what a policy says, whatever file it came from. */
export function policyDigest(policy: Policy): string {
  return digest({ ...policy, source: '' });
}

function headerOf({ policy, design }: LogHead): Header {
  const { source, profile } = policy;
  return {
    log: 'assay session',
    version: 1,
    begun: new Date().toISOString(),
    policy: { source, ...(profile !== undefined && { profile }), digest: policyDigest(policy) },
    design: { ...design },
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'ax', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new LogError('log/exists', `${path} exists already: resume it, or write to another place`);
    }
    throw error;
  }
}

function openAgain(path: string, read: ReadLog): number {
  const size = read.bytes + read.truncated;
  if (statSync(path).size !== size) {
    throw new LogError(
      'log/in-use',
      `${path} has changed since it was read: another process goes on with it`,
    );
  }
  truncateSync(path, read.bytes);
  return openSync(path, 'a');
}

/** Makes the file's name durable; not every platform lets a folder be opened. */
function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // The name is then as durable as the platform makes it.
  }
}

/** A shorter secret would garble the text, and hides nothing. */
const shortestSecret = 8;

function hider(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  return (text) => known.reduce((safe, secret) => safe.replaceAll(secret, '[redacted]'), text);
}
