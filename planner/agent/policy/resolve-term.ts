/**
 * What a name in a rule means. Readers are a rule over the row, so there a bare name is a field before it is
 * an argument; where it could be a group as well, it is an error and has to be written `field(x)`,
 * `argument(x)` or `group(x)`.
 */
import { nearest, nearestName } from '../../../semiring/message/nearest.js';
import { quote } from './diagnostic.js';
import { argumentNames, checkArgument, type Names, type Scope } from './names.js';
import type { FieldRule, PrincipalTerm } from './policy.js';
import type { Term } from './term.js';

export interface TermScope extends Scope {
  /** The label rule of the row that is read; undefined in a call, which has no row. */
  readonly row?: FieldRule;
}

const words = ['everyone', 'user'] as const;
const forms = ['field', 'keys', 'argument', 'group', 'principal'] as const;

/** Undefined after an error. */
export function resolveTerm(term: Term, scope: TermScope, names: Names): PrincipalTerm | undefined {
  switch (term.kind) {
    case 'text':
      return principal(term.text, term.at, names);
    case 'name':
      return resolveName(term.name, term.at, scope, names);
    case 'call':
      return resolveCall(term, scope, names);
  }
}

function resolveName(name: string, at: number, scope: TermScope, names: Names): PrincipalTerm | undefined {
  if (name === 'everyone' || name === 'user') return { kind: name };
  const meanings: PrincipalTerm[] = [];
  if (isField(name, scope)) meanings.push({ kind: 'field', path: name.split('.'), keys: false });
  else if (argumentNames(scope).has(name)) meanings.push({ kind: 'argument', name });
  if (names.groups.has(name)) meanings.push(group(name, names));
  if (meanings.length === 0 && names.principals.has(name)) meanings.push({ kind: 'principal', name });
  // In a result with fields an undeclared argument has to be called one: else any typo would be an argument.
  const anyArgument = scope.arguments === undefined && scope.row?.kind !== 'fields' && !name.includes('@');
  if (meanings.length === 0 && anyArgument && checkArgument(name, at, scope, names)) {
    meanings.push({ kind: 'argument', name });
  }
  if (meanings.length === 1) return meanings[0];
  if (meanings.length > 1) {
    const choices = meanings.map(({ kind }) => `${kind}(${name})`).join(' or ');
    names.report.error(at, `${scope.what}: ${quote(name)} may mean several things`, `write ${choices}`);
    return undefined;
  }
  const known = [...fieldNames(scope.row), ...argumentNames(scope), ...names.groups.keys(), ...words];
  const kinds = scope.row ? 'field, argument, group or principal' : 'argument, group or principal';
  const hint = name.includes('@')
    ? nearestPrincipal(name, names)
    : nearest(name, [...known, ...names.principals]);
  names.report.error(at, `${scope.what}: unknown ${kinds} ${quote(name)}`, hint);
  return undefined;
}

function resolveCall(
  term: Extract<Term, { kind: 'call' }>,
  scope: TermScope,
  names: Names,
): PrincipalTerm | undefined {
  const { name, of, at } = term;
  const form = forms.find((known) => known === name);
  if (form === undefined) return resolveLookup(term, scope, names);
  if (of === undefined || of.kind === 'call') {
    names.report.error(at, `${scope.what}: ${form}(…) takes one name`);
    return undefined;
  }
  const inner = of.kind === 'name' ? of.name : of.text;
  switch (form) {
    case 'field':
    case 'keys':
      return field(inner, of.at, form === 'keys', scope, names);
    case 'argument':
      return checkArgument(inner, of.at, scope, names) ? { kind: 'argument', name: inner } : undefined;
    case 'group':
      if (names.groups.has(inner)) return group(inner, names);
      names.report.error(
        of.at,
        `${scope.what}: unknown group ${quote(inner)}`,
        nearest(inner, names.groups.keys()),
      );
      return undefined;
    case 'principal':
      return principal(inner, of.at, names);
  }
}

function resolveLookup(
  term: Extract<Term, { kind: 'call' }>,
  scope: TermScope,
  names: Names,
): PrincipalTerm | undefined {
  const { name: directory, of, at } = term;
  if (!names.directories.has(directory)) {
    const near = nearestName(directory, [...names.directories, ...forms]);
    const hint = near ? `did you mean "${near}"?` : `declare it: directories: [${directory}]`;
    names.report.error(at, `${scope.what}: unknown directory ${quote(directory)}`, hint);
    return undefined;
  }
  names.used.directories.add(directory);
  if (of === undefined) return { kind: 'lookup', directory };
  const key = resolveTerm(of, scope, names);
  return key && { kind: 'lookup', directory, of: key };
}

function field(
  name: string,
  at: number,
  keys: boolean,
  scope: TermScope,
  names: Names,
): PrincipalTerm | undefined {
  if (scope.row === undefined) {
    names.report.error(at, `${scope.what}: a call has no fields`, 'name an argument, or a look-up over one');
    return undefined;
  }
  // A result that is labelled as a whole declares no fields: any may be read.
  if (scope.row.kind !== 'fields' || isField(name, scope))
    return { kind: 'field', path: name.split('.'), keys };
  names.report.error(at, `${scope.what}: unknown field ${quote(name)}`, nearest(name, fieldNames(scope.row)));
  return undefined;
}

function group(name: string, names: Names): PrincipalTerm {
  names.used.groups.add(name);
  return { kind: 'group', name };
}

function principal(name: string, at: number, names: Names): PrincipalTerm | undefined {
  if (names.principals.has(name)) return { kind: 'principal', name };
  names.report.error(at, `unknown principal ${quote(name)}`, nearestPrincipal(name, names));
  return undefined;
}

function nearestPrincipal(name: string, names: Names): string {
  const near = nearestName(name, names.principals);
  return near ? `did you mean "${near}"?` : 'make it a member of a group';
}

function isField(name: string, scope: TermScope): boolean {
  let rule: FieldRule | undefined = scope.row;
  for (const key of name.split('.')) rule = rule?.kind === 'fields' ? rule.fields.get(key) : undefined;
  return rule !== undefined;
}

/** Dotted names of all fields, outer ones first. */
export function fieldNames(rule: FieldRule | undefined): string[] {
  if (rule?.kind !== 'fields') return [];
  return [...rule.fields].flatMap(([name, inner]) => [
    name,
    ...fieldNames(inner).map((rest) => `${name}.${rest}`),
  ]);
}
