/**
 * Answers that were given before, the least recently used ones forgotten, on disk if wanted. A question is
 * kept as its hash only, so the file holds answers and no input.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { LRUCache } from 'mnemonist';
import type { Answer } from '../model/answer-type.js';
import { AskError } from './ask-error.js';

// The package's only entry for `import` loads all of its forty structures, a third of the time that assay
// takes to load.
const Cache: typeof LRUCache = createRequire(import.meta.url)('mnemonist/lru-cache');

/** A checked answer, or the model's word that the data does not hold one. */
export type CachedAnswer = { readonly answer: Answer } | { readonly needsMore: true };

export interface AnswerCacheOptions {
  /** Answers kept in memory. Default 100 000. */
  readonly capacity?: number;
  /** JSON lines; made where it is missing. */
  readonly path?: string;
  /** Told about lines that cannot be read; they are skipped. Default: a process warning. */
  readonly onWarning?: (message: string) => void;
}

const version = 1;
const header = `${JSON.stringify({ answers: version })}\n`;

export class AnswerCache {
  readonly #answers: LRUCache<string, CachedAnswer>;
  readonly #path: string | undefined;

  /** @throws AskError `ask/bad-cache` where the file is something else, so that it is not appended to */
  constructor({ capacity = 100_000, path, onWarning = warn }: AnswerCacheOptions = {}) {
    this.#answers = new Cache(capacity);
    this.#path = path;
    if (path === undefined) return;
    if (!existsSync(path)) writeFileSync(path, header, { mode: 0o600 });
    else this.#load(path, capacity, onWarning);
  }

  get size(): number {
    return this.#answers.size;
  }

  /** @param key a hash */
  get(key: string): CachedAnswer | undefined {
    return this.#answers.get(key);
  }

  set(key: string, answer: CachedAnswer): void {
    this.#answers.set(key, answer);
    // One write of one line in append mode: other processes' lines stay whole.
    if (this.#path !== undefined) appendFileSync(this.#path, line(key, answer));
  }

  #load(path: string, capacity: number, onWarning: (message: string) => void): void {
    const text = readFileSync(path, 'utf8');
    const lines = text.split('\n');
    if (`${lines[0]}\n` !== header) {
      throw new AskError('ask/bad-cache', `${path}:1: not an answer cache of version ${version}`);
    }
    let dead = 0;
    for (let i = 1; i < lines.length; i += 1) {
      if (lines[i] === '') continue;
      const entry = parseEntry(lines[i]);
      if (entry === undefined) onWarning(`${path}:${i + 1}: a line that cannot be read is skipped`);
      else if (this.#answers.has(entry.key)) dead += 1;
      if (entry !== undefined) this.#answers.set(entry.key, entry.answer);
    }
    // A writer that was killed leaves half a line; the next one must not be glued to it.
    if (!text.endsWith('\n')) appendFileSync(path, '\n');
    if (lines.length > 2 * capacity || dead > capacity) this.#compact(path);
  }

  /** Rewrites the file with what memory holds, oldest first, so that it is read back in the same order. */
  #compact(path: string): void {
    const kept = [...this.#answers.entries()].reverse().map(([key, answer]) => line(key, answer));
    const fresh = `${path}.${process.pid}.tmp`;
    writeFileSync(fresh, header + kept.join(''), { mode: 0o600 });
    renameSync(fresh, path);
  }
}

function line(key: string, answer: CachedAnswer): string {
  return `${JSON.stringify({ key, ...answer })}\n`;
}

function parseEntry(text: string): { readonly key: string; readonly answer: CachedAnswer } | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, 'key')) return undefined;
  const key: unknown = Reflect.get(entry, 'key');
  if (typeof key !== 'string') return undefined;
  if (Object.hasOwn(entry, 'answer')) return { key, answer: { answer: Reflect.get(entry, 'answer') } };
  return Reflect.get(entry, 'needsMore') === true ? { key, answer: { needsMore: true } } : undefined;
}

function warn(message: string): void {
  process.emitWarning(message, 'AnswerCache');
}
