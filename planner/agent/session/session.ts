/**
 * A session of an agent: what it has seen, what is hidden from it, and what it may do. The one thing to know:
 * every method turns into events and every event goes through `SessionState.apply`, so the log is the
 * session; the session itself runs no tool, asks no human and calls no model.
 */

import type { Label, Readers } from '../../../semiring/label/label.js';
import { AssayError } from '../../../semiring/message/error.js';
import { nearest } from '../../../semiring/message/nearest.js';
import { Decider, type Decision, type LabelledArgument } from '../decision/decide.js';
import type { Design } from '../decision/design.js';
import { LabelSpace } from '../label/label-space.js';
import { type LabelledCall, Labeller } from '../label/labelling.js';
import { mapLeaves } from '../label/leaf.js';
import { emptyDirectory, PrincipalResolver } from '../label/principals.js';
import type { PlannedCall } from '../planners/planner.js';
import {
  type Directory,
  type ObjectRule,
  type Policy,
  type ToolPolicy,
  undeclared,
} from '../policy/policy.js';
import { type CallNumber, mapLabels, type SessionEvent } from './event.js';
import { SessionRelations } from './session-relations.js';
import { type CallRecord, SessionState, type Variable } from './session-state.js';
import { substitute, unknownNames } from './variables.js';

export interface SessionOptions {
  readonly policy: Policy;
  readonly design: Design;
  readonly directory?: Directory;
  /** Names the session in its log and in approvals. */
  readonly id?: string;
  /** Called with every event, after it has been applied. */
  readonly log?: (event: SessionEvent) => void;
  /** The session goes on from a log: no event is made, `replay` brings those of the log. */
  readonly resumes?: boolean;
}

/** A tool call as a planner writes it. */
export interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call that has been decided and numbered. */
export interface DecidedCall {
  readonly call: CallNumber;
  readonly tool: string;
  readonly policy: ToolPolicy;
  readonly label: Label;
  readonly arguments: readonly LabelledArgument[];
  readonly decision: Decision;
}

export class SessionError extends AssayError {}

export class Session {
  readonly policy: Policy;
  readonly design: Design;
  readonly state: SessionState;
  readonly #directory: Directory;
  readonly #resolver: PrincipalResolver;
  readonly #labeller: Labeller;
  readonly #decider: Decider;
  readonly #log: ((event: SessionEvent) => void) | undefined;
  readonly #undeclared = new Map<string, ToolPolicy>();
  #relations: SessionRelations | undefined;

  constructor(options: SessionOptions) {
    this.policy = options.policy;
    this.design = options.design;
    this.#directory = options.directory ?? emptyDirectory;
    this.#log = options.log;
    const space = new LabelSpace();
    this.state = new SessionState(space, options.design);
    this.#resolver = new PrincipalResolver(this.policy, this.#directory);
    this.#labeller = new Labeller(space, this.#resolver);
    this.#decider = new Decider(this.design, this.#resolver, this.policy.principals.user);
    if (options.resumes) return;
    this.#emit({
      kind: 'started',
      session: options.id ?? 'session',
      design: this.design.name,
      policy: this.policy.source,
      ...(this.policy.profile === undefined ? {} : { profile: this.policy.profile }),
    });
  }

  /** Every event so far went through here; see {@link SessionState.apply}. */
  #emit(event: SessionEvent): void {
    this.state.apply(event);
    this.#log?.(event);
  }

  /** Applies an event of a log. Nothing is decided or labelled anew, and the event is not logged again. */
  replay(event: SessionEvent): void {
    this.state.apply(mapLabels(event, (label) => this.state.space.intern(label)));
  }

  /** The join of the labels of all that the planner has seen. */
  get context(): Label {
    return this.state.context;
  }

  /** The session as a database; made when first asked for. */
  get relations(): SessionRelations {
    this.#relations ??= new SessionRelations(this.state);
    return this.#relations;
  }

  /** Text of the user: trusted, and readable by everyone whom the user's own actions address. */
  prompt(text: string): void {
    this.#emit({ kind: 'prompted', text });
  }

  /** The planner has answered with calls; all of them are decided on the context as it is now. */
  beginTurn(
    turn = this.state.turn + 1,
    said?: { readonly calls: readonly PlannedCall[]; readonly text?: string },
  ): void {
    this.#emit({ kind: 'turned', turn, ...said });
  }

  /** What the planner is shown of its call number `at` of this turn. */
  observed(at: number, text: string): void {
    this.#emit({ kind: 'observed', at, text });
  }

  /** The policy of a tool; fails closed for one that the policy does not name. */
  policyOf(tool: string): ToolPolicy {
    const declared = this.policy.tools.get(tool);
    if (declared) return declared;
    let closed = this.#undeclared.get(tool);
    if (!closed) {
      closed = undeclared(tool);
      this.#undeclared.set(tool, closed);
    }
    return closed;
  }

  /**
   * Decides a call on the context of the turn's beginning. Variables are substituted first; a literal carries
   * the context's label, whatever its text.
   * @param policy overrides the tool's policy: for a call to a tool that does not exist, which can do nothing
   * @param at which of the turn's calls it is, from 0: what a run that is resumed goes on from
   * @throws SessionError `session/unknown-variable` for a text that has the form of a name and is none;
   *   AssayError `session/too-deep`
   */
  decide(call: Call, policy: ToolPolicy = this.policyOf(call.tool), at?: number): DecidedCall {
    const label = this.state.turnContext;
    const { labelled, variables } = this.#label(call, policy, label);
    const [unknown] = unknownNames(call.arguments, this.#readable);
    if (unknown !== undefined) throw this.#unknownVariable(unknown);
    const decision = this.#decider.decide({ policy, label, arguments: labelled });
    const number = this.state.calls.length + 1;
    this.#emit({
      kind: 'decided',
      call: number,
      ...(at !== undefined && { at }),
      tool: call.tool,
      arguments: labelled,
      variables,
      label,
      decision,
    });
    return { call: number, tool: call.tool, policy, label, arguments: labelled, decision };
  }

  /** A call that was decided before, for instance before the run was cut off. */
  recall({ call, tool, label, arguments: labelled, decision }: CallRecord): DecidedCall {
    return { call, tool, policy: this.policyOf(tool), label, arguments: labelled, decision };
  }

  /** The decision that a call would get in a context of this label; nothing happens. */
  preview(call: Call, context: Label, policy: ToolPolicy = this.policyOf(call.tool)): Decision {
    const { labelled } = this.#label(call, policy, context);
    return this.#decider.decide({ policy, label: context, arguments: labelled });
  }

  /** Who would receive what a call sends; undefined where that cannot be told. */
  recipients(policy: ToolPolicy, args: ReadonlyMap<string, unknown>): Readers | undefined {
    return this.#resolver.recipients(policy.recipients, { arguments: args });
  }

  /** A human's answer about a call that did not comply. */
  review(call: DecidedCall, verdict: 'approve' | 'deny'): void {
    this.#emit({ kind: 'reviewed', call: call.call, verdict });
  }

  /** The tool is about to run. */
  dispatch(call: DecidedCall): void {
    this.#emit({ kind: 'dispatched', call: call.call });
  }

  /**
   * The tool's result; its leaves are labelled, then shown or hidden.
   * @param restriction a label that the tool's server gave: joined with the policy's, so it can only restrict
   */
  returned(call: DecidedCall, value: unknown, restriction?: Label): void {
    // A key is shown with any leaf, so it must not be what makes a leaf be hidden: neither a server's label
    // nor readers.
    const trustsKeys = restriction === undefined && this.design.hides !== 'label';
    const labelled = this.#labeller.leaves(value, call.policy.result, labelledCall(call, trustsKeys));
    const atLeast = restriction && this.state.space.intern(restriction);
    const leaves = atLeast
      ? labelled.map((leaf) => ({ ...leaf, label: this.#join(leaf.label, atLeast) }))
      : labelled;
    this.#emit({ kind: 'returned', call: call.call, value, leaves });
  }

  /**
   * What the planner model may see of a call's outcome: the result with every hidden leaf replaced by its
   * variable's name, or the error text, or its variable's name. Undefined while there is no outcome.
   */
  visible(call: CallNumber): unknown {
    const record = this.state.call(call);
    if (record?.outcome !== 'returned' && record?.outcome !== 'failed') return undefined;
    const names = this.state.namesOf(call);
    let index = 0;
    const show = (value: unknown): unknown => {
      const name = names[index];
      index += 1;
      return name !== undefined && this.state.hidden.has(name) ? name : value;
    };
    if (record.outcome === 'failed') return show(record.error);
    if (record.whole) return show(record.result);
    const keys = { written: writtenArguments(record), trustsKeys: true };
    return mapLeaves(record.result, this.policyOf(record.tool).result, keys, (leaf) => show(leaf.value));
  }

  /** The label of a text that the call's tool wrote in place of a result. */
  textLabel(call: DecidedCall): Label {
    return this.#labeller.textLabel(call.policy, labelledCall(call));
  }

  /**
   * The call failed; the error text carries the label of the call and of its arguments.
   * @param restriction of a text that the tool itself wrote: {@link textLabel}, and what its server says
   */
  failed(call: DecidedCall, text: string, restriction?: Label): void {
    const given = this.#labeller.errorLabel(labelledCall(call));
    const label = restriction ? this.#join(given, this.state.space.intern(restriction)) : given;
    this.#emit({ kind: 'failed', call: call.call, text, label });
  }

  /**
   * Shows hidden variables to the planner; their labels join the context's, for good.
   * @throws SessionError `session/unknown-variable`; `session/no-expansion` where the design does not expand
   */
  expand(names: readonly string[]): void {
    if (this.design.expand === 'nothing') throw notInDesign('expansion', this.design);
    for (const name of names) this.variable(name);
    this.#emit({ kind: 'expanded', variables: [...names] });
  }

  /**
   * A human has certified these variables: their integrity is T from now on, their readers stay.
   * @throws SessionError `session/unknown-variable`; `session/no-endorsement` where the design does not
   *   endorse
   */
  endorse(names: readonly string[]): void {
    if (!this.design.endorse) throw notInDesign('endorsement', this.design);
    for (const name of names) this.variable(name);
    this.#emit({ kind: 'endorsed', variables: [...names] });
  }

  /** A human was asked to endorse these variables and refused. */
  refuse(names: readonly string[]): void {
    this.#emit({ kind: 'refused', variables: [...names] });
  }

  /**
   * The answer of a quarantined model that saw the named variables and nothing else.
   * @returns the name of the new variable
   * @throws SessionError `session/unknown-variable`; `session/no-quarantine` where the design has none
   */
  extract(question: string, names: readonly string[], value: unknown): string {
    if (!this.design.quarantine) throw notInDesign('quarantine', this.design);
    for (const variable of names) this.variable(variable);
    const name = this.state.nextAnswer;
    this.#emit({ kind: 'extracted', name, question, variables: [...names], value });
    return name;
  }

  /** The planner's note of the steps that it intends. */
  plan(text: string): void {
    this.#emit({ kind: 'planned', text });
  }

  /** The planner's last words to the user, as it wrote them. */
  answer(text: string, options: { readonly refused?: boolean } = {}): void {
    this.#emit({ kind: 'answered', text, ...(options.refused && { refused: true }) });
  }

  /** @throws SessionError `session/unknown-variable`, naming the nearest one */
  variable(name: string): Variable {
    const variable = this.state.variables.get(name);
    if (variable) return variable;
    throw this.#unknownVariable(name);
  }

  #unknownVariable(name: string): SessionError {
    const names = this.state.variables.keys();
    return new SessionError(
      'session/unknown-variable',
      `no variable ${JSON.stringify(name.slice(0, 250))} in this session; ${nearest(name, names)}`,
    );
  }

  readonly #readable = (name: string): Variable | undefined => this.state.variables.get(name);

  #label(call: Call, policy: ToolPolicy, context: Label) {
    const variables = new Map<string, readonly string[]>();
    const labelled = Object.entries(call.arguments).map(([name, written]): LabelledArgument => {
      const { value, used } = substitute(written, this.#readable);
      if (used.length > 0) variables.set(name, used);
      let label = context;
      for (const variable of used) label = this.#join(label, this.state.labelOf(this.variable(variable)));
      const object = policy.objects.get(name);
      if (object) label = this.#join(label, this.#objectLabel(object, value));
      const stored = policy.data.find((term) => term.argument === name)?.stored;
      return stored
        ? { name, value, label, stored: this.#join(label, this.#objectLabel(stored, value)) }
        : { name, value, label };
    });
    return { labelled, variables };
  }

  #join(a: Label, b: Label): Label {
    return this.state.space.join(a, b);
  }

  /**
   * The label of the stored objects that an argument's value names; fails closed where the host knows none.
   */
  #objectLabel(rule: ObjectRule, value: unknown): Label {
    const { space } = this.state;
    if (value === null || value === undefined) return space.bottom;
    const rows = this.#directory.objects?.(rule.directory, value);
    return rows ? this.#labeller.objectLabel(rows, rule.result) : space.untrusted(this.#resolver.userOnly);
  }
}

function labelledCall(call: DecidedCall, trustsKeys = true): LabelledCall {
  return {
    label: call.label,
    arguments: new Map(call.arguments.map((argument) => [argument.name, argument.value])),
    written: writtenArguments(call),
    trustsKeys,
    argumentLabels: new Map(call.arguments.map((argument) => [argument.name, argument.label])),
  };
}

/**
 * Arguments that hold nothing above the call's own label: literals, and variables that the planner might as
 * well see.
 */
function writtenArguments({ label, arguments: all }: Pick<DecidedCall, 'label' | 'arguments'>) {
  const visible = all.filter((argument) => argument.label === label);
  return new Map(visible.map((argument) => [argument.name, argument.value]));
}

function notInDesign(what: string, design: Design): SessionError {
  return new SessionError(`session/no-${what}`, `the design ${design.name} has no ${what}`);
}
