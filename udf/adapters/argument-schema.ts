/**
 * The JSON Schema of a foreign tool's arguments, whatever its framework keeps it in. A schema that cannot be
 * read as JSON Schema is refused, since calls of such a tool could not be checked.
 */
import { AssayError } from '../../semiring/message/error.js';
import type { JsonSchema } from '../json-schema.js';
import { isObject, member } from './member.js';

/**
 * Makes JSON Schema of a schema that does not say its own, such as `(s) => asSchema(s).jsonSchema` of the AI
 * SDK.
 */
export type ToJsonSchema = (schema: unknown) => unknown;

/**
 * Reads, in this order: a standard schema that gives its JSON Schema (as Zod does from 4.2), a schema of the
 * AI SDK, JSON Schema as plain data, and what `convert` makes of anything else. No schema at all: no
 * arguments.
 * @throws AssayError `adapter/no-json-schema`
 */
export async function argumentSchema(
  tool: string,
  schema: unknown,
  convert?: ToJsonSchema,
): Promise<JsonSchema> {
  if (schema === undefined || schema === null) return { type: 'object', properties: {} };
  const found = (await ownJsonSchema(schema)) ?? (await convert?.(schema));
  if (!isObject(found)) {
    throw refused(tool, 'its schema does not say its JSON Schema; pass `toJsonSchema` to make one of it');
  }
  // JSON Schema is data: a copy without whatever a library hung on it, that nobody changes later.
  const copy: JsonSchema = JSON.parse(JSON.stringify(found));
  if (copy.type === 'object') return copy;
  throw refused(tool, 'its arguments must be one object: "type": "object" in its JSON Schema');
}

async function ownJsonSchema(schema: unknown): Promise<unknown> {
  const standard = member(schema, '~standard');
  const converter = member(standard, 'jsonSchema');
  const input = member(converter, 'input');
  if (typeof input === 'function') return input.call(converter, { target: 'draft-07' });
  if (standard !== undefined) return undefined;
  // The AI SDK may make a schema when it is first needed.
  if (typeof schema === 'function') return ownJsonSchema(schema());
  return (await member(schema, 'jsonSchema')) ?? (member(schema, 'type') === 'object' ? schema : undefined);
}

function refused(tool: string, why: string): AssayError {
  return new AssayError('adapter/no-json-schema', `tool ${JSON.stringify(tool)}: ${why}`);
}
