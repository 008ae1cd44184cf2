/**
 * What a forecast is asked and what it answers: plain data. Labels, names and policy only. No content of a
 * variable is in it, so that what is computed from it may be shown to the planner model.
 */
import type { Label, Principal, Readers } from '../../../semiring/label/label.js';
import type { PolicyRule } from '../policy/policy.js';

/** A name that the session issued (`#read_file-1#`), or that stands for what a step of the plan will give. */
export type Name = string;

/** A variable that exists when the plan begins. */
export interface Variable {
  readonly name: Name;
  readonly label: Label;
  /**
   * The reading of its integrity in minimal witnesses (PosBool over root variables): endorsing all roots of
   * any one of them makes it trusted. A trusted variable: `[[]]`. One that nothing can make trusted: `[]`. An
   * untrusted root variable: `[[its own name]]`.
   */
  readonly witnesses: readonly (readonly Name[])[];
  /** The planner model has seen its content already. */
  readonly visible?: boolean;
}

export interface StepArgument {
  readonly name: string;
  /** Variables that are passed by name, content unseen. */
  readonly variables: readonly Name[];
  /** Variables whose content must be known to write this argument, as literal text or a typed value. */
  readonly reads: readonly Name[];
  /** A quarantined query over `reads` can produce it, so the planner model need not see them. */
  readonly extractable: boolean;
}

/** One call that the model intends. */
export interface Step {
  readonly id: string;
  readonly tool: string;
  readonly rule: PolicyRule;
  /** Arguments whose own label must be T for a trusted action. */
  readonly trustedArguments: readonly string[];
  /** Arguments whose readers a permitted flow compares with the recipients. */
  readonly data: readonly string[];
  /** Who receives the data; `unknown` (not yet to be resolved) fails, an empty set holds. */
  readonly recipients: Readers | 'unknown';
  readonly arguments: readonly StepArgument[];
  /** Variables that must be seen before it is known whether and how to call at all: no query can stand in. */
  readonly reads: readonly Name[];
  /** Ids of steps that must come before: effects in order. Use of a result orders by itself. */
  readonly after: readonly string[];
  /** What it gives, as a variable named `name`; absent: nothing that later steps use or that is shown. */
  readonly result?: StepResult;
}

export interface StepResult {
  readonly name: Name;
  /** By the policy; the label of the call, and of `echoes`, is joined to it. */
  readonly label: Label;
  /** Arguments whose label the result takes on. */
  readonly echoes: readonly string[];
}

/** What a design may do; `expand`: one variable at a time, or all hidden ones at once. */
export interface Capabilities {
  readonly hides: boolean;
  readonly quarantine: boolean;
  readonly expand: 'none' | 'one' | 'all';
  readonly endorse: boolean;
}

/** Prices in human interventions: values of the tropical semiring. */
export interface Prices {
  /** A call that is not determined to comply. */
  readonly approve: number;
  /**
   * A request for endorsement. One request may name several roots: a human answers once, so it counts once.
   */
  readonly endorse: number;
  /** In addition, for each root variable named. */
  readonly endorseRoot: number;
  readonly quarantine: number;
}

export const interventions: Prices = Object.freeze({ approve: 1, endorse: 1, endorseRoot: 0, quarantine: 0 });

export interface Plan {
  readonly context: Label;
  readonly variables: readonly Variable[];
  /** In the order that the model wrote. */
  readonly steps: readonly Step[];
  readonly capabilities: Capabilities;
  readonly prices?: Prices;
}

/** What a strategy may use beyond asking for approval. */
export interface Strategy {
  readonly endorse: boolean;
  readonly quarantine: boolean;
  readonly reorder: boolean;
}

/** A step as it would be done. */
export interface PlannedStep {
  readonly id: string;
  /** Root variables endorsed right before, in one request. */
  readonly endorses: readonly Name[];
  /** Variables shown to the planner model right before. */
  readonly reveals: readonly Name[];
  /** Arguments that come from a quarantined query. */
  readonly quarantines: readonly string[];
  /** Predicted label of the call, the context's. */
  readonly label: Label;
  readonly arguments: readonly { readonly name: string; readonly label: Label }[];
  readonly decision: 'complies' | 'asks';
}

export interface Outlook {
  /** The least price found; Infinity where the strategy cannot do the plan at all. */
  readonly price: number;
  /** The least there is; false: `price` is an upper bound. */
  readonly exact: boolean;
  readonly steps: readonly PlannedStep[];
}

export interface Forecast {
  /** In the order written, approving whatever does not comply. */
  readonly approve: Outlook;
  readonly endorse: Outlook;
  readonly quarantine: Outlook;
  readonly reorder: Outlook;
  /** With everything that the design can do. */
  readonly best: Outlook;
  /** The first of `approve`, `quarantine`, `reorder`, `endorse`, `best` with the least price. */
  readonly cheapest: 'approve' | 'quarantine' | 'reorder' | 'endorse' | 'best';
}

export type { Label, Principal };
