/**
 * What a rewrite rule is. The one thing to know: a rule must leave the answer and every row's annotation in
 * N[X] (and in label semirings) as they are. Textbook rules that do not are left out on purpose: dropping a
 * DISTINCT whose input has no duplicates or under IN, dropping an unused outer join, pushing a filter below
 * LIMIT, or below ORDER BY one that reads labelled cells, or a semi join below ORDER BY, dropping ORDER BY in
 * a subquery, pushing a grouping below a join, deriving a = 5 from a = b and b = 5 where the columns are
 * labelled by cell. Each changes a coefficient, an exponent, or what an answer depends on.
 */
import type { LogicalPlan } from '../../../engine/plan/plan.js';
import type { Estimates } from './estimate.js';

export interface RuleContext {
  readonly estimates: Estimates;
}

export interface Rule {
  readonly name: string;
  /** What it does, in a sentence, for EXPLAIN. */
  readonly description: string;
  /**
   * `node`: tried on every node until nothing changes. `part`: applied once to each part of the plan between
   * sub-plans that have several readers. `plan`: applied once, to the root.
   */
  readonly scope: 'node' | 'part' | 'plan';
  /** The rewritten plan, or undefined where the rule does not apply or would change an annotation. */
  apply(plan: LogicalPlan, context: RuleContext): LogicalPlan | undefined;
}
