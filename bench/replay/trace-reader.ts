/**
 * Reads trace files: JSON lines, gzipped or not, from files, folders or standard input. A bad line is
 * reported and skipped, a file that breaks off is read up to the break; nothing is silently lost.
 */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type RecordedRun, recordedRun } from './recorded-run.js';

/** Something that is wrong with the input, and where. */
export interface InputProblem {
  readonly file: string;
  /** From 1; absent where the file as a whole is meant. */
  readonly line?: number;
  /** Path of the field in the line's JSON. */
  readonly field?: string;
  readonly message: string;
  /** The file could not be opened at all. */
  readonly unopened?: boolean;
}

export interface ReadRun {
  readonly run: RecordedRun;
  readonly file: string;
  readonly line: number;
}

/** The longest line that is taken: a longer one is a problem, not a crash. */
const longestLine = 256 * 1024 * 1024;

/**
 * All runs of `sources` (files, folders of `.jsonl` and `.jsonl.gz`, `-` for `input`), in order.
 * @param report called for each problem; reading goes on behind it
 */
export async function* readRuns(
  sources: readonly string[],
  input: AsyncIterable<Uint8Array | string>,
  report: (problem: InputProblem) => void,
): AsyncGenerator<ReadRun> {
  for (const source of sources) {
    if (source === '-') {
      yield* readFile('<stdin>', input, report);
      continue;
    }
    for (const file of await traceFiles(source, report)) {
      yield* readFile(file, createReadStream(file), report);
    }
  }
}

/** The trace files that a path names. */
export async function traceFiles(path: string, report: (problem: InputProblem) => void): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => /\.jsonl(\.gz)?$/.test(name)).sort();
    if (names.length === 0) report({ file: path, message: 'the folder holds no .jsonl or .jsonl.gz file' });
    return names.map((name) => join(path, name));
  } catch (error) {
    report({ file: path, message: `cannot be opened: ${reason(error)}`, unopened: true });
    return [];
  }
}

async function* readFile(
  file: string,
  stream: AsyncIterable<Uint8Array | string>,
  report: (problem: InputProblem) => void,
): AsyncGenerator<ReadRun> {
  let line = 0;
  try {
    for await (const text of lines(stream)) {
      line += 1;
      if (text.trim() === '') continue;
      const run = parseLine(text, file, line, report);
      if (run) yield { run, file, line };
    }
  } catch (error) {
    if (line === 0 && isSystemError(error) && error.syscall === 'open') {
      report({ file, message: `cannot be opened: ${reason(error)}`, unopened: true });
    } else {
      report({ file, line: line + 1, message: `breaks off after ${line} lines: ${reason(error)}` });
    }
  }
}

function parseLine(
  text: string,
  file: string,
  line: number,
  report: (problem: InputProblem) => void,
): RecordedRun | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    report({ file, line, message: `is no JSON: ${reason(error)}` });
    return undefined;
  }
  const run = recordedRun(value);
  if (!('steps' in run)) {
    for (const { path, message } of run) report({ file, line, field: path, message });
    return undefined;
  }
  return run;
}

/** Lines of a stream of bytes, unzipped where it begins as gzip does. */
async function* lines(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let pending: string[] = [];
  let length = 0;
  for await (const chunk of unzipped(stream)) {
    let text = decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      pending.push(text.slice(0, end));
      yield pending.join('');
      pending = [];
      length = 0;
      text = text.slice(end + 1);
    }
    pending.push(text);
    length += text.length;
    if (length > longestLine) throw new Error(`a line is longer than ${longestLine} characters`);
  }
  const rest = pending.join('') + decoder.decode();
  if (rest !== '') yield rest;
}

async function* unzipped(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const head = toBytes(first.value);
  const all = async function* () {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield toBytes(next.value);
  };
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  const zipped = Readable.from(all());
  zipped.on('error', (error) => gunzip.destroy(error));
  for await (const chunk of zipped.pipe(gunzip)) yield toBytes(chunk);
}

function toBytes(chunk: Uint8Array | string): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
