/**
 * Guarded agents.
 *
 * - `guard.ts`: the guard for those who embed it
 * - `policy/`, `label/`, `decision/`: policy files; labels of results; whether a call complies, by design
 * - `session/`, `log/`: a session as a fold over events; events on disk
 * - `loop/`, `planners/`: carrying out a turn; who plans it
 * - `oversight/`, `explain/`: asking a human, and what the human is shown
 * - `forecast/`: what a plan will cost in human interventions
 * - `answer/`: the final answer, defused
 */

export { type Defused, type DefusedAnswer, defuse } from './answer/defuse.js';
export { type FinalAnswer, finalAnswer } from './answer/final-answer.js';
export type { AnswerPart, Where } from './answer/marked-text.js';
export type { Decision, Grounds, LabelledArgument, Violation } from './decision/decide.js';
export { Basic, BasicIFC, type Design, designNamed, designs, Fides, Prudentia } from './decision/design.js';
export { type Culprit, culprits } from './explain/culprits.js';
export { createGuard, type Guard, type GuardedConversation, type GuardOptions } from './guard.js';
export type { Leaf } from './label/labelling.js';
export { LogError } from './log/log-error.js';
export { type ReadLog, readLog, readLogFile } from './log/read-log.js';
export { type ResumeOptions, resume } from './log/resume.js';
export { type LogHead, policyDigest, SessionLog, type SessionLogOptions } from './log/session-log.js';
export { type AgentEnd, type AgentOptions, runAgent } from './loop/agent-loop.js';
export {
  type ApprovalEvent,
  type ApprovalOutcome,
  type ApprovalState,
  Approvals,
  type ApprovalsOptions,
  type Refusal,
  type SavedApproval,
  type Ticket,
  type Verdict,
} from './oversight/approvals.js';
export {
  type AnsweredTicket,
  approveAll,
  askCallback,
  denyAll,
  type Oversight,
} from './oversight/oversight.js';
export type {
  ApprovalRequest,
  CallSubject,
  Copy,
  EndorsementSubject,
  Evidence,
  LabelledValue,
  Subject,
  ValueOrigin,
} from './oversight/request.js';
export {
  askOnTerminal,
  type TerminalInput,
  type TerminalOptions,
  type TerminalOutput,
} from './oversight/terminal.js';
export {
  ModelPlanner,
  type ModelPlannerOptions,
  PlannerError,
  type PlannerErrorCode,
} from './planners/model-planner.js';
export type { PastTurn, PlannedCall, Planner, PlannerTurn, PlannerView } from './planners/planner.js';
export { systemPrompt } from './planners/system-prompt.js';
export { type Diagnostic, PolicyError, showDiagnostic } from './policy/diagnostic.js';
export {
  type CheckOptions,
  checkPolicy,
  type LoadPolicyOptions,
  loadPolicy,
  policyFor,
} from './policy/load.js';
export type {
  DataTerm,
  Directory,
  FieldRule,
  FieldsRule,
  LeafRule,
  ObjectRule,
  Policy,
  PolicyRule,
  Principals,
  PrincipalTerm,
  ReadersRule,
  ResultRule,
  ToolPolicy,
} from './policy/policy.js';
export { readToolSchemas, type ToolSchema } from './policy/tool-schema.js';
export type { CallNumber, SessionEvent } from './session/event.js';
export {
  type Call,
  type DecidedCall,
  Session,
  SessionError,
  type SessionOptions,
} from './session/session.js';
export type { CallRecord, Cell, Variable } from './session/session-state.js';
