/** Measuring: replay of recorded runs, the metrics of autonomy, AgentDojo. */
export { type AgentDojo, type GroundTruth, loadAgentDojo, runGroundTruth } from './agentdojo/ground-truth.js';
export { importPolicies, isPolicyCollection, policiesOf } from './agentdojo/policies.js';
export { type AttackOutcome, attack, loadInjected } from './agentdojo/security.js';
export { agentDojoWorlds } from './agentdojo/worlds.js';
export { type AttackStep, attackSteps } from './replay/attack.js';
export * from './replay/autonomy.js';
export { type RecordedRun, type RecordedStep, recordedRun, runName } from './replay/recorded-run.js';
export { type ReplayedRun, type ReplayedStep, replay } from './replay/replay.js';
export { type Report, type RunRow, report, runRow, type SummaryRow } from './replay/report.js';
export { readRuns } from './replay/trace-reader.js';
export { emptyWorld, type World, type WorldOf } from './replay/world.js';
