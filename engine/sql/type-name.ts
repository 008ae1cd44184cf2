/**
 * The types that SQL may name, and what a type in parentheses asks of a value. Assay has nine types, so
 * several of PostgreSQL's are one here (all integers, all floats, all texts).
 */
import type { TypeName } from 'libpg-query';
import type { Type } from '../value/value.js';
import { constantOf, names } from './parse/tree.js';

/**
 * `length`: texts are cut to it, and kept without spaces at the end where it is `fixed` (`char(n)`). `scale`:
 * numbers are rounded to it, and must have at most `precision` digits.
 */
export type TypeModifier =
  | { readonly kind: 'length'; readonly length: number; readonly fixed: boolean }
  | { readonly kind: 'scale'; readonly precision: number; readonly scale: number }
  /** `INTERVAL '1' DAY`: the unit of a number without one. */
  | { readonly kind: 'unit'; readonly unit: string };

export interface NamedType {
  readonly type: Type;
  readonly modifier?: TypeModifier;
  /** The name as PostgreSQL has it, which names a cast's column. */
  readonly name: string;
}

const types: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['int2', 'integer'],
  ['int4', 'integer'],
  ['int8', 'integer'],
  ['integer', 'integer'],
  ['float4', 'float'],
  ['float8', 'float'],
  ['numeric', 'float'],
  ['text', 'text'],
  ['varchar', 'text'],
  ['bpchar', 'text'],
  ['date', 'date'],
  ['timestamp', 'timestamp'],
  ['timestamptz', 'timestamp'],
  ['interval', 'interval'],
  ['json', 'json'],
  ['jsonb', 'json'],
]);

/** Type names that may be written, for hints. */
export function typeNames(): Iterable<string> {
  return types.keys();
}

/** The bits by which PostgreSQL's grammar names an interval's only field. */
const intervalUnits: ReadonlyMap<number, string> = new Map([
  [1 << 1, 'month'],
  [1 << 2, 'year'],
  [1 << 3, 'day'],
  [1 << 10, 'hour'],
  [1 << 11, 'minute'],
  [1 << 12, 'second'],
]);

/** PostgreSQL's limit for `varchar(n)` and `char(n)`. */
const longestText = 10_485_760;

/** The type that a name means; a text says what is wrong with it. */
export function namedType(node: TypeName | undefined): NamedType | string {
  const parts = names(node?.names);
  const name = parts[parts.length - 1] ?? '';
  const type = parts.length === 1 || parts[0] === 'pg_catalog' ? types.get(name) : undefined;
  if (!type) return `type "${parts.join('.')}" is not known`;
  const modifiers = (node?.typmods ?? []).map((modifier) => constantOf(modifier)?.ival?.ival ?? 0);
  if (modifiers.length === 0)
    return name === 'bpchar' ? 'bpchar without a length is not supported' : { type, name };
  if ((name === 'varchar' || name === 'bpchar') && modifiers.length === 1) {
    const [length] = modifiers;
    if (length < 1 || length > longestText) return `the length ${length} is not in 1 … ${longestText}`;
    return { type, name, modifier: { kind: 'length', length, fixed: name === 'bpchar' } };
  }
  if (name === 'numeric' && modifiers.length <= 2) {
    const [precision, scale = 0] = modifiers;
    if (precision < 1 || precision > 1000) return `the precision ${precision} is not in 1 … 1000`;
    if (scale < -1000 || scale > 1000) return `the scale ${scale} is not in -1000 … 1000`;
    return { type, name, modifier: { kind: 'scale', precision, scale } };
  }
  const unit = name === 'interval' && modifiers.length === 1 ? intervalUnits.get(modifiers[0]) : undefined;
  if (unit) return { type, name, modifier: { kind: 'unit', unit } };
  return `${name}(${modifiers.join(', ')}) is not supported`;
}
