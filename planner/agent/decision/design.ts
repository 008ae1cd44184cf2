/**
 * The planner designs as data: what the session may do, and what a human is asked. A design is a row of this
 * table and nothing else; the machinery is the same for all, and a user may add a row.
 */
import { AssayError } from '../../../semiring/message/error.js';
import { nearest } from '../../../semiring/message/nearest.js';

export interface Design {
  readonly name: string;
  /** Labels are tracked and the policy decides; without them a human sees every consequential call. */
  readonly labels: boolean;
  /**
   * Which leaves are hidden from the planner model: those whose integrity, or whole label, is above the
   * context's.
   */
  readonly hides: 'nothing' | 'integrity' | 'label';
  /** A quarantined model may answer questions about hidden variables. */
  readonly quarantine: boolean;
  /** What one expansion reveals. */
  readonly expand: 'nothing' | 'one' | 'all';
  /** A human may endorse variables, so that revealing them keeps the context's integrity. */
  readonly endorse: boolean;
  /** The model must write plans, is told what each choice costs, and tool descriptions carry the policy. */
  readonly plans: boolean;
}

export const Basic: Design = {
  name: 'basic',
  labels: false,
  hides: 'nothing',
  quarantine: false,
  expand: 'nothing',
  endorse: false,
  plans: false,
};

export const BasicIFC: Design = { ...Basic, name: 'basic-ifc', labels: true };

export const Fides: Design = {
  ...BasicIFC,
  name: 'fides',
  hides: 'integrity',
  quarantine: true,
  expand: 'one',
};

export const Prudentia: Design = {
  ...Fides,
  name: 'prudentia',
  expand: 'all',
  endorse: true,
  plans: true,
};

export const designs: readonly Design[] = [Basic, BasicIFC, Fides, Prudentia];

/** @throws AssayError `design/unknown`, naming the nearest design */
export function designNamed(name: string): Design {
  const found = designs.find((design) => design.name === name.toLowerCase());
  if (found) return found;
  const names = designs.map((design) => design.name);
  throw new AssayError('design/unknown', `unknown design ${JSON.stringify(name)}; ${nearest(name, names)}`);
}
