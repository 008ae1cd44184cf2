/**
 * JSON Schema checks, with the path of what is wrong. The schema is trusted (its author writes its patterns),
 * the instance is not.
 */
import { createRequire } from 'node:module';
import type { OutputUnit, Validator } from '@cfworker/json-schema';
import { AssayError } from '../semiring/message/error.js';

const require = createRequire(import.meta.url);

/** Loaded with the first schema: most programs that import assay compile none. */
function library(): typeof import('@cfworker/json-schema') {
  return require('@cfworker/json-schema');
}

/** A JSON Schema (draft 4, 7, 2019-09 or 2020-12) as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface SchemaProblem {
  /** Where in the instance: `$`, `$.items[3].name`, `$["odd key"]`. */
  readonly path: string;
  /** The rule that is broken, in the schema's words; no value of the instance is in it. */
  readonly message: string;
}

/** A compiled check; answers the causes, at most 20; an empty list where the instance is valid. */
export type SchemaCheck = (instance: unknown) => readonly SchemaProblem[];

/**
 * Compiles `schema`.
 * @throws AssayError `udf/bad-schema` where it is not a usable schema
 */
export function compileSchema(schema: JsonSchema): SchemaCheck {
  let validator: Validator;
  try {
    // The validator writes its resolved addresses into the schema it is given.
    validator = new (library().Validator)(structuredClone(schema), '2020-12', false);
    validator.validate(null);
  } catch (error) {
    throw new AssayError('udf/bad-schema', `Not a usable JSON Schema: ${messageOf(error)}`, { cause: error });
  }
  return (instance) => {
    try {
      const { valid, errors } = validator.validate(instance);
      return valid ? [] : causes(errors, schema).map((unit) => describe(unit, schema));
    } catch {
      // Too deep for the stack, or a key that is no text; what cannot be checked has not passed.
      return [{ path: '$', message: 'cannot be checked' }];
    }
  };
}

/** A keyword such as `properties` reports each time that one below it fails: keep the causes, at most 20. */
function causes(errors: readonly OutputUnit[], schema: JsonSchema): OutputUnit[] {
  const above = new Set<string>();
  for (const { keyword, keywordLocation: location } of errors) {
    // A schema `false` is reported at a place in the instance; the keyword that holds it reports as well.
    if (keyword === 'false') continue;
    for (let end = location.lastIndexOf('/'); end > 0; end = location.lastIndexOf('/', end - 1)) {
      above.add(location.slice(0, end));
    }
  }
  const isCause = ({ keyword, keywordLocation }: OutputUnit) =>
    keyword === 'false' || (!above.has(keywordLocation) && ruleAt(schema, keywordLocation) !== false);
  return errors.filter(isCause).slice(0, 20);
}

/** In the schema's words. The validator's own text may quote the instance, which nobody has vetted. */
function describe(unit: OutputUnit, schema: JsonSchema): SchemaProblem {
  const path = pathOf(unit.instanceLocation);
  if (unit.keyword === 'false') return { path, message: 'is not expected' };
  const rule = ruleAt(schema, unit.keywordLocation);
  if (rule === undefined) return { path, message: `must satisfy "${unit.keyword}"` };
  const text = JSON.stringify(rule);
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return { path, message: `must satisfy "${unit.keyword}": ${shown}` };
}

/** What the schema says at `pointer`; undefined where that leads through a reference. */
function ruleAt(schema: JsonSchema, pointer: string): unknown {
  let at: unknown = schema;
  for (const key of pointer.split('/').slice(1).map(unescapePointer)) {
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
  }
  return at;
}

/** `#/items/3/name` as `$.items[3].name`. */
function pathOf(pointer: string): string {
  let path = '$';
  for (const part of pointer.split('/').slice(1)) {
    const key = unescapePointer(part);
    if (/^(0|[1-9]\d*)$/.test(key)) path += `[${key}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) path += `.${key}`;
    else path += `[${JSON.stringify(key)}]`;
  }
  return path;
}

function unescapePointer(part: string): string {
  return decodeURI(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
