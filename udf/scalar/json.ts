/** Access to JSON values. Own members only: a document may have a member called `__proto__`. */
import type { ScalarFunction } from '../../engine/plan/expression.js';
import type { Json, Value } from '../../engine/value/value.js';
import { define } from './define.js';

/** The member or element, or undefined where there is none. A negative index counts from the end. */
function member(value: Value, key: Value): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return typeof key === 'number' ? value.at(key) : undefined;
  if (typeof key !== 'string' || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, Json>>)[key];
}

/** Text as it is, everything else as JSON text; JSON's null is NULL. */
function asText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function kindOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

const keys = ['text', 'integer'] as const;

export const jsonFunctions: readonly ScalarFunction[] = [
  ...keys.map((key) => define('->', ['json', key], 'json', ([value, k]) => member(value, k) ?? null)),
  ...keys.map((key) => define('->>', ['json', key], 'text', ([value, k]) => asText(member(value, k)))),
  ...['json_typeof', 'jsonb_typeof'].map((name) =>
    define(name, ['json'], 'text', ([value]) => kindOf(value)),
  ),
  ...['json_array_length', 'jsonb_array_length'].map((name) =>
    define(name, ['json'], 'integer', ([value]) => (Array.isArray(value) ? value.length : null)),
  ),
];
