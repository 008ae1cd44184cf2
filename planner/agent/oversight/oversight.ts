/**
 * Who answers a request. The one thing to know: only the word `approve`, in time, approves. A failure, a
 * timeout, an abort or any other value is a denial.
 */
import type { Approvals, Ticket, Verdict } from './approvals.js';
import type { ApprovalRequest, Evidence, Subject } from './request.js';

export interface Oversight {
  /**
   * @param signal fires when the request expires or the session ends: nobody listens to the answer any more
   */
  review(request: ApprovalRequest, signal: AbortSignal): Promise<Verdict>;
}

/** For measuring: what would go through if a human always said yes. Not for use. */
export const approveAll: Oversight = { review: async () => 'approve' };

/** For running with nobody to ask. */
export const denyAll: Oversight = { review: async () => 'deny' };

/** Asks a function, for example one that shows a dialog. */
export function askCallback(
  ask: (request: ApprovalRequest, signal: AbortSignal) => Verdict | Promise<Verdict>,
): Oversight {
  return { review: async (request, signal) => ask(request, signal) };
}

/** The ticket to redeem right before the call runs, and what was answered. */
export interface AnsweredTicket {
  readonly ticket: Ticket;
  readonly decision: Verdict;
}

/**
 * Requests an approval, waits for its answer, and enters it in the registry. What it returns is not yet
 * permission: `approvals.redeem(ticket.token, …)` with the call as it will run is.
 */
export async function seekApproval(
  approvals: Approvals,
  oversight: Oversight,
  subject: Subject,
  evidence: Evidence = {},
  signal?: AbortSignal,
): Promise<AnsweredTicket> {
  const ticket = approvals.request(subject);
  const { id, digest, expires } = ticket;
  let decision: Verdict;
  try {
    const request: ApprovalRequest = { id, subject, digest, evidence, expires };
    decision = await firstOf(oversight, request, approvals.lifetime, signal);
  } catch {
    decision = 'deny';
  }
  const entered = approvals.answer(ticket.token, decision === 'approve' ? 'approve' : 'deny');
  return { ticket, decision: entered.ok && decision === 'approve' ? 'approve' : 'deny' };
}

async function firstOf(
  oversight: Oversight,
  request: ApprovalRequest,
  lifetime: number,
  outer?: AbortSignal,
): Promise<Verdict> {
  if (outer?.aborted) return 'deny';
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, Math.min(lifetime, longestTimer));
  outer?.addEventListener('abort', abort, { once: true });
  const aborted = new Promise<Verdict>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve('deny'), { once: true });
  });
  try {
    return await Promise.race([oversight.review(request, stop.signal), aborted]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

/** A longer delay overflows setTimeout and would fire at once. */
const longestTimer = 2 ** 31 - 1;
