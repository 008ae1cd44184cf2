/** || and contains. */
import type { ScalarFunction } from '../plan/expression.js';
import type { Type } from '../value/value.js';
import { toText } from './cast.js';
import { scalar } from './define.js';

/** text || anything, anything || text: the other side in its text form. */
export const concatenate: ScalarFunction = scalar(
  '||',
  (types) => (types.length === 2 && types.some((type) => type === 'text') ? 'text' : undefined),
  ([a, b], [left, right]) => toText(a, left) + toText(b, right),
);

function isText(type: Type): boolean {
  return type === 'text' || type === 'null';
}

/**
 * contains(text, needle): whether needle occurs in text, code unit by code unit. The empty needle always
 * does.
 */
export const contains: ScalarFunction = scalar(
  'contains',
  (types) => (types.length === 2 && types.every(isText) ? 'boolean' : undefined),
  ([text, needle]) => String(text).includes(String(needle)),
  { cost: 10, share: () => 0.1 },
);
