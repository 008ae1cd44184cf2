/**
 * What happens in a session, as data. A session's state is a fold over its events, and an event holds all
 * that the fold needs (labels included), so that a log can be replayed, resumed and audited without asking
 * the policy's directories again.
 */
import type { Label } from '../../../semiring/label/label.js';
import type { Decision, LabelledArgument, Violation } from '../decision/decide.js';
import type { Leaf } from '../label/labelling.js';
import type { PlannedCall } from '../planners/planner.js';

/** Calls are numbered from 1 in the order in which they were decided. */
export type CallNumber = number;

export type SessionEvent =
  | {
      readonly kind: 'started';
      readonly session: string;
      readonly design: string;
      readonly policy: string;
      readonly profile?: string;
    }
  /** Text of the user: trusted. */
  | { readonly kind: 'prompted'; readonly text: string }
  /** The planner model answered with one or more calls; they are all decided on the context as it is now. */
  | {
      readonly kind: 'turned';
      readonly turn: number;
      readonly text?: string;
      readonly calls?: readonly PlannedCall[];
    }
  /** What the planner was shown of the call number `at` (from 0) of the current turn. */
  | { readonly kind: 'observed'; readonly at: number; readonly text: string }
  | {
      readonly kind: 'decided';
      readonly call: CallNumber;
      /** Which of the turn's calls it is, from 0; absent where a host keeps the turns to itself. */
      readonly at?: number;
      readonly tool: string;
      /** After substitution. */
      readonly arguments: readonly LabelledArgument[];
      /** The variables that each argument used; an argument without any is absent. */
      readonly variables: ReadonlyMap<string, readonly string[]>;
      readonly label: Label;
      readonly decision: Decision;
    }
  /** A human was asked and answered about a call that did not comply. */
  | { readonly kind: 'reviewed'; readonly call: CallNumber; readonly verdict: 'approve' | 'deny' }
  /** The tool is about to run: without a `returned` or `failed` after it, the effect may have happened. */
  | { readonly kind: 'dispatched'; readonly call: CallNumber }
  | {
      readonly kind: 'returned';
      readonly call: CallNumber;
      readonly value: unknown;
      readonly leaves: readonly Leaf[];
    }
  | { readonly kind: 'failed'; readonly call: CallNumber; readonly text: string; readonly label: Label }
  /** Hidden variables were shown to the planner; without endorsement their labels joined the context's. */
  | { readonly kind: 'expanded'; readonly variables: readonly string[] }
  /** A human certified these variables: their integrity is T from now on. */
  | { readonly kind: 'endorsed'; readonly variables: readonly string[] }
  /** A human was asked to endorse and said no. */
  | { readonly kind: 'refused'; readonly variables: readonly string[] }
  /** A quarantined model answered from `variables`; the answer is the new variable `name`. */
  | {
      readonly kind: 'extracted';
      readonly name: string;
      readonly question: string;
      readonly variables: readonly string[];
      readonly value: unknown;
    }
  | { readonly kind: 'planned'; readonly text: string }
  | { readonly kind: 'answered'; readonly text: string; readonly refused?: boolean };

/** The same event with each of its labels replaced. */
export function mapLabels(event: SessionEvent, map: (label: Label) => Label): SessionEvent {
  switch (event.kind) {
    case 'decided':
      return {
        ...event,
        label: map(event.label),
        arguments: event.arguments.map((argument) => ({
          ...argument,
          label: map(argument.label),
          ...(argument.stored && { stored: map(argument.stored) }),
        })),
        decision: mapDecision(event.decision, map),
      };
    case 'returned':
      return { ...event, leaves: event.leaves.map((leaf) => ({ ...leaf, label: map(leaf.label) })) };
    case 'failed':
      return { ...event, label: map(event.label) };
    default:
      return event;
  }
}

function mapDecision(decision: Decision, map: (label: Label) => Label): Decision {
  if (decision.verdict === 'allow') return decision;
  const violations = decision.violations.map(
    (violation): Violation =>
      'label' in violation ? { ...violation, label: map(violation.label) } : violation,
  );
  return { verdict: 'violation', violations };
}
