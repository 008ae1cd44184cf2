/** Whether a session made the calls that a task is known to need. */
import { isDeepStrictEqual } from 'node:util';
import type { Call, Session } from '../../planner/agent/session/session.js';

/**
 * True where the consequential calls that went through are those of `steps`, each once and in any order. What
 * a call sends is free text and open; all its other arguments must be equal.
 */
export function madeKnownCalls(session: Session, steps: readonly Call[]): boolean {
  const consequential = (call: { readonly tool: string }) => session.policyOf(call.tool).consequential;
  const made = session.state.calls
    .filter((call) => call.outcome === 'returned' && consequential(call))
    .map(({ tool, arguments: args }) => ({
      tool,
      arguments: new Map(args.map((each) => [each.name, each.value])),
    }));
  for (const step of steps.filter(consequential)) {
    const at = made.findIndex((call) => call.tool === step.tool && sameCall(session, step, call.arguments));
    if (at < 0) return false;
    made.splice(at, 1);
  }
  return made.length === 0;
}

/** Equal but for what is sent. */
export function sameCall(session: Session, step: Call, made: ReadonlyMap<string, unknown>): boolean {
  const open = new Set(session.policyOf(step.tool).data.map((term) => term.argument));
  const expected = new Map(Object.entries(step.arguments));
  return [...new Set([...expected.keys(), ...made.keys()])].every(
    (name) => open.has(name) || isDeepStrictEqual(expected.get(name) ?? null, made.get(name) ?? null),
  );
}
