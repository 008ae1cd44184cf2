/**
 * From the written form of a result to its rule: types are looked up, `like` is copied and refined. Who may
 * read a row is told of the whole row; the readers of a type apply where a result is of that type, not where
 * a field is.
 */
import { nearest } from '../../../semiring/message/nearest.js';
import { quote } from './diagnostic.js';
import { checkArgument, type Names, type Scope } from './names.js';
import type { FieldRule, FieldsRule, LeafRule, PrincipalTerm, ReadersRule, ResultRule } from './policy.js';
import { resolveTerm } from './resolve-term.js';
import type { Form, LeafForm, ReadersSyntax, RecordForm, ResultSyntax, TypeSyntax } from './syntax.js';

const userAlone: ReadersRule = { kind: 'terms', terms: [{ kind: 'user' }] };
const everyone: ReadersRule = { kind: 'terms', terms: [{ kind: 'everyone' }] };

/** The rule of a result that nothing is said about. */
export const unknownResult: ResultRule = { value: { kind: 'untrusted' }, readers: userAlone };

/** Always a rule; after an error it is a restrictive one and the report has the error. */
export function resolveResult(result: ResultSyntax, scope: Scope, names: Names): ResultRule {
  const value = result.form ? resolveForm(result.form, scope, names, []) : unknownResult.value;
  const typed = baseType(result.form, names);
  const readers = result.readers ?? typed.readers;
  const otherwise = result.otherwise ?? typed.otherwise;
  return {
    value,
    readers: readers ? resolveReaders(readers, value, scope, names) : defaultReaders(value),
    ...(otherwise && { otherwise: resolveLeaf(otherwise, scope, names) }),
  };
}

/** Where nobody is named: the user alone, but for a copy of arguments, which carries their own readers. */
function defaultReaders(value: FieldRule): ReadersRule {
  if (value.kind === 'arguments') return { kind: 'arguments' };
  return value.kind === 'argument' ? everyone : userAlone;
}

function resolveReaders(readers: ReadersSyntax, row: FieldRule, scope: Scope, names: Names): ReadersRule {
  if (readers.kind === 'joined') return { kind: 'arguments' };
  const within = { ...scope, row };
  const terms = readers.terms.flatMap((term): PrincipalTerm[] => {
    const resolved = resolveTerm(term, within, names);
    return resolved ? [resolved] : [];
  });
  return { kind: 'terms', terms };
}

/** What the type of a result says about readers; the nearest type that says something has the word. */
function baseType(form: Form | undefined, names: Names): Pick<ResultSyntax, 'readers' | 'otherwise'> {
  let at: Form | undefined = form;
  let readers: ReadersSyntax | undefined;
  let otherwise: LeafForm | undefined;
  const seen = new Set<TypeSyntax>();
  while (at !== undefined && at.kind !== 'leaf') {
    if (at.kind === 'record') {
      at = at.like;
      continue;
    }
    const type = names.types.get(at.name);
    if (type === undefined || seen.has(type)) break;
    seen.add(type);
    readers ??= type.result.readers;
    otherwise ??= type.result.otherwise;
    at = type.result.form;
  }
  return { ...(readers && { readers }), ...(otherwise && { otherwise }) };
}

/** @param within names of the types that are being resolved, outermost first */
export function resolveForm(form: Form, scope: Scope, names: Names, within: readonly string[]): FieldRule {
  switch (form.kind) {
    case 'leaf':
      return resolveLeaf(form, scope, names);
    case 'record':
      return resolveRecord(form, scope, names, within);
    case 'type': {
      const type = names.types.get(form.name);
      if (type?.result.form === undefined || within.includes(form.name)) {
        if (type === undefined) unknownType(form, names);
        else if (type.result.form === undefined)
          names.report.error(type.at, `type ${quote(form.name)} has no label`);
        else names.report.error(form.at, `type ${quote(form.name)} is made of itself`);
        return unknownResult.value;
      }
      names.used.types.add(form.name);
      return resolveForm(type.result.form, scope, names, [...within, form.name]);
    }
  }
}

function unknownType({ name, at }: { name: string; at: number }, names: Names): void {
  const known = [...names.types.keys(), 'trusted', 'untrusted', 'joined'];
  names.report.error(at, `unknown type ${quote(name)}`, nearest(name, known));
}

export function resolveLeaf({ leaf, at }: LeafForm, scope: Scope, names: Names): LeafRule {
  if (leaf.kind === 'argument') checkArgument(leaf.name, at, scope, names);
  return leaf;
}

function resolveRecord(form: RecordForm, scope: Scope, names: Names, within: readonly string[]): FieldRule {
  const base = form.like && resolveForm(form.like, scope, names, within);
  if (base !== undefined && base.kind !== 'fields') {
    names.report.error(form.at, 'fields of something that is labelled as a whole', 'give it one label');
    return base;
  }
  const record = mutableCopy(base);
  const closed = base !== undefined;
  const own = new Set<string>();
  for (const field of form.fields) {
    const name = field.path.join('.');
    if (own.has(name)) names.report.error(field.at, `field ${quote(name)} is labelled twice`, 'keep one');
    own.add(name);
    place(record, field.path, field.at, resolveForm(field.form, scope, names, within), closed, names);
  }
  return record;
}

interface MutableFields extends FieldsRule {
  readonly fields: Map<string, FieldRule>;
}

function mutableCopy(rule: FieldsRule | undefined): MutableFields {
  const fields = new Map<string, FieldRule>();
  for (const [name, inner] of rule?.fields ?? []) {
    fields.set(name, inner.kind === 'fields' ? mutableCopy(inner) : inner);
  }
  return { kind: 'fields', fields };
}

/**
 * Puts a rule at a path. A closed record takes no new fields: a typo there would leave the old label
 * standing.
 */
function place(
  record: MutableFields,
  path: readonly string[],
  at: number,
  rule: FieldRule,
  closed: boolean,
  names: Names,
): void {
  let target = record;
  for (const [depth, key] of path.entries()) {
    const there = target.fields.get(key);
    if (there === undefined && closed) {
      names.report.error(at, `unknown field ${quote(path.join('.'))}`, nearest(key, target.fields.keys()));
      return;
    }
    if (depth === path.length - 1) {
      if (!closed && there?.kind === 'fields' && rule.kind !== 'fields') {
        names.report.error(
          at,
          `field ${quote(path.join('.'))} is labelled twice`,
          'once as a whole and once by its fields',
        );
      }
      target.fields.set(key, rule);
    } else if (there === undefined) {
      const inner = mutableCopy(undefined);
      target.fields.set(key, inner);
      target = inner;
    } else if (there.kind === 'fields') {
      // Every record in the copy was made by mutableCopy or comes as a rule of its own: copy before writing.
      const inner = mutableCopy(there);
      target.fields.set(key, inner);
      target = inner;
    } else {
      names.report.error(at, `field ${quote(key)} has one label and no fields`, 'label it once');
      return;
    }
  }
}
