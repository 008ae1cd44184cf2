/** Tasks of a user: a file in JSON, JSON lines or YAML, or one prompt. */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parse } from 'yaml';
import { AssayError } from '../../semiring/message/error.js';
import type { RunTask } from './setting.js';

const call = v.pipe(
  v.union([
    v.strictObject({ tool: v.string(), arguments: v.record(v.string(), v.unknown()) }),
    v.strictObject({ function: v.string(), args: v.record(v.string(), v.unknown()) }),
  ]),
  v.transform((given) => ('tool' in given ? given : { tool: given.function, arguments: given.args })),
);

const userTask = v.object({
  id: v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.minLength(1)),
  prompt: v.pipe(v.string(), v.minLength(1)),
  /** The calls that do the task, in order. */
  groundTruth: v.optional(v.array(call)),
  /** Which calls to make depends on what results say. */
  dataDependent: v.optional(v.boolean(), false),
  answer: v.optional(v.string(), ''),
});

/** @throws AssayError `run/tasks` with file and field; errors of the file system as they are */
export async function readTasks(path: string): Promise<RunTask[]> {
  const text = await readFile(path, 'utf8');
  const given = /\.(jsonl|ndjson)$/.test(path) ? parseLines(text, path) : parseWhole(text, path);
  const parsed = v.safeParse(v.array(userTask), Array.isArray(given) ? given : [given]);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw bad(
      `${path}: ${v.getDotPath(issue) ?? ''}: ${issue.message}; expected tasks {id, prompt, groundTruth?}`,
    );
  }
  const seen = new Set<string>();
  return parsed.output.map(({ id, prompt, groundTruth, dataDependent, answer }) => {
    if (seen.has(id)) throw bad(`${path}: there are two tasks ${JSON.stringify(id)}`);
    seen.add(id);
    return { id, prompt, ...(groundTruth && { known: { steps: groundTruth, dataDependent, answer } }) };
  });
}

/** JSON is YAML, up to rarities, but JSON's own parser gives the better message and is fast. */
function parseWhole(text: string, path: string): unknown {
  try {
    return path.endsWith('.json') ? JSON.parse(text) : parse(text);
  } catch (cause) {
    throw bad(`${path}: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
}

function parseLines(text: string, path: string): unknown[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch (cause) {
      throw bad(`${path}:${index + 1}: is not JSON`, cause);
    }
  });
}

function bad(message: string, cause?: unknown): AssayError {
  return new AssayError('run/tasks', message, { cause });
}
