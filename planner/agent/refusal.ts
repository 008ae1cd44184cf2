/** What the planner is told about a call that did not go through: fixed wording and names only. */
import { violationName } from './review.js';
import type { DecidedCall, Session } from './session.js';

export function refusalMessage(_session: Session, decided: DecidedCall, _mode: 'deny' | 'retry'): string {
  const { decision } = decided;
  const violations = decision.verdict === 'violation' ? decision.violations.map(violationName) : [];
  return `The call was not made: it does not comply with the policy (${violations.join('; ')}).`;
}
