/** From a session to what a human is asked about: the exact call, or the exact variables. */
import type { Violation } from '../decision/decide.js';
import type { CallSubject, EndorsementSubject } from '../oversight/request.js';
import type { DecidedCall, Session } from '../session/session.js';

export function callSubject(session: Session, decided: DecidedCall): CallSubject {
  const { decision } = decided;
  return {
    kind: 'call',
    session: session.state.session,
    call: `${decided.call}`,
    tool: decided.tool,
    label: decided.label,
    arguments: decided.arguments,
    violations: decision.verdict === 'violation' ? decision.violations.map(violationName) : [],
  };
}

/** What is certified: the named variables with their content. */
export function endorsementSubject(session: Session, names: readonly string[]): EndorsementSubject {
  const { state } = session;
  return {
    kind: 'endorsement',
    session: state.session,
    call: `turn ${state.turn}`,
    variables: names.map((name) => {
      const variable = session.variable(name);
      return { name, value: variable.value, label: state.labelOf(variable) };
    }),
  };
}

/** Short, of fixed wording and argument names: `untrusted: recipient`. */
export function violationName(violation: Violation): string {
  const argument = 'argument' in violation ? violation.argument : undefined;
  return argument === undefined ? violation.kind : `${violation.kind}: ${argument}`;
}
