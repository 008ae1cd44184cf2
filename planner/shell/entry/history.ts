/**
 * The history: entries of one or more lines, the newest last. The file is for its owner only (mode 0600), one
 * entry a line as JSON text, and what is not to be kept is decided before it is written.
 */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Entries that the file keeps. */
export const mostEntries = 2000;
/** A longer entry is pasted data rather than something to type again. */
const longestEntry = 20_000;

export class History {
  /** Undefined: nothing is read or written. */
  readonly #path: string | undefined;
  #entries: string[] = [];

  constructor(path: string | undefined) {
    this.#path = path;
    if (path !== undefined) this.#entries = readEntries(path);
  }

  /** Newest last. */
  get entries(): readonly string[] {
    return this.#entries;
  }

  /**
   * Keeps an entry. A leading blank keeps it out, and so does `isSecret`.
   * @returns whether it was kept
   */
  add(entry: string, isSecret: (text: string) => boolean = () => false): boolean {
    if (/^\s/.test(entry) || entry === '' || entry.length > longestEntry || isSecret(entry)) return false;
    if (this.#entries.at(-1) === entry) return true;
    this.#entries.push(entry);
    if (this.#path !== undefined) append(this.#path, entry);
    return true;
  }

  /** Leaves the newest entries in the file. */
  close(): void {
    if (this.#path === undefined || this.#entries.length <= mostEntries) return;
    // Another shell may have written meanwhile: its entries are in the file.
    const kept = readEntries(this.#path).slice(-mostEntries);
    const fresh = `${this.#path}.${process.pid}`;
    try {
      writeFileSync(fresh, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
      renameSync(fresh, this.#path);
    } catch {
      // The history is a convenience: a full disk must not end a session with an error.
    }
  }
}

function readEntries(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === 'string' ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function append(path: string, entry: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    // The mode above counts only for a new file.
    chmodSync(path, 0o600);
  } catch {
    // As in close.
  }
}
