/** Column types from JSON values. */

import type { Type } from '../value/value.js';
import type { InputRow } from './input-row.js';

/** @returns one type a column, in order; declared types win */
export function inferTypes(
  names: readonly string[],
  rows: readonly InputRow[],
  declared: ReadonlyMap<string, Type>,
): Type[] {
  return names.map((name, c) => {
    const known = declared.get(name);
    if (known !== undefined) return known;
    let type: Type = 'null';
    for (const row of rows) {
      const value = Array.isArray(row)
        ? row[c]
        : Object.hasOwn(row, name)
          ? (row as { readonly [column: string]: unknown })[name]
          : null;
      type = common(type, typeOf(value));
      if (type === 'json') break;
    }
    return type === 'null' ? 'text' : type;
  });
}

function typeOf(value: unknown): Type {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'float';
    case 'string':
      return 'text';
    case 'undefined':
      return 'null';
    default:
      return value === null ? 'null' : value instanceof Date ? 'timestamp' : 'json';
  }
}

/** The narrowest type that holds both. */
function common(a: Type, b: Type): Type {
  if (a === b || b === 'null') return a;
  if (a === 'null') return b;
  const numeric = (a === 'integer' || a === 'float') && (b === 'integer' || b === 'float');
  return numeric ? 'float' : 'json';
}
