/** Guarded agents: sessions, designs, policies, oversight, planners. */

export { type FinalAnswer, finalAnswer } from './answer/final-answer.js';
export * from './answer/index.js';
export type { Decision, Grounds, LabelledArgument, Violation } from './decision/decide.js';
export * from './decision/design.js';
export { type Culprit, culprits } from './explain/culprits.js';
export { createGuard, type Guard, GuardedConversation, type GuardOptions } from './guard.js';
export { LabelSpace } from './label/label-space.js';
export type { Leaf } from './label/labelling.js';
export * from './log/index.js';
export { type AgentEnd, type AgentOptions, runAgent } from './loop/agent-loop.js';
export { type Pending, startCall } from './loop/carry-out.js';
export type { Reactions } from './loop/reactions.js';
export * from './oversight/index.js';
export { GroundTruthPlanner, type KnownTask } from './planners/ground-truth.js';
export { type Attack, HijackedPlanner } from './planners/hijacked.js';
export {
  ModelPlanner,
  type ModelPlannerOptions,
  PlannerError,
  type PlannerErrorCode,
} from './planners/model-planner.js';
export * from './planners/planner.js';
export { scriptedPlanner } from './planners/scripted.js';
export { systemPrompt } from './planners/system-prompt.js';
export { declarations, policyWords } from './planners/tool-description.js';
export * from './policy/index.js';
export type { CallNumber, SessionEvent } from './session/event.js';
export {
  type Call,
  type DecidedCall,
  Session,
  SessionError,
  type SessionOptions,
} from './session/session.js';
export { SessionRelations } from './session/session-relations.js';
export type { CallRecord, Cell, SessionState, Variable } from './session/session-state.js';
