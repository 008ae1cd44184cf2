/**
 * `~`, `~*`, `!~`, `!~*`: whether a part of a text matches a regular expression, `*` without regard to case.
 */
import type { ScalarFunction } from '../plan/expression.js';
import { Regexp } from '../regexp/index.js';
import { scalar } from './define.js';

function matchOperator(name: string): ScalarFunction {
  const negative = name.startsWith('!');
  const ignoreCase = name.endsWith('*');
  let last: { readonly pattern: string; readonly regexp: Regexp } | undefined;
  return scalar(
    name,
    (types) =>
      types.length === 2 && types.every((type) => type === 'text' || type === 'null') ? 'boolean' : undefined,
    ([text, given]) => {
      const pattern = String(given);
      if (last?.pattern !== pattern) last = { pattern, regexp: new Regexp(pattern, { ignoreCase }) };
      return last.regexp.test(String(text)) !== negative;
    },
    { cost: 20 },
  );
}

export const matches = matchOperator('~');
export const matchesIgnoringCase = matchOperator('~*');
export const doesNotMatch = matchOperator('!~');
export const doesNotMatchIgnoringCase = matchOperator('!~*');
