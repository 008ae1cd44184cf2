/**
 * The query planner and the database: SQL with provenance.
 *
 * - `database.ts`, `result.ts`, `statement-runner.ts`: the database, its answers, how a statement runs
 * - `decorrelate/`: subqueries as joins
 * - `optimize/`: rewrite rules, estimates and join order
 * - `why/`: why a row is in an answer, or is not
 */

export {
  Database,
  type DatabaseOptions,
  type LoadCsvOptions,
  type LoadOptions,
  type OpenOptions,
  type Outcome,
} from './database.js';
export type { RowChange } from './difference.js';
export type { ExplainedNode, Explanation, RunParts } from './explain.js';
export type { Parameter } from './parameters.js';
export type { Origin, Result, ResultContext, RowProof } from './result.js';
export type { RunOptions } from './statement-runner.js';
export type { Valuations } from './valuations.js';
export type { Blame, Step } from './why/blame.js';
export type { Fact } from './why/facts.js';
export type { PlanProof } from './why/plan-proof.js';
export { type Proof, type ProofOptions, showProof } from './why/proof.js';
export type { Tuple } from './why/wanted-tuple.js';
export type { PlacedWhyNot, WhyNot } from './why/why-not.js';
