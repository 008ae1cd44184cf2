/**
 * Tools from a module of the user's: its default export, or `tools`; `directory`, where the policy asks for
 * one.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import type { Directory } from '../../planner/agent/policy/policy.js';
import { AssayError } from '../../semiring/message/error.js';
import type { Tool } from '../../udf/tool.js';

export interface ToolBox {
  readonly tools: readonly Tool[];
  readonly directory?: Directory;
  close?(): Promise<void>;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

const tools = v.array(
  v.looseObject({
    name: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    description: v.string(),
    parameters: v.looseObject({}),
    effects: v.optional(v.boolean()),
    execute: v.custom<Tool['execute']>(isFunction, 'expected a function'),
  }),
);

const directory = v.custom<Directory>(
  (value) =>
    typeof value === 'object' && value !== null && 'principals' in value && isFunction(value.principals),
  'expected an object with a function principals',
);

const box = v.object({ tools, directory: v.optional(directory) });

/** @throws AssayError `run/tools` naming what is not as it should be */
export async function toolsFromModule(path: string): Promise<ToolBox> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    throw new AssayError('run/tools', `${path}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  const given = { tools: module.tools ?? module.default, directory: module.directory };
  const parsed = v.safeParse(box, given);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new AssayError('run/tools', `${path}: ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  }
  // The tools themselves, not copies: an `execute` may be a method.
  const own = parsed.output.tools.map((_, index): Tool => (given.tools as readonly Tool[])[index]);
  return { tools: own, ...(parsed.output.directory && { directory: parsed.output.directory }) };
}
