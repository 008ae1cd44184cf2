/**
 * One tool, compiled and checked. A rule that can never apply is an error, since whoever wrote it believes in
 * a protection that is not there.
 */
import { nearestName } from '../../../semiring/message/nearest.js';
import { quote } from './diagnostic.js';
import { checkArgument, type Names, type Scope } from './names.js';
import type { DataTerm, ObjectRule, PolicyRule, PrincipalTerm, ToolPolicy } from './policy.js';
import { resolveLeaf, resolveResult, unknownResult } from './resolve-result.js';
import { resolveTerm } from './resolve-term.js';
import type { ToolSyntax } from './syntax.js';
import type { Term } from './term.js';
import type { Located } from './tree.js';

export function usesFlow(rule: PolicyRule): boolean {
  return rule === 'permitted-flow' || rule === 'either' || rule === 'both';
}

function usesTrust(rule: PolicyRule): boolean {
  return rule === 'trusted-action' || rule === 'either' || rule === 'both';
}

/** @param schemaArguments arguments by the tool's own schema, for a tool that declares none. */
export function compileTool(
  tool: ToolSyntax,
  names: Names,
  schemaArguments?: ReadonlySet<string>,
): ToolPolicy {
  const declared = tool.arguments && new Set(tool.arguments.map(({ value }) => value));
  const scope: Scope = { what: `tool ${quote(tool.name)}`, arguments: declared ?? schemaArguments };
  const rule = tool.rule?.value ?? 'none';
  checkRule(tool, rule, names);
  return {
    tool: tool.name,
    consequential: tool.consequential?.value ?? rule !== 'none',
    egress: tool.egress?.value ?? tool.to !== undefined,
    rule,
    trustedArguments: knownArguments(tool.trustedArguments ?? [], scope, names),
    data: (tool.sends?.value ?? []).flatMap((term) => dataTerm(term, scope, names) ?? []),
    recipients: (tool.to?.value ?? []).flatMap((term): PrincipalTerm[] => {
      const resolved = resolveTerm(term, scope, names);
      return resolved ? [resolved] : [];
    }),
    links: tool.links?.value ?? (usesFlow(rule) ? 'refuse' : 'allow'),
    ...(declared && { arguments: declared }),
    objects: compileObjects(tool, scope, names),
    result: tool.result ? resolveResult(tool.result, scope, names) : unknownResult,
    ...(tool.errors && { errors: resolveLeaf(tool.errors, scope, names) }),
    declared: true,
  };
}

/** The final answer: one text, sent to whoever reads the agent's answers. */
export function compileAnswer(answer: ToolSyntax, names: Names): ToolPolicy {
  const { at } = answer;
  return compileTool(
    {
      rule: { value: 'permitted-flow', at },
      to: { value: [{ kind: 'name', name: 'user', at }], at },
      ...answer,
      arguments: [{ value: 'text', at }],
      ...(answer.rule?.value !== 'none' && { sends: { value: [{ kind: 'name', name: 'text', at }], at } }),
    },
    names,
  );
}

function knownArguments(list: readonly Located<string>[], scope: Scope, names: Names): string[] {
  const found: string[] = [];
  for (const { value, at } of list) {
    if (!checkArgument(value, at, scope, names)) continue;
    if (found.includes(value)) names.report.warning(at, `${quote(value)} is there twice`);
    else found.push(value);
  }
  return found;
}

/** `body`, or `file(file_id)`: the stored file that the argument names. */
function dataTerm(term: Term, scope: Scope, names: Names): DataTerm | undefined {
  if (term.kind === 'name') {
    const [argument] = knownArguments([{ value: term.name, at: term.at }], scope, names);
    return argument === undefined ? undefined : { argument };
  }
  if (term.kind === 'text' || term.of?.kind !== 'name') {
    names.report.error(
      term.at,
      `${scope.what} sends something that is no argument`,
      'write `body` or `file(file_id)`',
    );
    return undefined;
  }
  const [argument] = knownArguments([{ value: term.of.name, at: term.of.at }], scope, names);
  const stored = objectRule({ value: term.name, at: term.at }, names);
  return argument === undefined || stored === undefined ? undefined : { argument, stored };
}

function compileObjects(tool: ToolSyntax, scope: Scope, names: Names): Map<string, ObjectRule> {
  const objects = new Map<string, ObjectRule>();
  for (const [argument, { at, target }] of tool.objects ?? []) {
    knownArguments([{ value: argument, at }], scope, names);
    const rule = objectRule(target, names);
    if (rule) objects.set(argument, rule);
  }
  return objects;
}

function objectRule({ value: directory, at }: Located<string>, names: Names): ObjectRule | undefined {
  const object = names.objects.get(directory);
  if (object === undefined) {
    const near = nearestName(directory, names.objects.keys());
    const hint = near ? `did you mean "${near}"?` : `declare its type: objects: {${directory}: …}`;
    names.report.error(at, `unknown object ${quote(directory)}`, hint);
    return undefined;
  }
  names.used.objects.add(directory);
  const { value: name, at: typeAt } = object.target;
  const scope: Scope = { what: `object ${quote(directory)}`, arguments: new Set() };
  return {
    directory,
    result: resolveResult({ at: typeAt, form: { kind: 'type', name, at: typeAt } }, scope, names),
  };
}

function checkRule(tool: ToolSyntax, rule: PolicyRule, { report }: Names): void {
  const what = `tool ${quote(tool.name)}`;
  const flow = usesFlow(rule);
  const ruleAt = tool.rule?.at ?? tool.at;
  if (tool.trustedArguments && !usesTrust(rule)) {
    report.error(
      place(tool.trustedArguments, tool),
      `${what}: trusted arguments without a rule that asks for trust`,
      needs('trusted action'),
    );
  }
  if (tool.links && !flow) {
    report.error(tool.links.at, `${what}: links without a rule that looks at them`, needs('permitted flow'));
  }
  if (flow && (tool.sends === undefined || tool.to === undefined)) {
    const missing = [tool.sends ? '' : '`sends`', tool.to ? '' : '`to`']
      .filter((key) => key !== '')
      .join(' and ');
    report.error(ruleAt, `${what}: permitted flow without ${missing} would always hold`, `add ${missing}`);
  }
  if (rule !== 'none' && tool.consequential?.value === false) {
    report.error(
      tool.consequential.at,
      `${what}: a rule on a tool that is not consequential`,
      'drop one of them',
    );
  }
  if (tool.to && tool.egress?.value === false) {
    report.error(tool.egress.at, `${what}: it has recipients, and no egress`, 'drop one of them');
  }
  if (tool.sends && !tool.to) {
    if (!flow) report.error(tool.sends.at, `${what}: it sends data to nobody`, 'add `to`');
  } else if (tool.to && tool.rule === undefined) {
    report.warning(
      tool.to.at,
      `${what}: it sends data and has no rule`,
      'if that is meant, write `rule: none`',
    );
  }
}

function needs(rule: string): string {
  return `let the rule name ${rule}, or drop this`;
}

function place(list: readonly { readonly at: number }[], tool: ToolSyntax): number {
  return list[0]?.at ?? tool.at;
}
