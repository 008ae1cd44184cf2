/**
 * Resolving the principal terms of a policy: the readers of a row, the recipients of a call. What cannot be
 * resolved is `undefined`, never an empty set, so that a decision can fail closed.
 */
import { type Principal, type Readers, readersAtMost } from '../../../semiring/label/label.js';
import type { Directory, Policy, PrincipalTerm } from '../policy/policy.js';

/** What a term may refer to. */
export interface Surroundings {
  /** The row that a `field` term reads; undefined in a call. */
  readonly row?: unknown;
  readonly arguments: Values;
}

/** Values by name; a map is one. */
export interface Values {
  has(name: string): boolean;
  get(name: string): unknown;
}

/** A directory that knows nothing: every look-up fails. */
export const emptyDirectory: Directory = { principals: () => undefined };

export class PrincipalResolver {
  readonly #policy: Policy;
  readonly #directory: Directory;
  readonly #aliases: ReadonlySet<Principal>;
  /** The user alone. */
  readonly userOnly: ReadonlySet<Principal>;

  constructor(policy: Policy, directory: Directory) {
    this.#policy = policy;
    this.#directory = directory;
    this.#aliases = new Set(policy.principals.aliases);
    this.userOnly = new Set([policy.principals.user]);
  }

  /** The user's own name for any name of the user's, any other principal as it is. */
  canonical(principal: Principal): Principal {
    return this.#aliases.has(principal) ? this.#policy.principals.user : principal;
  }

  /**
   * The readers that `terms` name, the user always among them. A term that cannot be resolved names nobody:
   * fewer readers is the safe side here.
   */
  readers(terms: readonly PrincipalTerm[], surroundings: Surroundings): Readers {
    const readers = new Set<Principal>(this.userOnly);
    for (const term of terms) {
      const named = this.#resolve(term, surroundings);
      if (named === 'everyone') return 'everyone';
      for (const principal of named ?? []) readers.add(principal);
    }
    return readers;
  }

  /** The recipients that `terms` name; undefined where one of them cannot be resolved. */
  recipients(terms: readonly PrincipalTerm[], surroundings: Surroundings): Readers | undefined {
    const list = this.recipientList(terms, surroundings);
    return list === undefined || list === 'everyone' ? list : new Set(list);
  }

  /**
   * As {@link recipients}, as a list in which one may stand twice: what the decision of a call looks through.
   */
  recipientList(
    terms: readonly PrincipalTerm[],
    surroundings: Surroundings,
  ): 'everyone' | readonly Principal[] | undefined {
    if (terms.length === 1) return this.#resolve(terms[0], surroundings);
    const recipients: Principal[] = [];
    for (const term of terms) {
      const named = this.#resolve(term, surroundings);
      if (named === undefined || named === 'everyone') return named;
      recipients.push(...named);
    }
    return recipients;
  }

  #resolve(term: PrincipalTerm, surroundings: Surroundings): 'everyone' | readonly Principal[] | undefined {
    switch (term.kind) {
      case 'everyone':
        return 'everyone';
      case 'user':
        return [this.#policy.principals.user];
      case 'principal':
        return [this.canonical(term.name)];
      case 'group':
        return this.#policy.principals.groups.get(term.name)?.map((name) => this.canonical(name));
      case 'field':
        return this.#names(valueAt(surroundings.row, term.path), term.keys);
      case 'argument':
        return surroundings.arguments.has(term.name)
          ? this.#names(parsedList(surroundings.arguments.get(term.name)), false)
          : [];
      case 'lookup':
        return this.#lookUp(term.directory, term.of, surroundings);
    }
  }

  #lookUp(
    directory: string,
    of: PrincipalTerm | undefined,
    surroundings: Surroundings,
  ): readonly Principal[] | undefined {
    if (of === undefined) return this.#canonicalAll(this.#directory.principals(directory, undefined));
    const keys = this.#resolve(of, surroundings);
    if (keys === undefined || keys === 'everyone') return undefined;
    const all: Principal[] = [];
    for (const key of keys) {
      const found = this.#canonicalAll(this.#directory.principals(directory, key));
      if (found === undefined) return undefined;
      all.push(...found);
    }
    return all;
  }

  /** What a host's directory answers that is no list of names is no answer. */
  #canonicalAll(names: unknown): readonly Principal[] | undefined {
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return undefined;
    return names.map((name) => this.canonical(name));
  }

  /**
   * A string, a list of strings, or the keys of an object; null names nobody, anything else is unresolvable.
   */
  #names(value: unknown, keys: boolean): readonly Principal[] | undefined {
    if (value === null || value === undefined) return [];
    if (keys) return isRecord(value) ? this.#canonicalAll(Object.keys(value)) : undefined;
    if (typeof value === 'string') return [this.canonical(value)];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      return this.#canonicalAll(value);
    return undefined;
  }
}

/** Whether all of `recipients` are among `readers`; the user is a reader of everything. */
export function mayRead(recipients: Readers, readers: Readers, user: Principal): boolean {
  if (readers === 'everyone') return true;
  if (recipients === 'everyone') return false;
  if (!recipients.has(user)) return readersAtMost(readers, recipients);
  for (const recipient of recipients) if (recipient !== user && !readers.has(recipient)) return false;
  return true;
}

/** A string that parses as a JSON list is that list: models write lists as text. */
function parsedList(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

/** The value at a path of own keys; undefined where there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
