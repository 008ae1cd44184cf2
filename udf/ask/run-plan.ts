/** Runs the inputs of a stage. */
import { type ExecuteOptions, executeAsync } from '../../engine/execute.js';
import type { LogicalPlan } from '../../engine/plan/plan.js';
import type { Value } from '../../engine/value/value.js';

/** Rows of a plan's answer, in machine form. */
export type RunPlan = (
  plan: LogicalPlan,
) => readonly (readonly Value[])[] | Promise<readonly (readonly Value[])[]>;

/**
 * By the engine, without provenance.
 * @param options the parameters, the pool and `keep` of the query whose plan is resolved
 */
export function runByEngine(options: Omit<ExecuteOptions, 'capture' | 'statistics'> = {}): RunPlan {
  return async (plan) => {
    const relation = await executeAsync(plan, { ...options, capture: false });
    try {
      return Array.from({ length: relation.rowCount }, (_, row) =>
        relation.columns.map((_, column) => relation.value(column, row)),
      );
    } finally {
      relation.release();
    }
  };
}
