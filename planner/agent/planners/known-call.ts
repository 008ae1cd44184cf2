/**
 * How a planner that knows a task's calls makes them under a design that hides: which arguments it has to
 * pass as variables, and what revealing hidden data would cost the calls to come.
 */
import type { Call, Session } from '../session/session.js';
import type { SessionRelations } from '../session/session-relations.js';
import { textOf } from '../session/variables.js';
import { sourcesOf } from './source.js';

/**
 * The call as it can be written without seeing what is hidden: an argument (or an item of a list) that is the
 * whole of a hidden leaf becomes its variable, a part of one becomes what `part` gives.
 */
export function writeCall(
  session: Session,
  relations: SessionRelations,
  call: Call,
  part: (value: unknown, variable: string) => unknown,
): Call {
  const sources = sourcesOf(session, relations, textsIn(call));
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write);
    const source = isText(value) ? sources.get(textOf(value)) : undefined;
    if (source === undefined || source.kind === 'literal') return value;
    return source.kind === 'variable' ? source.variable.name : part(value, source.variable.name);
  };
  const args = Object.entries(call.arguments).map(([name, value]) => [name, write(value)]);
  return { tool: call.tool, arguments: Object.fromEntries(args) };
}

/** Arguments that are text or numbers, and the items of those that are lists. */
function textsIn(call: Call): string[] {
  const texts = (value: unknown): string[] =>
    Array.isArray(value) ? value.flatMap(texts) : isText(value) ? [textOf(value)] : [];
  return Object.values(call.arguments).flatMap(texts);
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Whether a call bears a policy at all. */
export function bearsPolicy(session: Session, call: Call): boolean {
  return session.policyOf(call.tool).rule !== 'none';
}

/** How many of `calls` would not comply in a context that has seen all that is hidden now. */
export function violationsAfterReveal(session: Session, calls: readonly Call[]): number {
  const { state } = session;
  const labels = [...state.hidden].map((name) => state.labelOf(session.variable(name)));
  const context = state.space.joinAll([state.context, ...labels]);
  return calls.filter((call) => session.preview(call, context).verdict === 'violation').length;
}
