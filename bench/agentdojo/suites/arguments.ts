/**
 * A call's arguments held to the tool's JSON schema, with the conversions and the words of pydantic, which
 * AgentDojo uses: `"7"` passes for an integer, a string never for a list, unknown arguments are dropped.
 */
import * as v from 'valibot';
import { pythonRepr } from './python-repr.js';
import { ToolError } from './tools/tool-error.js';

/** The subset of JSON schema that the tools use. */
export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly $ref?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

export interface Parameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly $defs: Readonly<Record<string, Schema>>;
}

export const schema: v.GenericSchema<unknown, Schema> = v.lazy(() =>
  v.objectWithRest(
    {
      type: v.optional(v.string()),
      anyOf: v.optional(v.array(schema)),
      enum: v.optional(v.array(v.string())),
      items: v.optional(schema),
      $ref: v.optional(v.string()),
      description: v.optional(v.string()),
    },
    v.unknown(),
  ),
);

export const parameters: v.GenericSchema<unknown, Parameters> = v.object({
  type: v.literal('object'),
  properties: v.record(v.string(), schema),
  required: v.optional(v.array(v.string()), []),
  $defs: v.optional(v.record(v.string(), schema), {}),
});

interface Problem {
  readonly path: string;
  readonly text: string;
  readonly kind: string;
  readonly input: unknown;
}

/**
 * @returns One entry an argument of the schema; an argument that is not given has its default.
 * @throws ToolError `ValidationError` that lists every problem.
 */
export function checkArguments(
  tool: string,
  { properties, required, $defs }: Parameters,
  args: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  const problems: Problem[] = [];
  const checked = new Map<string, unknown>();
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(args, name)) {
      checked.set(name, convert(args[name], property, $defs, name, problems));
    } else if (required.includes(name)) {
      problems.push({ path: name, text: 'Field required', kind: 'missing', input: args });
    } else {
      checked.set(name, property.default ?? null);
    }
  }
  if (problems.length > 0) throw validationError(tool, problems);
  return checked;
}

function validationError(tool: string, problems: readonly Problem[]): ToolError {
  const errors = problems.length === 1 ? '1 validation error' : `${problems.length} validation errors`;
  const lines = problems.map(
    ({ path, text, kind, input }) =>
      `${path}\n  ${text} [type=${kind}, input_value=${shortened(pythonRepr(input))}, input_type=${typeName(input)}]`,
  );
  return new ToolError(
    'ValidationError',
    [`${errors} for Input schema for \`${tool}\``, ...lines].join('\n'),
  );
}

function convert(
  value: unknown,
  property: Schema,
  definitions: Parameters['$defs'],
  path: string,
  problems: Problem[],
): unknown {
  if (property.anyOf !== undefined) return convertAny(value, property.anyOf, definitions, path, problems);
  if (property.$ref !== undefined) {
    const definition = definitions[property.$ref.replace('#/$defs/', '')];
    if (definition !== undefined) return convert(value, definition, definitions, path, problems);
  }
  const fail = (text: string, kind: string) => {
    problems.push({ path, text, kind, input: value });
    return null;
  };
  if (property.enum !== undefined) {
    if (typeof value === 'string' && property.enum.includes(value)) return value;
    const choices = property.enum.map((choice) => `'${choice}'`);
    const last = choices.pop();
    return fail(`Input should be ${choices.length > 0 ? `${choices.join(', ')} or ` : ''}${last}`, 'enum');
  }
  switch (property.type) {
    case 'string':
      return typeof value === 'string' ? value : fail('Input should be a valid string', 'string_type');
    case 'number':
      return number(value) ?? fail(...noNumber(value, 'number', 'float'));
    case 'integer': {
      const found = number(value);
      if (found === undefined) return fail(...noNumber(value, 'integer', 'int'));
      if (Number.isInteger(found)) return found;
      return fail('Input should be a valid integer, got a number with a fractional part', 'int_from_float');
    }
    case 'boolean':
      return boolean(value) ?? fail(...noBoolean(value));
    case 'null':
      return value === null ? null : fail('Input should be None', 'none_required');
    case 'array': {
      if (!Array.isArray(value)) return fail('Input should be a valid list', 'list_type');
      const { items } = property;
      if (items === undefined) return value;
      return value.map((item, index) => convert(item, items, definitions, `${path}.${index}`, problems));
    }
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? value
        : fail('Input should be a valid dictionary', 'dict_type');
    default:
      return value;
  }
}

/** The first alternative that fits; else the problems of those that are not just null. */
function convertAny(
  value: unknown,
  alternatives: readonly Schema[],
  definitions: Parameters['$defs'],
  path: string,
  problems: Problem[],
): unknown {
  const all: Problem[] = [];
  for (const alternative of alternatives) {
    const found: Problem[] = [];
    const converted = convert(value, alternative, definitions, path, found);
    if (found.length === 0) return converted;
    if (alternative.type !== 'null') all.push(...found);
  }
  problems.push(...all);
  return null;
}

function number(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))
    return Number(value);
  return undefined;
}

function noNumber(value: unknown, noun: string, kind: string): [text: string, kind: string] {
  const article = noun === 'integer' ? 'an' : 'a';
  return typeof value === 'string'
    ? [`Input should be a valid ${noun}, unable to parse string as ${article} ${noun}`, `${kind}_parsing`]
    : [`Input should be a valid ${noun}`, `${kind}_type`];
}

const TRUE = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const FALSE = new Set(['false', 'f', 'no', 'n', 'off', '0']);

function boolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = String(value).toLowerCase();
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
}

function noBoolean(value: unknown): [text: string, kind: string] {
  return typeof value === 'string' || typeof value === 'number'
    ? ['Input should be a valid boolean, unable to interpret input', 'bool_parsing']
    : ['Input should be a valid boolean', 'bool_type'];
}

/** Long inputs show their two ends: 25 and 24 bytes, in whole characters. */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= 50) return text;
  let [head, tail] = [25, bytes.length - 24];
  while (isContinuation(bytes, head)) head--;
  while (isContinuation(bytes, tail)) tail++;
  return `${bytes.toString('utf8', 0, head)}...${bytes.toString('utf8', tail)}`;
}

/** Whether the byte is inside a character, in UTF-8. */
function isContinuation(bytes: Buffer, index: number): boolean {
  return ((bytes[index] ?? 0) & 0xc0) === 0x80;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return Array.isArray(value) ? 'list' : 'dict';
}
