/**
 * The guard's own calls: reveal variables, ask a quarantined model, write down a plan. What they answer holds
 * names that the session issued and fixed wording; content only where the design reveals it.
 */

import { AssayError } from '../../../semiring/message/error.js';
import { parseAnswerType } from '../../../udf/model/answer-type.js';
import { ModelError } from '../../../udf/model/model-error.js';
import { needsMore } from '../../../udf/model/quarantine.js';
import { endorsementEvidence } from '../explain/evidence.js';
import { endorsementSubject } from '../explain/review.js';
import { seekApproval } from '../oversight/oversight.js';
import { ifcTool, type PlannedCall } from '../planners/planner.js';
import { shortened } from '../session/shown.js';
import { textOf } from '../session/variables.js';
import { planReply } from './plan-tool.js';
import type { Reactions } from './reactions.js';

/**
 * Carries out a call of one of {@link ifcTool} and says what the planner is shown; a wrong call says what is
 * wrong.
 */
export async function runIfcTool(options: Reactions, call: PlannedCall): Promise<string> {
  try {
    if (call.tool === ifcTool.expand) return await expand(options, call.arguments);
    if (call.tool === ifcTool.quarantine) return await quarantine(options, call.arguments);
    return planReply(options.session, call.arguments);
  } catch (error) {
    // What an abort cut off is done again when the session is resumed.
    options.signal?.throwIfAborted();
    // Messages of ours name variables and rules, never content.
    if (error instanceof AssayError) return error.message;
    throw error;
  }
}

async function expand(options: Reactions, args: PlannedCall['arguments']): Promise<string> {
  const { session } = options;
  const { design, state } = session;
  const named = names(args.variables);
  const endorse = design.endorse && args.endorse === true;
  if (endorse && !(await endorsed(options, named))) {
    return 'The human did not endorse these variables. They stay hidden.';
  }
  // Without endorsement the context falls to the join of all that is hidden, so there is no reason to hold
  // back.
  const revealed = endorse || design.expand === 'one' ? named : [...state.hidden];
  if (design.expand === 'one' && revealed.length !== 1) return 'Name exactly one variable.';
  session.expand(revealed);
  const lines = revealed.map((name) => `${name}: ${textOf(session.variable(name).value)}`);
  return shortened(session, lines.join('\n'));
}

async function endorsed(options: Reactions, named: readonly string[]): Promise<boolean> {
  const { session, approvals, oversight, signal } = options;
  if (named.length === 0) return false;
  // Certified before, for instance before the session was cut off: a human need not say it twice.
  if (named.every((name) => session.state.endorsed.has(name))) return true;
  const subject = endorsementSubject(session, named);
  const answer = await seekApproval(
    approvals,
    oversight,
    subject,
    endorsementEvidence(session, named),
    signal,
  );
  signal?.throwIfAborted();
  const yes = answer.decision === 'approve' && approvals.redeem(answer.ticket.token, subject).ok;
  if (yes) session.endorse(named);
  else session.refuse(named);
  return yes;
}

async function quarantine(options: Reactions, args: PlannedCall['arguments']): Promise<string> {
  const { session, quarantine: model, signal } = options;
  if (!model || !session.design.quarantine) return `${ifcTool.quarantine} is not available.`;
  const question = typeof args.question === 'string' ? args.question : '';
  const named = names(args.variables);
  const inputs = named.map((name) => ({ name, value: session.variable(name).value }));
  const type = parseAnswerType(typeof args.type === 'string' ? args.type : 'text');
  const answer = await model.ask({ question, inputs, type, ...(signal && { signal }) }).catch(noAnswer);
  // An answer outside its type says the same as none, so that data cannot choose between two messages.
  if (answer?.kind !== 'answer') return needsMore;
  return `The answer is in ${session.extract(question, named, answer.value)}.`;
}

/**
 * Why an endpoint gave no answer may be the data's doing, and its words may quote the data: the planner sees
 * neither.
 */
function noAnswer(error: unknown): undefined {
  if (error instanceof ModelError && error.code !== 'model/cancelled') return undefined;
  throw error;
}

function names(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
}
