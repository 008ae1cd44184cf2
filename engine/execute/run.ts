/** From plan to frame: one case a node. The one thing to know: a sub-plan that occurs twice is run once. */

import { type Frame, productNode, withFewFactors } from '../frame/frame.js';
import type { LogicalPlan } from '../plan/plan.js';
import { inputsOf } from '../plan/traverse-plan.js';
import { bytesOf, indexesOf } from '../provenance/circuit.js';
import { containsJoin } from './contains.js';
import { type Context, checkAborted, type OperatorStatistics } from './context.js';
import { filter } from './filter.js';
import { aggregate } from './group/aggregate.js';
import { distinct } from './group/distinct.js';
import { join } from './join/join.js';
import { limit, singleRow } from './limit.js';
import { project } from './project.js';
import { literalRows, scan } from './scan.js';
import { except, intersect } from './set-operations.js';
import { sort } from './sort.js';
import { union } from './union.js';

/** Yields between operators, so that an asynchronous driver can give the event loop a turn. */
export function* run(
  plan: LogicalPlan,
  context: Context,
  statistics?: Map<LogicalPlan, OperatorStatistics>,
): Generator<void, Frame> {
  const done = new Map<LogicalPlan, Frame>();
  const stack: LogicalPlan[] = [plan];
  while (stack.length > 0) {
    const node = stack[stack.length - 1];
    const missing = done.has(node) ? [] : inputsOf(node).filter((input) => !done.has(input));
    if (missing.length > 0) {
      stack.push(...missing.reverse());
      continue;
    }
    stack.pop();
    if (done.has(node)) continue;
    checkAborted(context.signal);
    const start = performance.now();
    const inputs = inputsOf(node).map((input) => done.get(input) as Frame);
    const frame = withFewFactors(step(node, inputs, context));
    done.set(node, frame);
    statistics?.set(node, {
      rows: frame.rows,
      milliseconds: performance.now() - start,
      provenanceBytes: provenanceBytes(frame),
    });
    yield;
  }
  return done.get(plan) as Frame;
}

function provenanceBytes(frame: Frame): number {
  return bytesOf(indexesOf([productNode(frame.annotation, frame.rows)]));
}

function step(plan: LogicalPlan, inputs: readonly Frame[], context: Context): Frame {
  const [first, second] = inputs;
  switch (plan.kind) {
    case 'scan':
      return scan(plan, context);
    case 'values':
      return literalRows(plan);
    case 'filter':
      return filter(plan, first, context);
    case 'project':
      return project(plan, first, context);
    case 'join':
      return join(plan, first, second, context);
    case 'contains':
      return containsJoin(plan, first, second, context);
    case 'aggregate':
      return aggregate(plan, first, context);
    case 'distinct':
      return distinct(plan, first, context);
    case 'union':
      return union(plan.columns, inputs, context);
    case 'except':
      return except(plan, first, second, context);
    case 'intersect':
      return intersect(plan, first, second, context);
    case 'sort':
      return sort(plan, first, context);
    case 'limit':
      return limit(plan, first, context);
    case 'singleRow':
      return singleRow(first, context);
  }
}
