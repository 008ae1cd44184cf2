/**
 * A policy held against the tools as their server describes them. Both ways round. A name that the server
 * does not know is an error; a tool, argument or field that the policy does not know is a warning, since it
 * fails closed.
 */
import * as v from 'valibot';
import { AssayError } from '../../../semiring/message/error.js';
import { nearest } from '../../../semiring/message/nearest.js';
import type { JsonSchema } from '../../../udf/json-schema.js';
import { quote, type Report } from './diagnostic.js';
import type { Policy } from './policy.js';
import { fieldNames } from './resolve-term.js';
import type { Form, PolicySyntax, ToolSyntax } from './syntax.js';

export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; undefined: not known. */
  readonly parameters?: JsonSchema;
  /** JSON Schema of the result. */
  readonly returns?: JsonSchema;
}

const object = v.record(v.string(), v.unknown());
const tool = v.object({
  name: v.pipe(v.string(), v.minLength(1)),
  description: v.optional(v.string()),
  parameters: v.optional(object),
  returns: v.optional(object),
  inputSchema: v.optional(object),
  outputSchema: v.optional(object),
});
const file = v.union([
  v.array(tool),
  v.pipe(
    v.object({ tools: v.array(tool) }),
    v.transform(({ tools }) => tools),
  ),
]);

/**
 * Reads a list of tools: `[{ name, parameters, returns? }]`, the same under `tools`, or the answer of an MCP
 * server to `tools/list` (`inputSchema`, `outputSchema`).
 * @throws AssayError `policy/tool-schema`
 */
export function readToolSchemas(text: string, source: string): ToolSchema[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new AssayError('policy/tool-schema', `${source}: not JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const read = v.safeParse(file, json);
  if (!read.success) {
    const [issue] = read.issues;
    const where = v.getDotPath(issue) ?? 'the file';
    throw new AssayError(
      'policy/tool-schema',
      `${source}: ${where}: ${issue.message}; expected [{ name, parameters }]`,
    );
  }
  return read.output.map(({ name, description, parameters, returns, inputSchema, outputSchema }) => {
    const input = parameters ?? inputSchema;
    const output = returns ?? outputSchema;
    return {
      name,
      ...(description !== undefined && { description }),
      ...(input && { parameters: input }),
      ...(output && { returns: output }),
    };
  });
}

export function argumentsOf(
  name: string,
  schemas: readonly ToolSchema[] | undefined,
): ReadonlySet<string> | undefined {
  const parameters = schemas?.find((schema) => schema.name === name)?.parameters;
  return parameters && new Set(propertiesOf(parameters, parameters)?.keys() ?? []);
}

export function checkSchemas(
  syntax: PolicySyntax,
  policy: Policy,
  schemas: readonly ToolSchema[],
  report: Report,
): void {
  const byName = new Map(schemas.map((schema) => [schema.name, schema]));
  for (const [name, written] of syntax.base.tools) {
    const schema = byName.get(name);
    if (schema) checkTool(written, syntax, policy, schema, report);
    else report.error(written.at, `the server has no tool ${quote(name)}`, nearest(name, byName.keys()));
  }
  const missing = [...byName.keys()].filter((name) => !syntax.base.tools.has(name));
  if (missing.length > 0) {
    const names = missing.map(quote).join(', ');
    report.warning(
      0,
      `the policy does not name ${names}`,
      'they fail closed: every call needs a trusted context',
    );
  }
}

function checkTool(
  written: ToolSyntax,
  syntax: PolicySyntax,
  policy: Policy,
  schema: ToolSchema,
  report: Report,
): void {
  const what = `tool ${quote(schema.name)}`;
  const known = argumentsOf(schema.name, [schema]);
  if (known && written.arguments) {
    for (const { value, at } of written.arguments) {
      if (!known.has(value))
        report.error(at, `${what} has no argument ${quote(value)}`, nearest(value, known));
    }
    const declared = new Set(written.arguments.map(({ value }) => value));
    const missing = [...known].filter((name) => !declared.has(name)).map(quote);
    if (missing.length > 0)
      report.warning(written.at, `${what} also takes ${missing.join(', ')}`, 'declare them');
  }
  const fields = schema.returns && resultFields(schema.returns);
  const rule = policy.tools.get(schema.name)?.result.value;
  if (fields === undefined || rule?.kind !== 'fields') return;
  const at = written.result?.at ?? written.at;
  const labelled = new Set(fieldNames(rule));
  for (const name of labelled) {
    if (fields.has(name)) continue;
    const place = fieldPlace(written.result?.form, name, syntax) ?? at;
    report.error(place, `the result of ${what} has no field ${quote(name)}`, nearest(name, fields));
  }
  const silent = [...fields].filter((name) => !name.includes('.') && !labelled.has(name)).map(quote);
  if (silent.length > 0) {
    report.warning(
      at,
      `the result of ${what} also has ${silent.join(', ')}`,
      'without a label: untrusted, for the user alone',
    );
  }
}

/** Where a field is labelled: in the result itself, or in a type that it names. */
function fieldPlace(
  form: Form | undefined,
  name: string,
  syntax: PolicySyntax,
  depth = 0,
): number | undefined {
  // Types that are made of themselves have been reported.
  if (form === undefined || form.kind === 'leaf' || depth > deepestField) return undefined;
  const inner = form.kind === 'type' ? syntax.base.types.get(form.name)?.result.form : form.like;
  const own = form.kind === 'record' ? form.fields.find(({ path }) => path.join('.') === name) : undefined;
  return own?.at ?? fieldPlace(inner, name, syntax, depth + 1);
}

const deepestField = 8;

/**
 * Dotted names of the fields of a result, or of the items of a list; undefined where the schema names none.
 */
function resultFields(root: JsonSchema): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const walk = (schema: JsonSchema, prefix: string, depth: number): void => {
    for (const [name, inner] of propertiesOf(schema, root) ?? []) {
      names.add(prefix + name);
      if (depth < deepestField) walk(inner, `${prefix}${name}.`, depth + 1);
    }
  };
  walk(root, '', 0);
  return names.size === 0 ? undefined : names;
}

/** Of an object, or of the items of a list; local references are followed. */
function propertiesOf(schema: JsonSchema, root: JsonSchema): Map<string, JsonSchema> | undefined {
  let target: unknown = schema;
  for (let step = 0; step < deepestField && isObject(target) && !isObject(target.properties); step++) {
    target = typeof target.$ref === 'string' ? resolveReference(target.$ref, root) : target.items;
  }
  if (!isObject(target) || !isObject(target.properties)) return undefined;
  return new Map(
    Object.entries(target.properties).map(([name, inner]) => [name, isObject(inner) ? inner : {}]),
  );
}

function resolveReference(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let target: unknown = root;
  for (const key of reference.slice(2).split('/')) {
    target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
