/** What the planner model is shown of a call's outcome or a revealed variable: text of limited length. */
import { defaultLimits } from '../policy/policy.js';
import type { CallNumber } from './event.js';
import type { Session } from './session.js';
import { textOf } from './variables.js';

/** The outcome of a call; what is beyond the policy's limit is cut off, and said to be. */
export function shown(session: Session, call: CallNumber): string {
  return shortened(session, textOf(session.visible(call)));
}

/** `text`, or its beginning and how much is missing. */
export function shortened({ policy }: Session, text: string): string {
  const { shown: most } = policy.limits ?? defaultLimits;
  if (text.length <= most) return text;
  const missing = (text.length - most).toLocaleString('en-US');
  return `${text.slice(0, most)}\n(${missing} more characters are not shown.)`;
}
