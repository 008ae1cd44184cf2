/** From the tree to the syntax of a policy: which keys there are, and what each may hold. */

import { nearest } from '../../../semiring/message/nearest.js';
import { deepestResult } from '../../../udf/tool-result.js';
import { quote, type Report } from './diagnostic.js';
import { defaultLimits, type PolicyRule, type ResultLimits } from './policy.js';
import { readLeaf, readResult, readResultText, split, splitNames } from './read-result.js';
import type {
  GroupSyntax,
  Layer,
  ObjectSyntax,
  PolicySyntax,
  ResultSyntax,
  ToolSyntax,
  TypeSyntax,
} from './syntax.js';
import { termsOf } from './term.js';
import {
  anyEntries,
  booleanOf,
  countOf,
  entriesOf,
  type Located,
  type MapEntry,
  type Tree,
  textOf,
  textsOf,
} from './tree.js';

const layerKeys = ['groups', 'types', 'tools', 'answer'] as const;
const policyKeys = [
  'user',
  'aliases',
  'directories',
  'objects',
  'profile',
  'limits',
  ...layerKeys,
  'profiles',
] as const;
const answerKeys = ['rule', 'to', 'links'] as const;
const toolKeys = [
  ...answerKeys,
  'trusted arguments',
  'sends',
  'objects',
  'consequential',
  'egress',
  'returns',
  'errors',
] as const;
type ToolKey = (typeof toolKeys)[number];
/** The part of a map that a reader looks at. */
interface Entries<K> {
  get(key: K): MapEntry | undefined;
}

export function readPolicy(tree: Tree, report: Report): PolicySyntax {
  const entries = entriesOf(tree, policyKeys, 'the policy', report);
  const text = (key: 'user' | 'profile') => {
    const entry = entries.get(key);
    return entry && textOf(entry.value, key, report);
  };
  const texts = (key: 'aliases' | 'directories') => {
    const entry = entries.get(key);
    return entry ? textsOf(entry.value, key, report) : [];
  };
  const user = text('user');
  const profile = text('profile');
  const objects = entries.get('objects');
  const limits = entries.get('limits');
  if (!entries.has('user'))
    report.error(tree.at, 'the policy names no user', 'say whose agent it is: `user: …`');
  if (!entries.has('tools')) report.error(tree.at, 'the policy names no tools', 'add `tools:`');
  const profiles = new Map<string, Located<Layer>>();
  const overlays = entries.get('profiles');
  for (const { key, at, value } of overlays ? anyEntries(overlays.value, 'profiles', report) : []) {
    const layer = entriesOf(value, layerKeys, `profile ${quote(key)}`, report);
    profiles.set(key, { at, value: readLayer(layer, report) });
  }
  return {
    ...(user && { user }),
    aliases: texts('aliases'),
    directories: texts('directories'),
    objects: objects ? readObjects(objects.value, 'objects', report) : new Map(),
    ...(profile && { profile }),
    base: readLayer(entries, report),
    profiles,
    ...(limits && { limits: readLimits(limits.value, report) }),
  };
}

function readLayer(entries: Entries<(typeof layerKeys)[number]>, report: Report): Layer {
  const each = (key: 'groups' | 'types' | 'tools'): readonly MapEntry[] => {
    const entry = entries.get(key);
    return entry ? anyEntries(entry.value, key, report) : [];
  };
  const groups = new Map<string, GroupSyntax>();
  for (const { key, at, value } of each('groups')) {
    groups.set(key, { at, members: textsOf(value, `a member of group ${quote(key)}`, report) });
  }
  const types = new Map<string, TypeSyntax>();
  for (const { key, at, value } of each('types')) {
    const result = readResult(value, `type ${quote(key)}`, report);
    if (result) types.set(key, { at, result });
  }
  const tools = new Map<string, ToolSyntax>();
  for (const entry of each('tools')) {
    const tool = readTool(entry, report);
    if (tool === undefined) continue;
    if (tools.has(tool.name)) report.error(entry.at, `${quote(tool.name)} is there twice`, 'keep one');
    tools.set(tool.name, tool);
  }
  const answer = entries.get('answer');
  return {
    groups,
    types,
    tools,
    ...(answer && { answer: readAnswer(answer, report) }),
  };
}

/** `name` or `name(argument, argument)`, then `[RULE ->] RESULT` or a map. */
function readTool({ key, textAt, value }: MapEntry, report: Report): ToolSyntax | undefined {
  const signature = readSignature({ value: key, at: textAt }, report);
  if (signature === undefined) return undefined;
  const what = `tool ${quote(signature.name)}`;
  if (value.kind === 'map') return { ...signature, ...readToolMap(value, what, report) };
  const text = textOf(value, what, report);
  return text ? { ...signature, ...readToolText(text, what, report) } : signature;
}

function readSignature(
  text: Located<string>,
  report: Report,
): Pick<ToolSyntax, 'name' | 'at' | 'arguments'> | undefined {
  const open = text.value.indexOf('(');
  if (open === -1) return { name: text.value, at: text.at };
  const name = text.value.slice(0, open).trimEnd();
  const inside = /^\(([^()]*)\)\s*$/.exec(text.value.slice(open));
  if (name === '' || inside === null) {
    report.error(text.at, `${quote(text.value)} is no tool`, 'write `name` or `name(argument, argument)`');
    return undefined;
  }
  const names: Located<string>[] = [];
  if (inside[1].trim() === '') return { name, at: text.at, arguments: names };
  let from = text.at + open + 1;
  for (const part of inside[1].split(',')) {
    const argument = { value: part.trim(), at: from + part.length - part.trimStart().length };
    from += part.length + 1;
    if (argument.value === '') report.error(argument.at, `an argument of ${quote(name)} has no name`);
    else if (names.some(({ value }) => value === argument.value)) {
      report.error(argument.at, `argument ${quote(argument.value)} is there twice`);
    } else names.push(argument);
  }
  return { name, at: text.at, arguments: names };
}

function readToolText(text: Located<string>, what: string, report: Report): Partial<ToolSyntax> {
  const [first, second] = split(text, '->');
  if (second === undefined) {
    const rule = rules.get(first.value.replace(/\s+/g, ' '));
    if (rule !== undefined) return { rule: { value: rule, at: first.at } };
    const result = readResultText(first, what, report);
    return result ? { result } : {};
  }
  const rule = readRule(first, what, report);
  const result = readResultText(second, `the result of ${what}`, report);
  return { ...(rule && { rule }), ...(result && { result }) };
}

function readToolMap(tree: Tree, what: string, report: Report): Partial<ToolSyntax> {
  const entries = entriesOf<ToolKey>(tree, toolKeys, what, report);
  const on = <T>(key: ToolKey, read: (value: Tree, what: string, report: Report) => T): T | undefined => {
    const entry = entries.get(key);
    return entry && read(entry.value, `${key} of ${what}`, report);
  };
  const trusted = on('trusted arguments', textsOf)?.flatMap(splitNames);
  const sends = on('sends', locatedTerms);
  const consequential = on('consequential', booleanOf);
  const egress = on('egress', booleanOf);
  const objects = on('objects', readObjects);
  const result: ResultSyntax | undefined = on('returns', readResult);
  const errors = on('errors', readLeaf);
  return {
    ...readFlow(entries, what, report),
    ...(trusted && { trustedArguments: trusted }),
    ...(sends && { sends }),
    ...(objects && { objects }),
    ...(consequential && { consequential }),
    ...(egress && { egress }),
    ...(result && { result }),
    ...(errors && { errors }),
  };
}

function readAnswer({ at, value }: MapEntry, report: Report): ToolSyntax {
  const entries = entriesOf(value, answerKeys, 'the answer', report);
  return { name: 'answer', at, ...readFlow(entries, 'the answer', report) };
}

function readFlow(
  entries: Entries<'rule' | 'to' | 'links'>,
  what: string,
  report: Report,
): Partial<ToolSyntax> {
  const ruleEntry = entries.get('rule');
  const ruleText = ruleEntry && textOf(ruleEntry.value, `rule of ${what}`, report);
  const rule = ruleText && readRule(ruleText, what, report);
  const to = entries.get('to');
  const links = entries.get('links');
  const linksText = links && readLinks(links.value, what, report);
  return {
    ...(rule && { rule }),
    ...(to && { to: locatedTerms(to.value, `to of ${what}`, report) }),
    ...(linksText && { links: linksText }),
  };
}

/** In words, as they are written. */
const rules: ReadonlyMap<string, PolicyRule> = new Map([
  ['none', 'none'],
  ['trusted action', 'trusted-action'],
  ['permitted flow', 'permitted-flow'],
  ['trusted action or permitted flow', 'either'],
  ['permitted flow or trusted action', 'either'],
  ['trusted action and permitted flow', 'both'],
  ['permitted flow and trusted action', 'both'],
]);

/** One for each rule, for hints. */
const ruleNames = [...new Map([...rules].reverse().map(([words, rule]) => [rule, words])).values()].reverse();

function readRule(
  { value, at }: Located<string>,
  what: string,
  report: Report,
): Located<PolicyRule> | undefined {
  const rule = rules.get(value.replace(/\s+/g, ' '));
  if (rule !== undefined) return { value: rule, at };
  report.error(at, `${what}: unknown rule ${quote(value)}`, nearest(value, ruleNames));
  return undefined;
}

function readLinks(tree: Tree, what: string, report: Report): Located<'allow' | 'refuse'> | undefined {
  const text = textOf(tree, `links of ${what}`, report);
  if (text === undefined) return undefined;
  if (text.value === 'allow' || text.value === 'refuse') return { value: text.value, at: text.at };
  report.error(
    text.at,
    `links of ${what}: unknown ${quote(text.value)}`,
    nearest(text.value, ['allow', 'refuse']),
  );
  return undefined;
}

function readObjects(tree: Tree, what: string, report: Report): Map<string, ObjectSyntax> {
  const objects = new Map<string, ObjectSyntax>();
  for (const { key, at, value } of anyEntries(tree, what, report)) {
    const target = textOf(value, `${quote(key)} in ${what}`, report);
    if (target) objects.set(key, { at, target });
  }
  return objects;
}

/** `limits: { items: 1000, shown: 20000 }`: what a result may hold at most. */
function readLimits(tree: Tree, report: Report): Partial<ResultLimits> {
  const names = Object.keys(defaultLimits) as (keyof ResultLimits)[];
  const limits = [...entriesOf(tree, names, 'limits', report)].flatMap(([name, { value }]) => {
    const number = countOf(
      value,
      `the limit ${quote(name)}`,
      report,
      name === 'depth' ? deepestResult : undefined,
    );
    return number === undefined ? [] : [[name, number] as const];
  });
  return Object.fromEntries(limits);
}

function locatedTerms(tree: Tree, what: string, report: Report) {
  return { value: termsOf(tree, what, report), at: tree.at };
}
