/**
 * A tool as an agent calls it. Its name, description, schema and result shape are the suite file's, its code
 * is ours; a result is plain JSON and shares nothing with the state.
 */
import * as v from 'valibot';
import type { Json } from '../../../engine/value/value.js';
import { checkArguments, type Parameters, parameters } from './arguments.js';
import type { Environment } from './environment.js';
import { BenchError } from './error.js';
import { Call } from './tools/implementation.js';
import { IMPLEMENTATIONS } from './tools/index.js';

/** The time of every new mail and file, in the recorded ground truth and here. */
export const CLOCK = '2024-05-15 12:00:00';

export interface Field {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean`, `datetime`, `string[]`, `(string|CalendarEvent)[]`, … */
  readonly type: string;
}

const field = v.object({ name: v.string(), type: v.string() });

const returns = v.object({
  shape: v.picklist(['dict', 'list', 'str', 'number', 'null']),
  type: v.string(),
  textFormat: v.picklist(['yaml', 'python-repr', 'python-str']),
  /** Of the object or of each row. */
  fields: v.optional(v.array(field)),
  /** Types named inside fields. */
  nested: v.optional(v.record(v.string(), v.array(field))),
});

export type Returns = v.InferOutput<typeof returns>;

export const toolEntry = v.object({
  name: v.string(),
  description: v.string(),
  docstring: v.string(),
  parameters,
  returns,
  mutates: v.boolean(),
});

export interface Tool {
  readonly name: string;
  /** What the model sees. */
  readonly description: string;
  readonly docstring: string;
  readonly parameters: Parameters;
  readonly returns: Returns;
  /** Whether a call changes the environment; not whether it is dangerous. */
  readonly mutates: boolean;
  /**
   * Runs the call, changing `environment` in place.
   *
   * @param now The time of new mails and files, `YYYY-MM-DD HH:MM:SS`.
   * @throws ToolError What the agent reads, `Type: message`.
   */
  run(environment: Environment, args: Readonly<Record<string, unknown>>, now?: string): Json;
}

/** @throws BenchError `bench/unknown-tool` for a tool that has no code here. */
export function makeTool(entry: v.InferOutput<typeof toolEntry>): Tool {
  const implementation = IMPLEMENTATIONS.get(entry.name);
  if (implementation === undefined) {
    throw new BenchError(
      'bench/unknown-tool',
      `No code for the tool ${entry.name}; ${IMPLEMENTATIONS.size} are known`,
    );
  }
  return {
    ...entry,
    run(environment, args, now = CLOCK) {
      const checked = checkArguments(entry.name, entry.parameters, args);
      return plain(implementation(new Call(environment, checked, now)));
    },
  };
}

/** A copy in plain JSON: maps become objects. */
export function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, item]) => [key, plain(item)]));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}
