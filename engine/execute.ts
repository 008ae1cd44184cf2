/** Runs a plan: the executor's public face. */

import { Relation } from './answer/relation.js';
import type { Context, ExecuteOptions } from './execute/context.js';
import { run } from './execute/run.js';
import type { Frame } from './frame/frame.js';
import { settle } from './frame/settle.js';
import { Arena, BufferPool } from './memory/pool.js';
import type { LogicalPlan } from './plan/plan.js';

export type { ExecuteOptions, OperatorStatistics } from './execute/context.js';

function contextOf(options: ExecuteOptions): Context {
  return {
    arena: new Arena(options.pool ?? new BufferPool()),
    parameters: options.parameters ?? [],
    capture: options.capture ?? true,
    possible: options.keep === 'possible',
    isDeleted: options.isDeleted,
    signal: options.signal,
  };
}

function answer(frame: Frame, { arena }: Context): Relation {
  return new Relation(settle(frame, arena), arena);
}

/** @throws AssayError what an expression or an operator refuses, `engine/aborted` */
export function execute(plan: LogicalPlan, options: ExecuteOptions = {}): Relation {
  const context = contextOf(options);
  try {
    const steps = run(plan, context, options.statistics);
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return answer(step.value, context);
  } catch (error) {
    context.arena.releaseAll();
    throw error;
  }
}

/**
 * As {@link execute}, giving the event loop a turn between operators, so that `signal` can be raised
 * meanwhile.
 */
export async function executeAsync(plan: LogicalPlan, options: ExecuteOptions = {}): Promise<Relation> {
  const context = contextOf(options);
  try {
    const steps = run(plan, context, options.statistics);
    for (;;) {
      const step = steps.next();
      if (step.done) return answer(step.value, context);
      const start = performance.now();
      await new Promise<void>((resolve) => setImmediate(resolve));
      options.onTurn?.(performance.now() - start);
    }
  } catch (error) {
    context.arena.releaseAll();
    throw error;
  }
}
