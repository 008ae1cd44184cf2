/**
 * Values brought to the size of their column, as PostgreSQL does on assignment: numbers are rounded, texts
 * never cut.
 */
import { fitDecimal } from '../value/decimal.js';
import type { Value } from '../value/value.js';
import type { Size } from './definition.js';

/** As SQL writes it. */
export function showSize(size: Size): string {
  if (size.kind === 'decimal') return `numeric(${size.precision}, ${size.scale})`;
  return `${size.kind === 'fixed' ? 'char' : 'varchar'}(${size.length})`;
}

/** The value as the column keeps it; undefined where it does not fit. */
export function fit(value: Value, size: Size): Value | undefined {
  if (size.kind === 'decimal')
    return typeof value === 'number' ? fitDecimal(value, size.precision, size.scale) : value;
  if (typeof value !== 'string') return value;
  const text = size.kind === 'fixed' ? withoutTrailingSpaces(value) : value;
  if (text.length <= size.length) return text;
  const end = endOfCharacters(text, size.length);
  return end === text.length || withoutTrailingSpaces(text, end).length === end
    ? text.slice(0, end)
    : undefined;
}

/** Spaces at the end taken off, but for those before `from`. */
export function withoutTrailingSpaces(text: string, from = 0): string {
  let end = text.length;
  while (end > from && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}

/** Where the first `count` code points end, in UTF-16 units. */
function endOfCharacters(text: string, count: number): number {
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++)
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return end;
}
