/** The query planner and the database: SQL with provenance. */

export { type Blame, blame, type CountRows, type Step } from './blame.js';
export {
  Database,
  type DatabaseOptions,
  type LoadCsvOptions,
  type LoadOptions,
  type OpenOptions,
  type Outcome,
  type RunOptions,
} from './database.js';
export { decorrelate } from './decorrelate/decorrelate.js';
export { UnsupportedSubquery } from './decorrelate/unsupported-subquery.js';
export type { RowChange } from './difference.js';
export { Estimates } from './estimate.js';
export { type Analysis, type ExplainedNode, type Explanation, explain } from './explain.js';
export { type Fact, factOf } from './facts.js';
export { type OptimizedPlan, type OptimizeOptions, optimize } from './optimize.js';
export type { Parameter } from './parameters.js';
export { type PlanProof, type PlanProofContext, planProof } from './plan-proof.js';
export { type Proof, type ProofOptions, proofOf, showProof } from './proof.js';
export { type Origin, Result, type ResultContext, type Why } from './result.js';
export type { Rule, RuleContext } from './rule.js';
export { phases, rules } from './rules/index.js';
export { showPlanProof } from './show-plan-proof.js';
export type { Answered, Done } from './statement-runner.js';
export { Valuations } from './valuations.js';
export { type Tuple, wantedTuple } from './wanted-tuple.js';
export { type PlacedWhyNot, type WhyNot, type WhyNotContext, whyNot } from './why-not.js';
