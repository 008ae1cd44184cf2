import { columnsOf } from '../../../engine/plan.js';
import type { Rule } from '../rule.js';

/** (A ∪ B) ∪ C = A ∪ B ∪ C: concatenation. */
export const flattenUnion: Rule = {
  name: 'flatten unions',
  description: 'nested UNION ALLs become one',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'union' || !plan.inputs.some((input) => input.kind === 'union')) return undefined;
    const inputs = plan.inputs.flatMap((input) => {
      const sameTypes = columnsOf(input).every((column, i) => column.type === plan.columns[i].type);
      return input.kind === 'union' && sameTypes ? input.inputs : [input];
    });
    return inputs.length === plan.inputs.length ? undefined : { ...plan, inputs };
  },
};
