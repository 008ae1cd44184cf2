/**
 * The collected AgentDojo policies (`policies.json`) as data: each tool of each suite with its rule, roles
 * and labels in two profiles. Only what a policy says is read; the reasons beside it are not.
 */
import * as v from 'valibot';
import { AssayError } from '../../semiring/message/error.js';

const profiled = <T extends v.GenericSchema>(value: T) => v.object({ fides: value, strict: value });
const rule = v.picklist(['none', 'PT', 'PF', 'PT_or_PF', 'PT_and_PF']);
const label = v.pipe(v.string(), v.regex(/^(T|U|join|arg:.+)$/));

const tool = v.object({
  consequential: v.boolean(),
  egress: v.boolean(),
  policy: profiled(rule),
  args: v.record(v.string(), v.object({ role: v.string(), mustBeTrusted: profiled(v.boolean()) })),
  recipients: v.optional(
    v.object({ args: v.array(v.string()), implicit: v.array(v.string()), resolver: v.string() }),
  ),
  egressData: v.optional(v.array(v.string())),
  linkCheck: v.optional(v.boolean(), false),
  result: v.object({
    shape: v.string(),
    fields: v.optional(v.record(v.string(), profiled(label))),
    value: v.optional(profiled(label)),
    readers: v.object({ rule: v.string(), expr: v.string() }),
  }),
});

const collection = v.object({
  principals: v.record(v.string(), v.object({ user: v.string() })),
  suites: v.record(v.string(), v.object({ tools: v.record(v.string(), tool) })),
});

export type Collection = v.InferOutput<typeof collection>;
export type CollectedTool = v.InferOutput<typeof tool>;
export type CollectedRule = v.InferOutput<typeof rule>;
/** A value for each profile. */
export interface Profiled<T> {
  readonly fides: T;
  readonly strict: T;
}

/** @throws AssayError `policy/collection` naming the field */
export function readCollection(text: string, source: string): Collection {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AssayError('policy/collection', `${source}: not JSON: ${reason}`, { cause: error });
  }
  const read = v.safeParse(collection, json);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new AssayError(
    'policy/collection',
    `${source}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`,
  );
}
