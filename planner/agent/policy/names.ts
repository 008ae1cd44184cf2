/**
 * The names that a policy declares, and which of them are used. A name that is declared nowhere is an error
 * with the nearest right one, so that a typo never turns into a rule that matches nothing.
 */
import type { Principal } from '../../../semiring/label/label.js';
import { nearest } from '../../../semiring/message/nearest.js';
import { quote, type Report } from './diagnostic.js';
import type { GroupSyntax, PolicySyntax, TypeSyntax } from './syntax.js';

/** Declared names of one profile. */
export interface Names {
  readonly report: Report;
  readonly groups: ReadonlyMap<string, GroupSyntax>;
  readonly types: ReadonlyMap<string, TypeSyntax>;
  readonly directories: ReadonlySet<string>;
  readonly objects: PolicySyntax['objects'];
  /** Those that may be named in a rule: the user, the aliases and the members of groups. */
  readonly principals: ReadonlySet<Principal>;
  readonly used: Used;
}

/** Grows as rules are resolved; what is never used gets a warning. */
export interface Used {
  readonly groups: Set<string>;
  readonly types: Set<string>;
  readonly directories: Set<string>;
  readonly objects: Set<string>;
}

/** What a rule of one tool may name besides: its arguments, and the fields of its result. */
export interface Scope {
  /** For messages: `tool "send_email"`. */
  readonly what: string;
  /** Undefined: not declared, so any name may be an argument; `any`: a type that no tool uses. */
  readonly arguments: ReadonlySet<string> | 'any' | undefined;
}

/** The declared arguments. */
export function argumentNames({ arguments: declared }: Scope): ReadonlySet<string> {
  return declared === undefined || declared === 'any' ? new Set() : declared;
}

/** Whether the tool has that argument; if not, the report has the error. */
export function checkArgument(name: string, at: number, scope: Scope, names: Names): boolean {
  if (scope.arguments === undefined) {
    const hint = 'write its arguments behind its name: tool(argument, argument)';
    names.report.warning(at, `${scope.what} declares no arguments, so ${quote(name)} is not checked`, hint);
    return true;
  }
  if (scope.arguments === 'any' || scope.arguments.has(name)) return true;
  names.report.error(at, `${scope.what} has no argument ${quote(name)}`, nearest(name, scope.arguments));
  return false;
}

export function namesOf(
  syntax: PolicySyntax,
  layer: Pick<PolicySyntax['base'], 'groups' | 'types'>,
  used: Used,
  report: Report,
): Names {
  const members = [...layer.groups.values()].flatMap((group) => group.members.map(({ value }) => value));
  const user = syntax.user ? [syntax.user.value] : [];
  return {
    report,
    groups: layer.groups,
    types: layer.types,
    directories: new Set(syntax.directories.map(({ value }) => value)),
    objects: syntax.objects,
    principals: new Set([...user, ...syntax.aliases.map(({ value }) => value), ...members]),
    used,
  };
}

/** Words of the language, which no group or type may be called. */
export const reserved = {
  groups: new Set(['everyone', 'user', 'joined']),
  types: new Set(['trusted', 'untrusted', 'joined', 'as', 'or', 'for']),
} as const;
