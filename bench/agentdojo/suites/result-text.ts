/**
 * A result as AgentDojo shows it to a model: YAML, Python's `repr`, or the text itself, as the tool declares.
 * JSON has lost whether a number was a float and a text a date-time, so the declared types say it.
 */
import type { Json } from '../../../engine/value/value.js';
import { float, pythonRepr } from './python-repr.js';
import { safeDump, type YamlNode } from './safe-dump.js';
import type { Field, Returns, Tool } from './tool.js';

export function resultText({ returns }: Pick<Tool, 'returns'>, result: Json): string {
  switch (returns.textFormat) {
    case 'yaml':
      return safeDump(node(result, itemType(returns.type) ?? returns.type, returns)).trim();
    case 'python-repr':
      // Whole numbers in these results are floats: prices and rates.
      return pythonRepr(result, true);
    case 'python-str':
      if (typeof result === 'string') return result;
      return typeof result === 'number' ? float(result) : pythonRepr(result);
  }
}

/** @param type Of the value, or of the items where it is a list. */
function node(value: unknown, type: string, returns: Returns): YamlNode {
  if (Array.isArray(value)) return value.map((item) => node(item, itemType(type) ?? type, returns));
  if (value === null || value === undefined) return { plain: 'null' };
  if (typeof value === 'boolean') return { plain: String(value) };
  if (typeof value === 'number') return { plain: type === 'number' ? yamlFloat(value) : String(value) };
  if (typeof value === 'string') return type === 'datetime' ? { plain: value } : value;
  const types = new Map(fieldsOf(type, returns).map((field) => [field.name, field.type]));
  return new Map(
    Object.entries(value).map(([key, item]) => [key, node(item, types.get(key) ?? '', returns)]),
  );
}

/** `Email` of `Email[]`, `string|CalendarEvent` of `(string|CalendarEvent)[]`. */
function itemType(type: string): string | undefined {
  return type.endsWith('[]') ? type.slice(0, -2).replace(/^\((.*)\)$/, '$1') : undefined;
}

function fieldsOf(type: string, returns: Returns): readonly Field[] {
  const nested = type.split('|').map((name) => returns.nested?.[name]);
  if (nested.some((fields) => fields !== undefined))
    return nested.find((fields) => fields !== undefined) ?? [];
  return type === (itemType(returns.type) ?? returns.type) ? (returns.fields ?? []) : [];
}

/** YAML wants a point in a float's mantissa. */
function yamlFloat(value: number): string {
  const text = float(value);
  return text.includes('.') ? text : text.replace('e', '.0e');
}
