/**
 * Carrying out one call of a planner: decide, ask a human where it does not comply, run the tool, label the
 * result. The one thing to know: a tool runs only behind a decision that allows it or an approval of exactly
 * this call; and a call that may have run already, before the session was cut off, runs again only if a human
 * says so.
 */

import { bottom, joinLabels, type Label } from '../../../semiring/label/label.js';
import { AssayError } from '../../../semiring/message/error.js';
import { onAbort } from '../../../udf/model/on-abort.js';
import { checkArguments, type Tool } from '../../../udf/tool.js';
import { LabelledFailure, LabelledResult, plainResult } from '../../../udf/tool-result.js';
import { callEvidence } from '../explain/evidence.js';
import { refusalMessage } from '../explain/refusal.js';
import { callSubject } from '../explain/review.js';
import { seekApproval } from '../oversight/oversight.js';
import type { Evidence } from '../oversight/request.js';
import { ifcTool, type PlannedCall } from '../planners/planner.js';
import { defaultLimits, type ToolPolicy } from '../policy/policy.js';
import { type DecidedCall, SessionError } from '../session/session.js';
import type { CallRecord } from '../session/session-state.js';
import { shown } from '../session/shown.js';
import { substitute } from '../session/variables.js';
import { runIfcTool } from './ifc-tools.js';
import type { Reactions } from './reactions.js';

/**
 * What the planner is shown of a call; or, for a call under way, what enters its outcome into the session and
 * says so.
 */
export type Pending = string | (() => Promise<string>);

const malformed = 'The call was not made: its arguments are not one JSON object. Write it again, whole.';

/**
 * Decides a call and, where it may, starts its tool. Nothing of its outcome is in the session until it is
 * settled.
 * @param at which of the turn's calls it is, from 0
 */
export async function startCall(options: Reactions, planned: PlannedCall, at?: number): Promise<Pending> {
  const { session, tools } = options;
  if (planned.malformed !== undefined) return malformed;
  if (isIfcTool(planned.tool)) return runIfcTool(options, planned);
  const tool = tools.get(planned.tool);
  if (!tool) return unknownTool(planned.tool);
  const stray = strayArgument(session.policyOf(planned.tool), planned);
  if (stray !== undefined) return stray;
  let decided: DecidedCall;
  try {
    decided = session.decide(planned, undefined, at);
  } catch (error) {
    if (error instanceof AssayError && error.code === 'session/too-deep') return malformed;
    if (error instanceof SessionError) return `The call was not made: ${error.message}.`;
    throw error;
  }
  return (await refusal(options, decided)) ?? dispatch(options, tool, decided, planned);
}

/**
 * A rule says nothing about an argument that its policy does not declare, so a call that has one is not made.
 */
function strayArgument(policy: ToolPolicy, planned: PlannedCall): string | undefined {
  const declared = policy.arguments;
  if (declared === undefined || policy.rule === 'none') return undefined;
  if (Object.keys(planned.arguments).every((name) => declared.has(name))) return undefined;
  return `The call was not made: it has an argument that the policy does not declare. Declared: ${[...declared].join(', ')}.`;
}

/** Goes on with a call that was decided before the session was cut off. */
export async function resumeCall(
  options: Reactions,
  planned: PlannedCall,
  record: CallRecord,
): Promise<Pending> {
  const { session, tools } = options;
  const decided = session.recall(record);
  const tool = tools.get(record.tool);
  switch (record.outcome) {
    case 'returned':
    case 'failed':
      return shown(session, record.call);
    case 'decided':
      if (record.verdict === 'deny') return refusalMessage(session, decided, 'deny');
      if (!tool) return unknownTool(record.tool);
      // An approval dies with the process that got it, so a call that was approved and not started is asked
      // about again.
      return (await refusal(options, decided)) ?? dispatch(options, tool, decided, planned);
    case 'dispatched':
      if (tool && (tool.effects === false || (await repeats(options, decided)))) {
        return dispatch(options, tool, decided, planned);
      }
      session.failed(decided, 'The call was cut off. It may have had its effect; it was not made again.');
      return shown(session, decided.call);
  }
}

export function isIfcTool(name: string): boolean {
  return name === ifcTool.expand || name === ifcTool.quarantine || name === ifcTool.plan;
}

function unknownTool(name: string): string {
  return `There is no tool named ${JSON.stringify(name.slice(0, 80))}.`;
}

/** What the planner is told instead of a result; undefined where the call complies or a human approved it. */
async function refusal(options: Reactions, decided: DecidedCall): Promise<string | undefined> {
  const { session, onViolation = 'ask' } = options;
  if (decided.decision.verdict === 'allow') return undefined;
  if (onViolation !== 'ask') return refusalMessage(session, decided, onViolation);
  const approved = await approves(options, decided, callEvidence(session, decided));
  return approved ? undefined : refusalMessage(session, decided, 'deny');
}

/** Whether a human wants a call made again that was cut off while its tool ran. */
function repeats(options: Reactions, decided: DecidedCall): Promise<boolean> {
  const { reasons = [], ...evidence } = callEvidence(options.session, decided);
  const why = 'the run was cut off while this call was under way: it may have had its effect already';
  return approves(options, decided, { ...evidence, reasons: [why, ...reasons] });
}

async function approves(options: Reactions, decided: DecidedCall, evidence: Evidence): Promise<boolean> {
  const { session, approvals, oversight, signal } = options;
  const subject = callSubject(session, decided);
  const answer = await seekApproval(approvals, oversight, subject, evidence, signal);
  // A denial that an abort made is nobody's word: the call stays undecided, for when the session is resumed.
  signal?.throwIfAborted();
  const redeemed = answer.decision === 'approve' && approvals.redeem(answer.ticket.token, subject).ok;
  session.review(decided, redeemed ? 'approve' : 'deny');
  return redeemed;
}

function dispatch(options: Reactions, tool: Tool, decided: DecidedCall, planned: PlannedCall): Pending {
  const { session } = options;
  session.dispatch(decided);
  const outcome = run(tool, decided, planned, options);
  // Where the turn ends before it is settled, nobody waits for it.
  outcome.catch(() => {});
  return async () => {
    const { value, error, label } = await outcome;
    if (error === undefined) session.returned(decided, value, label);
    else session.failed(decided, error, label && joinLabels(session.textLabel(decided), label));
    return shown(session, decided.call);
  };
}

interface ToolOutcome {
  readonly value?: unknown;
  readonly error?: string;
  /** As the tool's server restricts it; of an error text, present where the tool wrote it. */
  readonly label?: Label;
}

async function run(
  tool: Tool,
  decided: DecidedCall,
  planned: PlannedCall,
  { session, signal }: Reactions,
): Promise<ToolOutcome> {
  const { limits = defaultLimits } = session.policy;
  // A copy: what the tool does to its arguments must not change the variables that they came from.
  const args = Object.fromEntries(decided.arguments.map(({ name, value }) => [name, copyOf(value)]));
  const problem = argumentProblem(tool, args);
  if (problem !== undefined) return { error: problem };
  try {
    const context = { ...(signal && { signal }), callId: planned.id ?? `${decided.call}` };
    const result = await untilAborted(tool.execute(args, context), signal);
    if (!(result instanceof LabelledResult)) return { value: plainResult(result, limits) };
    return { value: plainResult(result.value, limits), label: result.label };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { error: errorText(error), label: error instanceof LabelledFailure ? error.label : bottom };
  }
}

/** The words are ours, and hold paths and schema text only. */
function argumentProblem(tool: Tool, args: Readonly<Record<string, unknown>>): string | undefined {
  try {
    checkArguments(tool, args);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

function copyOf(value: unknown): unknown {
  return substitute(value, () => undefined).value;
}

/** A tool may throw anything, and what it throws may throw when it is looked at. */
function errorText(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'The tool failed and did not say why.';
  }
}

/** A tool may not heed its signal; nobody waits for it any longer than that. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let off = () => {};
  const aborted = new Promise<never>((_, reject) => {
    off = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    off();
  }
}
