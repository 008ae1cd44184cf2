/**
 * A policy in compiled form: what the session asks when it labels a result and decides a call. The one thing
 * to know: everything fails closed. A tool, field or shape that is not named here is consequential, untrusted
 * and readable by the user alone.
 */
import type { Principal } from '../../../semiring/label/label.js';
import type { PlainLimits } from '../../../udf/tool-result.js';

export interface Policy {
  /** Where it came from, for messages: a file name, or `<inline>`. */
  readonly source: string;
  /** The profile that was chosen, if the file has profiles. */
  readonly profile?: string;
  readonly principals: Principals;
  readonly tools: ReadonlyMap<string, ToolPolicy>;
  /** The final answer to the user is a sink; absent: the user may see all, links are still defused. */
  readonly answer?: ToolPolicy;
  /** What a result may hold at most; absent: `defaultLimits`. */
  readonly limits?: ResultLimits;
}

/** How large a result may be. One that is larger is not taken: the call has failed, with fixed words. */
export interface ResultLimits extends PlainLimits {
  /** Characters of one result that the planner model is shown; what is beyond is cut off, and said to be. */
  readonly shown: number;
}

export const defaultLimits: ResultLimits = {
  items: 100_000,
  depth: 100,
  characters: 10_000_000,
  shown: 200_000,
};

export interface Principals {
  /**
   * The user's own name, and the other names under which the user appears in data ("me", the account's IBAN).
   */
  readonly user: Principal;
  readonly aliases: readonly Principal[];
  /** Groups that the file itself declares, by name. */
  readonly groups: ReadonlyMap<string, readonly Principal[]>;
  /**
   * Look-ups that the host answers (see `Directory`), by name, for example `members`. A look-up that the host
   * cannot answer fails closed.
   */
  readonly directories: ReadonlySet<string>;
}

/**
 * `none`: trivial. `trusted-action` (P-T): the call's integrity is T, and that of `trustedArguments`.
 * `permitted-flow` (P-F): every recipient may read each of `data`, and links comply. `either`: P-F or P-T.
 * `both`: P-F and P-T.
 */
export type PolicyRule = 'none' | 'trusted-action' | 'permitted-flow' | 'either' | 'both';

export interface ToolPolicy {
  readonly tool: string;
  /** Changes state or money, or reaches outsiders: Basic asks a human for every such call. */
  readonly consequential: boolean;
  /** Sends data to somebody. */
  readonly egress: boolean;
  readonly rule: PolicyRule;
  /** Arguments whose own label must be T for P-T. */
  readonly trustedArguments: readonly string[];
  /** What P-F checks. */
  readonly data: readonly DataTerm[];
  /** Whom P-F asks about; their union. Empty: nobody receives anything, P-F holds. */
  readonly recipients: readonly PrincipalTerm[];
  /** `refuse`: P-F fails where an untrusted data argument holds a link. */
  readonly links: 'allow' | 'refuse';
  /** Known arguments; undefined: not declared. */
  readonly arguments?: ReadonlySet<string>;
  /** Arguments that name stored objects whose label joins theirs (an attachment), by argument name. */
  readonly objects: ReadonlyMap<string, ObjectRule>;
  readonly result: ResultRule;
  /** The label of an error text, which stands in place of a result; absent: untrusted, for the user alone. */
  readonly errors?: LeafRule;
  /** False for the fail-closed policy of a tool that the file does not name. */
  readonly declared: boolean;
}

/** An argument that leaves the house. */
export interface DataTerm {
  readonly argument: string;
  /**
   * What leaves is the stored object that the argument names (a shared file): P-F checks that object's label.
   */
  readonly stored?: ObjectRule;
}

/** The label of an object that an argument names: the host finds the object's row, `result` labels it. */
export interface ObjectRule {
  /** The directory that turns the argument's value into rows. */
  readonly directory: string;
  readonly result: ResultRule;
}

/** Names principals: in a call (recipients) or in a row of a result (readers). */
export type PrincipalTerm =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'user' }
  | { readonly kind: 'principal'; readonly name: Principal }
  | { readonly kind: 'group'; readonly name: string }
  /** The strings at `path` in the row (a string, a list of strings; with `keys`, the keys of an object). */
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly keys: boolean }
  /** The strings in an argument of the call: a string is one principal unless it parses as a JSON list. */
  | { readonly kind: 'argument'; readonly name: string }
  /** The host's answer, for the strings of `of` (each asked alone), or for no key at all. */
  | { readonly kind: 'lookup'; readonly directory: string; readonly of?: PrincipalTerm };

export type ReadersRule =
  /** The readers of the call and of all its arguments (their join). */
  | { readonly kind: 'arguments' }
  /** The union of the terms. */
  | { readonly kind: 'terms'; readonly terms: readonly PrincipalTerm[] };

/** The integrity of a leaf. `argument` and `arguments` also carry the readers of what they name. */
export type LeafRule =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted' }
  /** Same as that argument of the call. */
  | { readonly kind: 'argument'; readonly name: string }
  /** The join of the call and of all its arguments. */
  | { readonly kind: 'arguments' };

export interface FieldsRule {
  readonly kind: 'fields';
  readonly fields: ReadonlyMap<string, FieldRule>;
}

/** A leaf, or a record whose fields are labelled one by one (as deep as declared). */
export type FieldRule = LeafRule | FieldsRule;

/**
 * How a result is labelled. A list is labelled item by item. `fields` applies to an object (or each object of
 * a list); a field that is not named is untrusted and readable by the user alone. A leaf rule over an object
 * labels each of its values; a nested object or list below that is one leaf.
 */
export interface ResultRule {
  readonly value: FieldRule;
  readonly readers: ReadersRule;
  /**
   * Where `value` names fields: a result, or an item of one, that is no object (a fixed code). Absent: fails
   * closed.
   */
  readonly otherwise?: LeafRule;
}

/** What only the host knows: who is in a channel, which file an attachment names. */
export interface Directory {
  /** Principals for a look-up; undefined: cannot be resolved (the policy then fails closed). */
  principals(directory: string, key: string | undefined): readonly Principal[] | undefined;
  /** Rows of the stored objects that an argument's value names; undefined: cannot be resolved. */
  objects?(directory: string, value: unknown): readonly unknown[] | undefined;
}

/**
 * A tool that no policy names: consequential, asks for a trusted call, its result untrusted, for the user
 * alone.
 */
export function undeclared(tool: string): ToolPolicy {
  return {
    tool,
    consequential: true,
    egress: true,
    rule: 'trusted-action',
    trustedArguments: [],
    data: [],
    recipients: [],
    links: 'refuse',
    objects: new Map(),
    result: {
      value: { kind: 'untrusted' },
      readers: { kind: 'terms', terms: [{ kind: 'user' }] },
    },
    declared: false,
  };
}

/** A tool that does not exist: a call to it can do nothing, so it bears no policy. */
export function nonexistent(tool: string): ToolPolicy {
  return { ...undeclared(tool), consequential: false, egress: false, rule: 'none' };
}
