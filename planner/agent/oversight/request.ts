/**
 * What a human is asked. A `Subject` is the exact thing that is approved and is hashed into the request;
 * `Evidence` only explains it and is not part of what is approved.
 */
import type { Label } from '../../../semiring/label/label.js';
import { digest } from './canonical.js';

/** One call with its arguments after substitution, or the endorsement of root variables. */
export type Subject = CallSubject | EndorsementSubject;

export interface CallSubject {
  readonly kind: 'call';
  readonly session: string;
  /** The call's id within the session: two equal calls need two approvals. */
  readonly call: string;
  readonly tool: string;
  /** The label of the call itself: the context's. */
  readonly label: Label;
  readonly arguments: readonly LabelledValue[];
  /** The checks that failed, such as `trusted-action: recipient`; their order does not matter. */
  readonly violations: readonly string[];
}

export interface EndorsementSubject {
  readonly kind: 'endorsement';
  readonly session: string;
  readonly call: string;
  /** The root variables that would become trusted, with the content that a human certifies. */
  readonly variables: readonly LabelledValue[];
}

/** An argument after substitution, or a variable with its content. */
export interface LabelledValue {
  readonly name: string;
  readonly value: unknown;
  readonly label: Label;
}

/**
 * Why, from where, and what else could be done. Any text in it may hold untrusted data: the renderer escapes
 * all.
 */
export interface Evidence {
  /** The rules that failed, in words of the policy. */
  readonly reasons?: readonly string[];
  /** By name of the argument or variable. */
  readonly origins?: ReadonlyMap<string, readonly ValueOrigin[]>;
  readonly copies?: ReadonlyMap<string, readonly Copy[]>;
  /** Ways that would comply, with their price in interventions. */
  readonly alternatives?: readonly { readonly way: string; readonly price: number }[];
}

/** A node of a proof tree: `cell content of read_file #1`, detail `file bill.txt`. */
export interface ValueOrigin {
  readonly what: string;
  readonly label: Label;
  readonly detail?: string;
  readonly from?: readonly ValueOrigin[];
}

/** A finding of the contains operator: this part of a literal stands in that cell. */
export interface Copy {
  readonly text: string;
  readonly from: ValueOrigin;
}

/**
 * What oversight receives. It holds no token: whoever shows a request on a screen or in a log gives nothing
 * away.
 */
export interface ApprovalRequest {
  /** Public name, such as `approval-3`. */
  readonly id: string;
  readonly subject: Subject;
  /** SHA-256 of the subject. */
  readonly digest: string;
  readonly evidence: Evidence;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** SHA-256 over the canonical text of all that is approved. */
export function digestOf(subject: Subject): string {
  const values = (list: readonly LabelledValue[]) =>
    new Map(
      list.map(({ name, value, label }, index) => [
        `${index} ${name}`,
        [name, value, label.integrity, label.readers],
      ]),
    );
  const common = [subject.kind, subject.session, subject.call];
  return subject.kind === 'call'
    ? digest([
        ...common,
        subject.tool,
        [subject.label.integrity, subject.label.readers],
        values(sorted(subject.arguments)),
        new Set(subject.violations),
      ])
    : digest([...common, values(sorted(subject.variables))]);
}

function sorted(list: readonly LabelledValue[]): readonly LabelledValue[] {
  return [...list].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
