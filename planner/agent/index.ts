/** Guarded agents: sessions, designs, policies, oversight, planners. */
export { type AgentEnd, type AgentOptions, runAgent } from './agent-loop.js';
export { type FinalAnswer, finalAnswer } from './answer/final-answer.js';
export * from './answer/index.js';
export { type Pending, startCall } from './carry-out.js';
export { type Culprit, culprits } from './culprits.js';
export type { Decision, Grounds, LabelledArgument, Violation } from './decide.js';
export * from './design.js';
export type { CallNumber, SessionEvent } from './event.js';
export { createGuard, type Guard, GuardedConversation, type GuardOptions } from './guard.js';
export { LabelSpace } from './label-space.js';
export type { Leaf } from './labelling.js';
export * from './log/index.js';
export * from './oversight/index.js';
export * from './planner.js';
export { GroundTruthPlanner, type KnownTask } from './planners/ground-truth.js';
export { type Attack, HijackedPlanner } from './planners/hijacked.js';
export {
  ModelPlanner,
  type ModelPlannerOptions,
  PlannerError,
  type PlannerErrorCode,
} from './planners/model-planner.js';
export { scriptedPlanner } from './planners/scripted.js';
export * from './policy/index.js';
export type { Reactions } from './reactions.js';
export { type Call, type DecidedCall, Session, SessionError, type SessionOptions } from './session.js';
export { SessionRelations } from './session-relations.js';
export type { CallRecord, Cell, SessionState, Variable } from './session-state.js';
export { systemPrompt } from './system-prompt.js';
export { declarations, policyWords } from './tool-description.js';
