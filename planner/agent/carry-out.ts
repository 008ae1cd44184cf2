/**
 * Carrying out one call of a planner: decide, ask a human where it does not comply, run the tool, label the result.
 * The one thing to know: a tool runs only behind a decision that allows it or an approval of exactly this call.
 */

import type { Quarantine } from '../../udf/model/quarantine.js';
import { checkArguments, type Tool } from '../../udf/tool.js';
import { runIfcTool } from './ifc-tools.js';
import type { Approvals } from './oversight/approvals.js';
import { type Oversight, seekApproval } from './oversight/oversight.js';
import { ifcTool, type PlannedCall } from './planner.js';
import { refusalMessage } from './refusal.js';
import { callEvidence, callSubject } from './review.js';
import type { DecidedCall, Session } from './session.js';
import { textOf } from './variables.js';

/** A session, and all that it may call upon. */
export interface Reactions {
  readonly session: Session;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly oversight: Oversight;
  readonly approvals: Approvals;
  /** Answers `ifc_quarantined_llm`; a design with quarantine needs one. */
  readonly quarantine?: Quarantine;
  /** What happens to a call that does not comply: a human is asked, or the planner is told why. Default `ask`. */
  readonly onViolation?: 'ask' | 'deny' | 'retry';
  readonly signal?: AbortSignal;
}

/** A call that is under way: it enters its outcome into the session and says what the planner is shown. */
export type Pending = () => Promise<string>;

/** Decides a call and, where it may, starts its tool. Nothing of its outcome is in the session until it is settled. */
export async function startCall(options: Reactions, planned: PlannedCall): Promise<Pending> {
  const { session, tools } = options;
  if (isIfcTool(planned.tool)) {
    const text = await runIfcTool(options, planned);
    return async () => text;
  }
  const tool = tools.get(planned.tool);
  if (!tool) return async () => `There is no tool named ${JSON.stringify(planned.tool.slice(0, 80))}.`;
  const decided = session.decide(planned);
  if (decided.decision.verdict === 'violation') {
    const refused = await refuse(options, decided);
    if (refused !== undefined) return async () => refused;
  }
  session.dispatch(decided);
  const outcome = run(tool, decided, planned, options.signal);
  return async () => {
    const { value, error } = await outcome;
    if (error === undefined) session.returned(decided, value);
    else session.failed(decided, error);
    return textOf(session.visible(decided.call));
  };
}

function isIfcTool(name: string): boolean {
  return name === ifcTool.expand || name === ifcTool.quarantine || name === ifcTool.plan;
}

/** What the planner is told instead of a result; undefined where a human approved the call. */
async function refuse(options: Reactions, decided: DecidedCall): Promise<string | undefined> {
  const { session, approvals, oversight, onViolation = 'ask' } = options;
  if (onViolation !== 'ask') return refusalMessage(session, decided, onViolation);
  const subject = callSubject(session, decided);
  const answer = await seekApproval(
    approvals,
    oversight,
    subject,
    callEvidence(session, decided),
    options.signal,
  );
  const redeemed = answer.decision === 'approve' && approvals.redeem(answer.ticket.token, subject).ok;
  session.review(decided, redeemed ? 'approve' : 'deny');
  return redeemed ? undefined : refusalMessage(session, decided, 'deny');
}

interface ToolOutcome {
  readonly value?: unknown;
  readonly error?: string;
}

async function run(
  tool: Tool,
  decided: DecidedCall,
  planned: PlannedCall,
  signal: AbortSignal | undefined,
): Promise<ToolOutcome> {
  const args = Object.fromEntries(decided.arguments.map(({ name, value }) => [name, value]));
  try {
    checkArguments(tool, args);
    const context = { ...(signal && { signal }), callId: planned.id ?? `${decided.call}` };
    // A copy, since a host may go on changing what it returned.
    return { value: structuredClone((await tool.execute(args, context)) ?? null) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
