/** From a session to what a human is asked about: the exact call, or the exact variables. */
import type { Violation } from './decide.js';
import type { CallSubject, EndorsementSubject, Evidence } from './oversight/request.js';
import type { DecidedCall, Session } from './session.js';

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

const words: Readonly<Record<Violation['kind'], string>> = {
  consequential: 'the call is consequential',
  untrusted: 'the policy demands trust, and this is untrusted',
  unreadable: 'recipients may not read this',
  link: 'untrusted data holds a link',
  unresolved: 'it cannot be told who would receive the data',
};

/** Why, for the human. */
export function callEvidence(_session: Session, decided: DecidedCall): Evidence {
  const { decision } = decided;
  if (decision.verdict === 'allow') return {};
  return {
    reasons: decision.violations.map((violation) => {
      const what =
        'argument' in violation && violation.argument !== undefined ? violation.argument : 'the context';
      return violation.kind === 'consequential' ? words.consequential : `${what}: ${words[violation.kind]}`;
    }),
  };
}
