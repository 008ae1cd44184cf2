import type { LogicalPlan, Union } from '../../../../engine/plan/plan.js';
import type { Rule } from '../rule.js';

/** (A ∪ B) ∪ C = A ∪ B ∪ C: concatenation. */
export const flattenUnion: Rule = {
  name: 'flatten unions',
  description: 'nested UNION ALLs become one',
  scope: 'node',
  apply(plan) {
    if (plan.kind !== 'union' || !plan.inputs.some((input) => isFlat(input, plan))) return undefined;
    // All levels at once: level by level, a long chain would be copied again and again.
    const inputs: LogicalPlan[] = [];
    const stack = [...plan.inputs].reverse();
    for (let input = stack.pop(); input !== undefined; input = stack.pop()) {
      if (isFlat(input, plan)) for (const inner of [...input.inputs].reverse()) stack.push(inner);
      else inputs.push(input);
    }
    return { ...plan, inputs };
  },
};

/** Whether the rows of an input are those of a union as they are. */
function isFlat(input: LogicalPlan, union: Union): input is Union {
  return input.kind === 'union' && input.columns.every(({ type }, i) => type === union.columns[i].type);
}
