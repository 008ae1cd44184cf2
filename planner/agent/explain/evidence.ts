/**
 * What a human is shown beside a request: why it is asked, where each value came from, which untrusted cells
 * a literal was copied from, and what would have been cheaper. The one thing to know: evidence explains, it
 * decides nothing. Copies are found by `contains`; that none is found proves nothing.
 */
import { type Label, labelAtMost } from '../../../semiring/label/label.js';
import type { Violation } from '../decision/decide.js';
import { waysOn } from '../forecast/retry.js';
import type { Copy, Evidence, ValueOrigin } from '../oversight/request.js';
import type { DecidedCall, Session } from '../session/session.js';
import type { Cell } from '../session/session-state.js';
import { textOf } from '../session/variables.js';
import { copies } from './copies.js';
import { sources } from './culprits.js';
import { refusedCall } from './refusal.js';

/** Shorter texts occur everywhere: a finding would say nothing. */
const shortestCopy = 4;
/** So many findings of one argument are named. */
const mostCopies = 5;

export function callEvidence(session: Session, decided: DecidedCall): Evidence {
  const { decision } = decided;
  if (decision.verdict === 'allow') return {};
  const variables = session.state.call(decided.call)?.variables ?? new Map<string, readonly string[]>();
  return {
    reasons: reasons(session, decided, decision.violations),
    origins: new Map(
      [...variables].map(([name, used]) => [name, used.map((each) => originOf(session, each))]),
    ),
    copies: copiesIn(session, decided, variables),
    alternatives: waysOn(refusedCall(session, decided, true)),
  };
}

/** For an endorsement: where each variable came from. */
export function endorsementEvidence(session: Session, names: readonly string[]): Evidence {
  return {
    reasons: ['the agent asks to read this; without your word its context would become untrusted'],
    origins: new Map(names.map((name) => [name, [originOf(session, name)]])),
  };
}

const words: Readonly<Record<Violation['kind'], string>> = {
  consequential: 'the call is consequential',
  untrusted: 'the policy demands trust, and this is untrusted',
  unreadable: 'not everyone who would receive this may read it',
  link: 'untrusted data in it holds a link',
  unresolved: 'it cannot be told who would receive the data',
};

/** Each violation in words, and the results that it comes from; what several have in common is said once. */
function reasons(session: Session, decided: DecidedCall, violations: readonly Violation[]): string[] {
  const record = session.state.call(decided.call);
  const said = new Set<string>();
  const asked = new Set<Violation['kind']>();
  for (const violation of violations) {
    const argument = 'argument' in violation ? violation.argument : undefined;
    said.add(argument === undefined ? words[violation.kind] : `${argument}: ${words[violation.kind]}`);
    const isVariable = argument !== undefined && record?.variables.has(argument);
    if (isVariable || asked.has(violation.kind)) continue;
    asked.add(violation.kind);
    const { state, relations, policy } = session;
    const from = sources(state, relations, record?.turn ?? 0, violation, policy.principals.user);
    if (from.length > 0) said.add(`that comes from ${from.join(', ')}`);
  }
  return [...said];
}

/** A variable's proof tree: its cell, or the answer of the quarantined model with the cells that it read. */
function originOf(session: Session, name: string): ValueOrigin {
  const variable = session.variable(name);
  if (variable.cell.call !== 0) return cellOrigin(session, variable.cell);
  return {
    what: `answer of the quarantined model, ${name}`,
    label: variable.cell.label,
    from: variable.roots.map((cell) => cellOrigin(session, cell)),
  };
}

function cellOrigin(session: Session, cell: Cell): ValueOrigin {
  const record = session.state.call(cell.call);
  if (!record) return { what: `answer of the quarantined model, ${cell.field}`, label: cell.label };
  const args = record.arguments.map(({ name, value }) => `${name} ${textOf(value)}`).join(', ');
  const row = cell.row < 0 ? '' : ` in row ${cell.row}`;
  const what = cell.field === '' ? 'result' : `cell ${cell.field}${row}`;
  return {
    what: `${what} of ${record.tool} #${cell.call}`,
    label: cell.label,
    ...(args !== '' && { detail: args }),
  };
}

/** For each literal argument, the untrusted or narrower cells that hold its text. */
function copiesIn(
  session: Session,
  decided: DecidedCall,
  variables: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly Copy[]> {
  const literals = decided.arguments.filter(({ name }) => !variables.has(name));
  const texts = new Map(literals.map(({ name, value }) => [name, textsIn(value)]));
  const found = copies(session.state, session.relations, [...texts.values()].flat());
  const result = new Map<string, readonly Copy[]>();
  for (const [name, parts] of texts) {
    const list = parts.flatMap((text) =>
      (found.get(text) ?? [])
        .filter((cell) => isNotable(cell.label, session.state.space.bottom))
        .map((cell): Copy => ({ text, from: cellOrigin(session, cell) })),
    );
    if (list.length > 0) result.set(name, list.slice(0, mostCopies));
  }
  return result;
}

function isNotable(label: Label, bottom: Label): boolean {
  return !labelAtMost(label, bottom);
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  const text = typeof value === 'string' || typeof value === 'number' ? textOf(value) : '';
  return text.length < shortestCopy ? [] : [text];
}
