/**
 * The decision on one call: does it comply with its policy, and if not, why. The one thing to know: a
 * decision reads labels and never content, but for links; reasons are worked out only for a violation.
 */
import type { Label, Principal, Readers } from '../../../semiring/label/label.js';
import { mayRead, type PrincipalResolver, type Values } from '../label/principals.js';
import type { ToolPolicy } from '../policy/policy.js';
import type { Design } from './design.js';
import { holdsLink } from './links.js';

/** One argument of a call, after substitution. */
export interface LabelledArgument {
  readonly name: string;
  readonly value: unknown;
  readonly label: Label;
  /**
   * Where what leaves is a stored object that the argument names: the argument's label joined with the
   * object's.
   */
  readonly stored?: Label;
}

export interface LabelledCallWithPolicy {
  readonly policy: ToolPolicy;
  /** The context's label when the turn began. */
  readonly label: Label;
  readonly arguments: readonly LabelledArgument[];
}

/** Why a call is allowed. */
export type Grounds = 'no policy' | 'not consequential' | 'trusted action' | 'permitted flow';

/** One thing that a policy demands and the call does not satisfy. */
export type Violation =
  /** A design without labels: a human sees every consequential call. */
  | { readonly kind: 'consequential' }
  /** P-T: the context, or an argument that must be trusted, is untrusted. */
  | { readonly kind: 'untrusted'; readonly argument?: string; readonly label: Label }
  /** P-F: `recipients` that may not read the argument. */
  | {
      readonly kind: 'unreadable';
      readonly argument: string;
      readonly label: Label;
      readonly recipients: 'everyone' | readonly Principal[];
    }
  /** P-F: an untrusted argument holds a link. */
  | { readonly kind: 'link'; readonly argument: string; readonly label: Label }
  /** P-F: it cannot be told who would receive the data. */
  | { readonly kind: 'unresolved' };

export type Decision =
  | { readonly verdict: 'allow'; readonly grounds: Grounds }
  | { readonly verdict: 'violation'; readonly violations: readonly Violation[] };

const allowed: Readonly<Record<Grounds, Decision>> = {
  'no policy': { verdict: 'allow', grounds: 'no policy' },
  'not consequential': { verdict: 'allow', grounds: 'not consequential' },
  'trusted action': { verdict: 'allow', grounds: 'trusted action' },
  'permitted flow': { verdict: 'allow', grounds: 'permitted flow' },
};

export class Decider {
  /** The data arguments of each policy as a set: a call with a hundred arguments looks each up once. */
  readonly #data = new WeakMap<ToolPolicy, ReadonlySet<string>>();
  readonly #design: Design;
  readonly #resolver: PrincipalResolver;
  readonly #user: Principal;

  constructor(design: Design, resolver: PrincipalResolver, user: Principal) {
    this.#design = design;
    this.#resolver = resolver;
    this.#user = user;
  }

  decide(call: LabelledCallWithPolicy): Decision {
    const { policy } = call;
    if (!this.#design.labels) {
      if (!policy.consequential) return allowed['not consequential'];
      return { verdict: 'violation', violations: [{ kind: 'consequential' }] };
    }
    switch (policy.rule) {
      case 'none':
        return allowed['no policy'];
      case 'trusted-action':
        return trusts(call) ? allowed['trusted action'] : violation(untrusted(call));
      case 'permitted-flow':
        return this.#permits(call) ? allowed['permitted flow'] : violation(this.#forbidden(call));
      case 'either':
        // Trust first: it is the cheaper test, and `permitted flow` then says that P-F alone let the call
        // through.
        if (trusts(call)) return allowed['trusted action'];
        if (this.#permits(call)) return allowed['permitted flow'];
        return violation([...untrusted(call), ...this.#forbidden(call)]);
      case 'both':
        if (trusts(call) && this.#permits(call)) return allowed['trusted action'];
        return violation([...untrusted(call), ...this.#forbidden(call)]);
    }
  }

  /**
   * P-F: nobody receives anything, or all recipients may read all data and no untrusted data holds a link.
   */
  #permits(call: LabelledCallWithPolicy): boolean {
    const recipients = this.#recipients(call);
    if (recipients === undefined) return false;
    if (recipients !== 'everyone' && recipients.length === 0) return true;
    const { policy } = call;
    const data = this.#dataOf(policy);
    // As `mayRead` for each argument, with the user taken out once.
    const others = recipients === 'everyone' ? undefined : recipients.filter((each) => each !== this.#user);
    for (const argument of call.arguments) {
      if (!data.has(argument.name)) continue;
      const { readers } = dataLabel(argument);
      if (readers !== 'everyone' && !(others?.every((each) => readers.has(each)) ?? false)) return false;
      if (refusedLink(policy, argument)) return false;
    }
    return true;
  }

  #forbidden(call: LabelledCallWithPolicy): Violation[] {
    const recipients = this.#recipients(call);
    if (recipients === undefined) return [{ kind: 'unresolved' }];
    if (recipients !== 'everyone' && recipients.length === 0) return [];
    const { policy } = call;
    const data = this.#dataOf(policy);
    const violations: Violation[] = [];
    const all: Readers = recipients === 'everyone' ? recipients : new Set(recipients);
    for (const argument of call.arguments) {
      if (!data.has(argument.name)) continue;
      const { name } = argument;
      const label = dataLabel(argument);
      if (!mayRead(all, label.readers, this.#user)) {
        violations.push({
          kind: 'unreadable',
          argument: name,
          label,
          recipients: this.#excluded(all, label.readers),
        });
      }
      if (refusedLink(policy, argument)) violations.push({ kind: 'link', argument: name, label });
    }
    return violations;
  }

  #recipients(call: LabelledCallWithPolicy): 'everyone' | readonly Principal[] | undefined {
    return this.#resolver.recipientList(call.policy.recipients, { arguments: valuesOf(call.arguments) });
  }

  #dataOf(policy: ToolPolicy): ReadonlySet<string> {
    let data = this.#data.get(policy);
    if (!data) {
      data = new Set(policy.data.map((term) => term.argument));
      this.#data.set(policy, data);
    }
    return data;
  }

  #excluded(recipients: Readers, readers: Readers): 'everyone' | readonly Principal[] {
    if (recipients === 'everyone' || readers === 'everyone') return 'everyone';
    return [...recipients].filter((recipient) => recipient !== this.#user && !readers.has(recipient));
  }
}

function violation(violations: readonly Violation[]): Decision {
  return { verdict: 'violation', violations };
}

/** P-T */
function trusts(call: LabelledCallWithPolicy): boolean {
  if (call.label.integrity === 'U') return false;
  const mustBeTrusted = call.policy.trustedArguments;
  if (mustBeTrusted.length === 0) return true;
  for (const argument of call.arguments) {
    if (argument.label.integrity === 'U' && mustBeTrusted.includes(argument.name)) return false;
  }
  return true;
}

function untrusted(call: LabelledCallWithPolicy): Violation[] {
  const violations: Violation[] = [];
  if (call.label.integrity === 'U') violations.push({ kind: 'untrusted', label: call.label });
  for (const { name, label } of call.arguments) {
    if (label.integrity === 'U' && call.policy.trustedArguments.includes(name)) {
      violations.push({ kind: 'untrusted', argument: name, label });
    }
  }
  return violations;
}

/** The label of what leaves with an argument. */
function dataLabel(argument: LabelledArgument): Label {
  return argument.stored ?? argument.label;
}

/** The arguments' values by name, without a map: a call is asked for one or two of them. */
function valuesOf(args: readonly LabelledArgument[]): Values {
  const find = (name: string) => args.find((argument) => argument.name === name);
  return { has: (name) => find(name) !== undefined, get: (name) => find(name)?.value };
}

function refusedLink(policy: ToolPolicy, argument: LabelledArgument): boolean {
  return policy.links === 'refuse' && dataLabel(argument).integrity === 'U' && holdsLink(argument.value);
}
