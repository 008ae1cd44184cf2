/**
 * The declared type of a model's answer: its schema, its words in a prompt, and the check after parsing. A
 * problem's text is fixed wording, so an answer that fails its type carries nothing out.
 */
import { AssayError } from '../../semiring/message/error.js';
import { compileSchema, type JsonSchema, type SchemaCheck } from '../json-schema.js';

export type AnswerType =
  | { readonly kind: 'boolean' }
  /** A whole number that a double holds exactly. */
  | { readonly kind: 'integer' }
  | { readonly kind: 'number' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  /** `YYYY-MM-DD`, a day that exists. */
  | { readonly kind: 'date' }
  | { readonly kind: 'text' }
  | { readonly kind: 'json'; readonly schema: JsonSchema };

/** A boolean, number or string; for `json` anything that the schema admits. */
export type Answer = unknown;

export type CheckedAnswer =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly problem: string };

/**
 * `boolean`, `integer`, `number`, `date`, `text`, `enum(a, b, c)`, or a JSON Schema as JSON text.
 * @throws AssayError `model/bad-answer-type`
 */
export function parseAnswerType(text: string): AnswerType {
  const trimmed = text.trim();
  switch (trimmed.toLowerCase()) {
    case 'boolean':
    case 'integer':
    case 'number':
    case 'date':
    case 'text':
      return { kind: trimmed.toLowerCase() as 'boolean' | 'integer' | 'number' | 'date' | 'text' };
  }
  if (/^enum\s*\(/i.test(trimmed) && trimmed.endsWith(')')) {
    const values = trimmed
      .slice(trimmed.indexOf('(') + 1, -1)
      .split(',')
      .map((value) => value.trim());
    if (!values.includes('') && new Set(values).size === values.length) return { kind: 'enum', values };
  }
  if (trimmed.startsWith('{')) {
    const schema = parseSchema(trimmed);
    compileSchema(schema);
    return { kind: 'json', schema };
  }
  throw badType(text);
}

function parseSchema(text: string): JsonSchema {
  try {
    return JSON.parse(text) as JsonSchema; // starts with a brace, so it is an object or it does not parse
  } catch {
    throw badType(text);
  }
}

function badType(text: string): AssayError {
  return new AssayError(
    'model/bad-answer-type',
    `Not an answer type: ${JSON.stringify(text.slice(0, 80))}. One of boolean, integer, number, date, text, enum(a, b), or a JSON Schema.`,
  );
}

/** The text that {@link parseAnswerType} reads back; equal types have equal text. */
export function showAnswerType(type: AnswerType): string {
  if (type.kind === 'enum') return `enum(${type.values.join(', ')})`;
  return type.kind === 'json' ? JSON.stringify(type.schema) : type.kind;
}

/** The JSON Schema of the bare answer. */
export function schemaOf(type: AnswerType): JsonSchema {
  switch (type.kind) {
    case 'boolean':
    case 'integer':
    case 'number':
      return { type: type.kind };
    case 'enum':
      return { type: 'string', enum: type.values };
    case 'date':
      return { type: 'string', description: 'YYYY-MM-DD' };
    case 'text':
      return { type: 'string' };
    case 'json':
      return type.schema;
  }
}

/** For the prompt. */
export function describeAnswerType(type: AnswerType): string {
  switch (type.kind) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'enum':
      return `one of the strings ${JSON.stringify(type.values)}`;
    case 'date':
      return 'a date, as a string YYYY-MM-DD';
    case 'text':
      return 'a string';
    case 'json':
      return `a JSON value of this schema: ${JSON.stringify(type.schema)}`;
  }
}

/** A check of parsed answers, compiled once for a type. */
export function answerCheck(type: AnswerType): (value: unknown) => CheckedAnswer {
  const schema: SchemaCheck | undefined = type.kind === 'json' ? compileSchema(type.schema) : undefined;
  return (value) =>
    fits(type, value, schema)
      ? { ok: true, value }
      : { ok: false, problem: `The answer is not ${schema ? 'of its schema' : describeAnswerType(type)}.` };
}

function fits(type: AnswerType, value: unknown, schema: SchemaCheck | undefined): boolean {
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'enum':
      return typeof value === 'string' && type.values.includes(value);
    case 'date':
      return typeof value === 'string' && isDate(value);
    case 'text':
      return typeof value === 'string';
    case 'json':
      return schema !== undefined && schema(value).length === 0;
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day past its month's end is carried over by the parser, so it must read back the same.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
