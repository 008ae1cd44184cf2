/**
 * The query planner: runs the rules. A sub-plan with several readers is planned once, on its own, behind a
 * stand-in, so that no rule pushes one reader's filter into it and makes it two.
 */
import type { LogicalPlan } from '../../../engine/plan/plan.js';
import { columnsOf } from '../../../engine/plan/plan.js';
import { inputsOf, rewriteBottomUp, walkPlan, withInputs } from '../../../engine/plan/traverse-plan.js';
import { AssayError } from '../../../semiring/message/error.js';
import { decorrelate } from '../decorrelate/decorrelate.js';
import { Estimates } from './estimate.js';
import { labelledAs } from './labelled.js';
import type { Rule, RuleContext } from './rule.js';
import { partition } from './rules/filter.js';
import { phases as allPhases } from './rules/index.js';

export interface OptimizedPlan {
  readonly plan: LogicalPlan;
  /** How often each rule fired, in the order in which they first did. */
  readonly fired: ReadonlyMap<string, number>;
  readonly estimates: Estimates;
}

export interface OptimizeOptions {
  /** Rules to run instead of all. */
  readonly phases?: readonly (readonly Rule[])[];
}

/**
 * A plan that gives the same answer and the same annotations, without subqueries. @throws UnsupportedSubquery
 */
export function optimize(plan: LogicalPlan, { phases = allPhases }: OptimizeOptions = {}): OptimizedPlan {
  const fired = new Map<string, number>();
  const estimates = new Estimates();
  let current = decorrelate(plan);
  for (const phase of phases) {
    const [whole, parts] = partition(phase, (rule) => rule.scope === 'plan');
    current = runOnce(current, whole, { estimates }, fired);
    if (parts.length === 0) continue;
    current = behindFences(current, estimates, (part) => runPhase(part, parts, { estimates }, fired));
  }
  return { plan: current, fired, estimates };
}

/** Changes every part of the plan between shared sub-plans on its own. */
function behindFences(
  plan: LogicalPlan,
  estimates: Estimates,
  change: (part: LogicalPlan) => LogicalPlan,
): LogicalPlan {
  const shared = sharedNodes(plan);
  if (shared.size === 0) return change(plan);
  /** What is behind a stand-in; inner ones come first. */
  const changed = new Map<LogicalPlan, LogicalPlan>();
  const fenced = rewriteBottomUp(plan, (node, original) => {
    if (original === plan || !shared.has(original)) return node;
    const standIn: LogicalPlan = { kind: 'values', columns: columnsOf(node), rows: [] };
    labelledAs(standIn, original);
    const result = change(node);
    changed.set(standIn, result);
    estimates.standsFor(standIn, result);
    return standIn;
  });
  const result = change(fenced);
  const opened = new Map<LogicalPlan, LogicalPlan>();
  const open = (node: LogicalPlan) => rewriteBottomUp(node, (inner) => opened.get(inner) ?? inner);
  for (const [standIn, behind] of changed) opened.set(standIn, open(behind));
  return open(result);
}

/** Nodes that two others read, bare scans and literal rows aside. */
function sharedNodes(plan: LogicalPlan): ReadonlySet<LogicalPlan> {
  const seen = new Set<LogicalPlan>();
  const shared = new Set<LogicalPlan>();
  walkPlan(plan, (node) => {
    for (const input of inputsOf(node)) {
      if (seen.has(input) && input.kind !== 'scan' && input.kind !== 'values') shared.add(input);
      seen.add(input);
    }
  });
  return shared;
}

/** More rewrites than this mean that two rules undo one another: a bug, not a plan. */
const mostRewrites = 100_000;

function runOnce(
  plan: LogicalPlan,
  rules: readonly Rule[],
  context: RuleContext,
  fired: Map<string, number>,
): LogicalPlan {
  let current = plan;
  for (const rule of rules) {
    const next = rule.apply(current, context);
    if (!next) continue;
    current = next;
    count(rule, fired);
  }
  return current;
}

function count(rule: Rule, fired: Map<string, number>): void {
  fired.set(rule.name, (fired.get(rule.name) ?? 0) + 1);
}

/** The rules of one part of a plan. */
function runPhase(
  plan: LogicalPlan,
  phase: readonly Rule[],
  context: RuleContext,
  fired: Map<string, number>,
): LogicalPlan {
  const [local, once] = partition(phase, (rule) => rule.scope === 'node');
  const current = runOnce(plan, once, context, fired);
  if (local.length === 0) return current;
  let rewrites = 0;
  const done = new Map<LogicalPlan, LogicalPlan>();
  const applyFirst = (node: LogicalPlan): LogicalPlan => {
    let result = node;
    for (let i = 0; i < local.length; i++) {
      const next = local[i].apply(result, context);
      if (!next || next === result) continue;
      rewrites += 1;
      if (rewrites > mostRewrites)
        throw new AssayError('query/planner-loop', `the rule "${local[i].name}" does not come to an end`);
      count(local[i], fired);
      result = next;
      i = -1;
    }
    return result;
  };
  // A node is done when no rule applies to it over inputs that are done; what stands on the stack waits for
  // inputs.
  const stack: { readonly node: LogicalPlan; result?: LogicalPlan }[] = [{ node: current }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (done.has(top.node)) {
      stack.pop();
      continue;
    }
    top.result ??= applyFirst(top.node);
    const { node, result } = top;
    const inputs = inputsOf(result);
    const missing = inputs.filter((input) => !done.has(input));
    for (const input of missing.reverse()) stack.push({ node: input });
    if (missing.length > 0) continue;
    const next = withInputs(
      result,
      inputs.map((input) => done.get(input) ?? input),
    );
    if (next !== result) {
      top.result = applyFirst(next);
      continue;
    }
    done.set(node, result);
    done.set(result, result);
  }
  return done.get(current) ?? current;
}
