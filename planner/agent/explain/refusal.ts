/** What the planner is told about a call that did not go through: names, integrity and policy text only. */
import { type Violation as Refused, retryMessage, type ViolationArgument } from '../forecast/retry.js';
import { product } from '../forecast/state.js';
import { capabilitiesOf } from '../loop/plan-tool.js';
import type { DecidedCall, Session } from '../session/session.js';

/** @param mode `retry` also says what would comply, cheapest first */
export function refusalMessage(session: Session, decided: DecidedCall, mode: 'deny' | 'retry'): string {
  if (mode === 'deny')
    return `The call of ${decided.tool} was not made: it does not comply with the policy, and was denied.`;
  return retryMessage(refusedCall(session, decided, false));
}

/** A call that does not comply, without its content. */
export function refusedCall(session: Session, decided: DecidedCall, mayAsk: boolean): Refused {
  const { state, design } = session;
  const { policy } = decided;
  const variables = state.call(decided.call)?.variables;
  const args = decided.arguments
    // A model may write any name as an argument's; only those that the policy declares are repeated to it.
    .filter(({ name }) => isDeclared(decided, name))
    .map(({ name, label }): ViolationArgument => {
      const used = variables?.get(name) ?? [];
      return { name, integrity: label.integrity, variables: used, witnesses: witnessesOf(session, used) };
    });
  return {
    tool: decided.tool,
    rule: policy.rule,
    trustedArguments: policy.trustedArguments,
    data: policy.data.map((term) => term.argument),
    refusesLinks: policy.links === 'refuse',
    context: decided.label.integrity,
    contextFrom: untrustedCalls(session, decided),
    arguments: args,
    hidden: newest(state.hidden),
    capabilities: capabilitiesOf(design),
    mayAsk,
  };
}

/** At most this many variables are offered: the ones that came last. */
const mostOffered = 20;

function newest(names: ReadonlySet<string>): string[] {
  const first = names.size - mostOffered;
  let at = 0;
  const last: string[] = [];
  for (const name of names) if (at++ >= first) last.push(name);
  return last;
}

/** Minimal sets of variables whose endorsement makes text that uses all of `used` trusted. */
function witnessesOf(session: Session, used: readonly string[]): readonly (readonly string[])[] {
  return used
    .map((name) => session.state.witnessesOf(session.variable(name)))
    .reduce((all, each) => product(all, each), [[]] as readonly (readonly string[])[]);
}

function isDeclared({ policy }: DecidedCall, name: string): boolean {
  return policy.trustedArguments.includes(name) || policy.data.some((term) => term.argument === name);
}

/** The calls whose visible results made the context untrusted, as `read_file #1`. */
function untrustedCalls(session: Session, decided: DecidedCall): string[] {
  if (decided.label.integrity === 'T') return [];
  const { state } = session;
  const turn = state.call(decided.call)?.turn ?? 0;
  const calls = new Set<number>();
  for (const cell of state.cells) {
    if (cell.shown !== undefined && cell.shown < turn && !state.isCertified(cell)) calls.add(cell.call);
  }
  return [...calls].flatMap((call) => {
    const record = state.call(call);
    return record ? [`${record.tool} #${call}`] : [];
  });
}
