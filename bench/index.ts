/**
 * Measuring: recorded runs are read, replayed under each design, and reported.
 *
 * - `replay/`: runs, their replay and the metrics of autonomy
 * - `scenarios/`: the runs, policies and data that ship with assay
 * - `agentdojo/`: AgentDojo's ground truth, its attacks, and the live bridge
 * - `run/`: live agents, for `assay run`
 * - `decision/`, `query/`, `ask/`, `shell/`, `peers/`: benchmarks, each `npm run bench NAME`
 */

export { type Autonomy, autonomy, type TaskOutcome, tcr } from './replay/autonomy.js';
export type { RecordedRun, RecordedStep } from './replay/recorded-run.js';
export { type ReplayedRun, type ReplayedStep, replay } from './replay/replay.js';
export { type Report, type RunRow, report, type SummaryRow } from './replay/report.js';
export { type InputProblem, type ReadRun, readRuns } from './replay/trace-reader.js';
export type { World, WorldOf } from './replay/world.js';
