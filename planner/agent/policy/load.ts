/**
 * Loading and checking a policy file. `loadPolicy` gives a policy only if the file has no error in any
 * profile; `checkPolicy` gives everything that is to be said about it.
 */
import { isDeepStrictEqual } from 'node:util';
import { nearest } from '../../../semiring/message/nearest.js';
import { compileAnswer, compileTool } from './compile-tool.js';
import { type Diagnostic, PolicyError, quote, Report } from './diagnostic.js';
import { type Names, namesOf, reserved, type Used } from './names.js';
import { overlay } from './overlay.js';
import { defaultLimits, type Policy, type ToolPolicy, undeclared } from './policy.js';
import { readPolicy } from './read-policy.js';
import { resolveForm } from './resolve-result.js';
import type { Layer, PolicySyntax } from './syntax.js';
import { argumentsOf, checkSchemas, type ToolSchema } from './tool-schema.js';
import { parseTree } from './tree.js';

export interface LoadPolicyOptions {
  /** For messages: the file's name. */
  readonly source?: string;
  /** Undefined: the base, without an overlay. */
  readonly profile?: string;
}

export interface CheckOptions {
  readonly source?: string;
  /** The tools as their server describes them; arguments, fields and names are then checked against these. */
  readonly tools?: readonly ToolSchema[];
}

/**
 * Reads a policy in YAML or JSON.
 * @throws PolicyError `policy/invalid` with all diagnostics
 */
export function loadPolicy(text: string, options: LoadPolicyOptions = {}): Policy {
  const source = options.source ?? '<inline>';
  const report = new Report(text);
  const profiles = compileAll(text, source, undefined, report);
  if (report.failed || profiles === undefined) throw new PolicyError(source, report.diagnostics());
  const policy = options.profile === undefined ? profiles.base : profiles.byName.get(options.profile);
  if (policy !== undefined) return policy;
  const name = options.profile ?? '';
  report.error(0, `the policy has no profile ${quote(name)}`, nearest(name, profiles.byName.keys()));
  throw new PolicyError(source, report.diagnostics());
}

/** Errors and warnings, in the order of the text; none: the policy is fine. Never throws. */
export function checkPolicy(text: string, options: CheckOptions = {}): Diagnostic[] {
  const report = new Report(text);
  compileAll(text, options.source ?? '<inline>', options.tools, report);
  return report.diagnostics();
}

/** The names of the profiles that `loadPolicy` takes, the base's first if it has one. */
export function profilesOf(text: string): string[] {
  const report = new Report(text);
  return [...(compileAll(text, '<inline>', undefined, report)?.byName.keys() ?? [])];
}

/** Fails closed for a tool that the policy does not name. */
export function policyFor(policy: Policy, tool: string): ToolPolicy {
  return policy.tools.get(tool) ?? undeclared(tool);
}

interface Profiles {
  readonly base: Policy;
  readonly byName: ReadonlyMap<string, Policy>;
}

function compileAll(
  text: string,
  source: string,
  schemas: readonly ToolSchema[] | undefined,
  report: Report,
): Profiles | undefined {
  const tree = parseTree(text, report);
  if (tree === undefined) return undefined;
  const syntax = readPolicy(tree, report);
  checkPrincipals(syntax, report);
  const used: Used = { groups: new Set(), types: new Set(), directories: new Set(), objects: new Set() };
  const compile = (layer: Layer, profile?: string): Policy =>
    compileLayer(syntax, layer, namesOf(syntax, layer, used, report), source, profile, schemas);
  const base = compile(syntax.base, syntax.profile?.value);
  const byName = new Map<string, Policy>();
  if (syntax.profile) byName.set(syntax.profile.value, base);
  for (const [name, { at, value }] of syntax.profiles) {
    if (byName.has(name))
      report.error(at, `profile ${quote(name)} is the name of the base`, 'choose another name');
    const layer = overlay(syntax.base, value, name, report);
    const policy = compile(layer, name);
    byName.set(name, policy);
    if (isDeepStrictEqual({ ...policy, profile: '' }, { ...base, profile: '' })) {
      report.error(at, `profile ${quote(name)} changes nothing`, 'say what differs, or drop it');
    } else if (!report.failed) {
      warnIdle(syntax, value, policy, namesOf(syntax, layer, used, report), schemas);
    }
  }
  checkUnused(syntax, namesOf(syntax, syntax.base, used, report));
  if (schemas) checkSchemas(syntax, base, schemas, report);
  return { base, byName };
}

function compileLayer(
  syntax: PolicySyntax,
  layer: Layer,
  names: Names,
  source: string,
  profile: string | undefined,
  schemas: readonly ToolSchema[] | undefined,
): Policy {
  const tools = new Map<string, ToolPolicy>();
  for (const [name, tool] of layer.tools)
    tools.set(name, compileTool(tool, names, argumentsOf(name, schemas)));
  const groups = new Map(
    [...layer.groups].map(([name, { members }]) => [name, members.map(({ value }) => value)]),
  );
  return {
    source,
    ...(profile !== undefined && { profile }),
    principals: {
      user: syntax.user?.value ?? '',
      aliases: syntax.aliases.map(({ value }) => value),
      groups,
      directories: names.directories,
    },
    tools,
    ...(layer.answer && { answer: compileAnswer(layer.answer, names) }),
    ...(syntax.limits && { limits: { ...defaultLimits, ...syntax.limits } }),
  };
}

function checkPrincipals(syntax: PolicySyntax, report: Report): void {
  const seen = new Set(syntax.user ? [syntax.user.value] : []);
  for (const { value, at } of syntax.aliases) {
    if (seen.has(value)) report.warning(at, `alias ${quote(value)} is there already`);
    seen.add(value);
  }
  const layers = [syntax.base, ...[...syntax.profiles.values()].map(({ value }) => value)];
  for (const [name, { at, members }] of layers.flatMap(({ groups }) => [...groups])) {
    if (reserved.groups.has(name)) {
      report.error(at, `a group cannot be called ${quote(name)}`, 'the word has a meaning');
    }
    for (const member of members) {
      if (!syntax.base.groups.has(member.value)) continue;
      report.error(member.at, `group ${quote(name)} holds a group`, 'list its members');
    }
  }
  for (const [name, { at }] of syntax.base.types) {
    if (reserved.types.has(name))
      report.error(at, `a type cannot be called ${quote(name)}`, 'the word has a meaning');
  }
}

/** Entries of a profile that say what holds anyway. */
function warnIdle(
  syntax: PolicySyntax,
  over: Layer,
  policy: Policy,
  names: Names,
  schemas: readonly ToolSchema[] | undefined,
): void {
  const idle = 'it says what holds anyway';
  for (const [name, { at }] of over.tools) {
    const below = syntax.base.tools.get(name);
    const without = below && compileTool(below, names, argumentsOf(name, schemas));
    if (isDeepStrictEqual(without, policy.tools.get(name)))
      names.report.warning(at, `${quote(name)} changes nothing`, idle);
  }
  for (const [name, { at }] of over.types) {
    if (isDeepStrictEqual(syntax.base.types.get(name)?.result, names.types.get(name)?.result)) {
      names.report.warning(at, `${quote(name)} changes nothing`, idle);
    }
  }
}

/** What is declared and never used: most often a rule that lost its way. */
function checkUnused(syntax: PolicySyntax, names: Names): void {
  const { report, used } = names;
  for (const [name, { at, result }] of syntax.base.types) {
    if (used.types.has(name)) continue;
    if (result.form)
      resolveForm(result.form, { what: `type ${quote(name)}`, arguments: 'any' }, names, [name]);
    report.warning(at, `type ${quote(name)} is never used`);
  }
  for (const [name, { at }] of syntax.base.groups) {
    if (!used.groups.has(name)) report.warning(at, `group ${quote(name)} is never used`);
  }
  for (const [name, { at }] of syntax.objects) {
    if (!used.objects.has(name)) report.warning(at, `object ${quote(name)} is never used`);
  }
  for (const { value, at } of syntax.directories) {
    if (!used.directories.has(value)) report.warning(at, `directory ${quote(value)} is never used`);
  }
}
