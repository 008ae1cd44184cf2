/** The query planner and the database: SQL with provenance. */

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
export { type Analysis, type ExplainedNode, type Explanation, explain } from './explain.js';
export { Estimates } from './optimize/estimate.js';
export { type OptimizedPlan, type OptimizeOptions, optimize } from './optimize/optimize.js';
export type { Rule, RuleContext } from './optimize/rule.js';
export { phases, rules } from './optimize/rules/index.js';
export type { Parameter } from './parameters.js';
export { type Origin, Result, type ResultContext, type Why } from './result.js';
export type { Answered, Done } from './statement-runner.js';
export { Valuations } from './valuations.js';
export { type Blame, blame, type CountRows, type Step } from './why/blame.js';
export { type Fact, factOf } from './why/facts.js';
export { type PlanProof, type PlanProofContext, planProof } from './why/plan-proof.js';
export { type Proof, type ProofOptions, proofOf, showProof } from './why/proof.js';
export { showPlanProof } from './why/show-plan-proof.js';
export { type Tuple, wantedTuple } from './why/wanted-tuple.js';
export { type PlacedWhyNot, type WhyNot, type WhyNotContext, whyNot } from './why/why-not.js';
