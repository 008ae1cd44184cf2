/** `ifc_plan`: the planner writes down the steps that it intends. */
import type { Session } from './session.js';
import { textOf } from './variables.js';

export function planReply(session: Session, args: Readonly<Record<string, unknown>>): string {
  session.plan(textOf(args.steps ?? args.plan ?? ''));
  return 'The plan is noted.';
}
