/**
 * How a result is written: `Email`, `untrusted for members(channel)`, `File or trusted`, or a map that lists
 * fields by label. The same forms serve `types`, `returns` and overlays.
 */
import { nearestName } from '../../../semiring/message/nearest.js';
import { quote, type Report } from './diagnostic.js';
import type { FieldSyntax, Form, LeafForm, ReadersSyntax, RecordForm, ResultSyntax } from './syntax.js';
import { parseTerms, termsOf } from './term.js';
import { anyEntries, entriesOf, type Located, type Tree, textOf, textsOf } from './tree.js';

const labels = ['trusted', 'untrusted', 'joined'] as const;
const recordKeys = ['like', ...labels, 'as argument', 'fields', 'readers', 'otherwise'] as const;
type RecordKey = (typeof recordKeys)[number];

const typeName = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

export function readResult(tree: Tree, what: string, report: Report): ResultSyntax | undefined {
  if (tree.kind === 'map') return readRecordResult(tree, what, report);
  const text = textOf(tree, what, report);
  return text && readResultText(text, what, report);
}

/** `FORM [or LABEL] [for READERS]` */
export function readResultText(
  text: Located<string>,
  what: string,
  report: Report,
): ResultSyntax | undefined {
  const [head, readersText] = split(text, ' for ');
  const [formText, otherwiseText] = split(head, ' or ');
  const form = readForm(formText, what, report);
  if (form === undefined) return undefined;
  const otherwise = otherwiseText && readForm(otherwiseText, `${what}, after "or"`, report);
  if (otherwise !== undefined && otherwise.kind !== 'leaf') {
    report.error(otherwise.at, `${what}: ${quote(otherwise.name)} after "or" is no label`, labelHint);
    return undefined;
  }
  return {
    at: text.at,
    form,
    ...(otherwise && { otherwise }),
    ...(readersText && { readers: readReadersText(readersText, `readers of ${what}`, report) }),
  };
}

const labelHint = 'labels are trusted, untrusted, joined, and `as ARGUMENT`';

/** A label or the name of a type. */
function readForm(
  text: Located<string>,
  what: string,
  report: Report,
): LeafForm | Extract<Form, { kind: 'type' }> | undefined {
  const words = text.value.split(/\s+/);
  const { at } = text;
  if (words.length === 2 && words[0] === 'as') {
    return { kind: 'leaf', at, leaf: { kind: 'argument', name: words[1] } };
  }
  if (words.length === 1) {
    const [word] = words;
    if (word === 'trusted' || word === 'untrusted') return { kind: 'leaf', at, leaf: { kind: word } };
    if (word === 'joined') return { kind: 'leaf', at, leaf: { kind: 'arguments' } };
    if (typeName.test(word)) return { kind: 'type', at, name: word };
  }
  const list = /^(.+)\[\]$/.exec(text.value);
  const hint = list
    ? `a list is labelled item by item: write ${list[1]}`
    : `${labelHint}; or the name of a type`;
  report.error(at, `${what}: ${quote(text.value)} is no label and no type`, hint);
  return undefined;
}

function readRecordResult(tree: Tree, what: string, report: Report): ResultSyntax {
  const entries = entriesOf(tree, recordKeys, what, report);
  const readers = entries.get('readers');
  const otherwiseText = entries.get('otherwise');
  const otherwise = otherwiseText && readLeaf(otherwiseText.value, `otherwise in ${what}`, report);
  const keysOfRecord = [...entries.keys()].filter((key) => key !== 'readers' && key !== 'otherwise');
  return {
    at: tree.at,
    ...(keysOfRecord.length > 0 && { form: readRecord(entries, tree.at, what, report) }),
    ...(readers && { readers: readReaders(readers.value, `readers of ${what}`, report) }),
    ...(otherwise && { otherwise }),
  };
}

function readRecord(
  entries: ReadonlyMap<RecordKey, { readonly at: number; readonly value: Tree }>,
  at: number,
  what: string,
  report: Report,
): RecordForm {
  const fields: FieldSyntax[] = [];
  for (const label of labels) {
    const form: LeafForm['leaf'] = { kind: label === 'joined' ? 'arguments' : label };
    for (const path of pathsOf(entries.get(label)?.value, what, report)) {
      fields.push({ ...path, form: { kind: 'leaf', at: path.at, leaf: form } });
    }
  }
  for (const field of pathsOf(entries.get('as argument')?.value, what, report)) {
    const name = field.path[field.path.length - 1];
    fields.push({ ...field, form: { kind: 'leaf', at: field.at, leaf: { kind: 'argument', name } } });
  }
  const named = entries.get('fields');
  if (named) fields.push(...readFields(named.value, what, report));
  const like = entries.get('like');
  const likeText = like && textOf(like.value, `like in ${what}`, report);
  const likeForm = likeText && readForm(likeText, `like in ${what}`, report);
  if (fields.length === 0)
    report.error(at, `${what} names no fields`, 'list them under trusted or untrusted');
  return { kind: 'record', at, fields, ...(likeForm && { like: likeForm }) };
}

/**
 * `fields`: names as they are (a dot is part of the name), each with a label, a type, or fields of its own.
 */
function readFields(tree: Tree, what: string, report: Report): FieldSyntax[] {
  return anyEntries(tree, `fields in ${what}`, report).flatMap(({ key, at, value }) => {
    const field = `field ${quote(key)} of ${what}`;
    const form =
      value.kind === 'map' ? readNested(value, field, report) : readFieldText(value, field, report);
    return form ? [{ at, path: [key], form }] : [];
  });
}

function readNested(tree: Tree, what: string, report: Report): Form | undefined {
  const { form, readers, otherwise } = readRecordResult(tree, what, report);
  if (readers) report.error(readers.at, `${what} has readers`, 'readers are told of the whole row');
  if (otherwise) report.error(otherwise.at, `${what} has otherwise`, 'it is told of the whole result');
  return form;
}

function readFieldText(tree: Tree, what: string, report: Report): Form | undefined {
  const text = textOf(tree, what, report);
  return text && readForm(text, what, report);
}

/** A label alone: `trusted`, `untrusted`, `joined`, `as ARGUMENT`. */
export function readLeaf(tree: Tree, what: string, report: Report): LeafForm | undefined {
  const text = textOf(tree, what, report);
  const form = text && readForm(text, what, report);
  if (form === undefined || form.kind === 'leaf') return form;
  report.error(form.at, `${what}: ${quote(form.name)} is no label`, nearestLabel(form.name));
  return undefined;
}

function nearestLabel(name: string): string {
  const near = nearestName(name, labels);
  return near === undefined ? labelHint : `did you mean "${near}"?`;
}

/** Names of fields; `author.name` is the field `name` of the record in `author`. */
function pathsOf(tree: Tree | undefined, what: string, report: Report): { path: string[]; at: number }[] {
  if (tree === undefined) return [];
  return textsOf(tree, `a field of ${what}`, report)
    .flatMap(splitNames)
    .map(({ value, at }) => ({
      path: value.split('.'),
      at,
    }));
}

/** `a + b` as a list of names. */
export function splitNames(text: Located<string>): Located<string>[] {
  const names: Located<string>[] = [];
  for (const match of text.value.matchAll(/[^\s+][^+]*/g)) {
    names.push({ value: match[0].trimEnd(), at: text.at + match.index });
  }
  return names;
}

function readReaders(tree: Tree, what: string, report: Report): ReadersSyntax {
  if (tree.kind === 'scalar' && tree.value === 'joined') return { kind: 'joined', at: tree.at };
  return { kind: 'terms', at: tree.at, terms: termsOf(tree, what, report) };
}

function readReadersText(text: Located<string>, what: string, report: Report): ReadersSyntax {
  if (text.value === 'joined') return { kind: 'joined', at: text.at };
  return { kind: 'terms', at: text.at, terms: parseTerms(text, what, report) };
}

/** Text before and after the first `mark`, trimmed, with their places. */
export function split(text: Located<string>, mark: string): [Located<string>, Located<string> | undefined] {
  const at = text.value.indexOf(mark);
  if (at === -1) return [trim(text), undefined];
  const after = { value: text.value.slice(at + mark.length), at: text.at + at + mark.length };
  return [trim({ value: text.value.slice(0, at), at: text.at }), trim(after)];
}

function trim({ value, at }: Located<string>): Located<string> {
  return { value: value.trim(), at: at + value.length - value.trimStart().length };
}
