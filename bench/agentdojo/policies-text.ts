/**
 * One suite of the collected policies written in assay's own format: `fides` is the base, `strict` an overlay
 * that says only what differs. A record that tools share is declared once as a type; what a tool returns
 * differently (a sent mail echoes the arguments) refines that type.
 */
import type { Principal } from '../../semiring/label/label.js';
import type { CollectedRule, CollectedTool, Profiled } from './policies-collection.js';
import {
  attachmentType,
  changed,
  differing,
  type Fields,
  type Label,
  type RecordType,
  readersText,
  recordTypes,
  sameFields,
  shapeName,
  stored,
} from './policies-record.js';

export interface SuiteHead {
  readonly user: Principal;
  readonly aliases: readonly Principal[];
}

export function suiteText(head: SuiteHead, tools: ReadonlyMap<string, CollectedTool>): string {
  return new SuiteWriter(head, tools).text();
}

const rules: Readonly<Record<CollectedRule, string>> = {
  none: 'none',
  PT: 'trusted action',
  PF: 'permitted flow',
  PT_or_PF: 'trusted action or permitted flow',
  PT_and_PF: 'trusted action and permitted flow',
};

class SuiteWriter {
  readonly #head: SuiteHead;
  readonly #tools: ReadonlyMap<string, CollectedTool>;
  readonly #types: ReadonlyMap<string, RecordType>;
  readonly #directories = new Set<string>();
  readonly #objects = new Map<string, string>();

  constructor(head: SuiteHead, tools: ReadonlyMap<string, CollectedTool>) {
    this.#head = head;
    this.#tools = tools;
    this.#types = recordTypes(tools);
  }

  text(): string {
    const tools = [...this.#tools].flatMap(([name, tool]) => this.#tool(name, tool));
    const attachment = this.#objects.has('attachments')
      ? attachmentType([...this.#types.values()])
      : undefined;
    const types = [
      ...this.#types.values(),
      ...(attachment && !this.#types.has(attachment.name) ? [attachment] : []),
    ];
    if (attachment) this.#objects.set('attachments', attachment.name);
    const typeLines = types.flatMap((type) => this.#type(type));
    const strict = [
      ...section('types', types.flatMap(strictType)),
      ...section(
        'tools',
        [...this.#tools].flatMap(([name, tool]) => this.#strictTool(name, tool)),
      ),
    ];
    return [
      `user: ${this.#head.user}`,
      ...(this.#head.aliases.length > 0 ? [`aliases: ${list(this.#head.aliases)}`] : []),
      ...(this.#directories.size > 0 ? [`directories: ${list([...this.#directories])}`] : []),
      ...section(
        'objects',
        [...this.#objects].map(([directory, type]) => `${directory}: ${type}`),
      ),
      ...section('types', typeLines),
      ...section('tools', tools),
      'profile: fides',
      ...section('profiles', section('strict', strict)),
      '',
    ].join('\n');
  }

  #type({ name, fields, readers }: RecordType): string[] {
    this.#use(readers);
    return [`${name}:`, ...indent([`readers: ${readers}`, ...grouped(fields, 'fides')])];
  }

  #tool(name: string, tool: CollectedTool): string[] {
    const signature = `${name}(${Object.keys(tool.args).join(', ')})`;
    const rule = rules[tool.policy.fides];
    const flow = this.#flow(tool);
    const result = this.#result(tool);
    if (flow.length === 0 && typeof result === 'string') {
      return [`${signature}: ${rule === 'none' ? '' : `${rule} -> `}${result}`];
    }
    const returns = typeof result === 'string' ? [`returns: ${result}`] : ['returns:', ...indent(result)];
    return [`${signature}:`, ...indent([...(rule === 'none' ? [] : [`rule: ${rule}`]), ...flow, ...returns])];
  }

  /** What does not follow from the rule: who must be trusted, what goes to whom. */
  #flow(tool: CollectedTool): string[] {
    const { policy, recipients, egressData } = tool;
    const trusted = trustedArguments(tool, 'fides');
    const flow = policy.fides !== 'none' && policy.fides !== 'PT';
    const attaches = egressData?.includes('attachments') ?? false;
    if (attaches) this.#objects.set('attachments', '');
    return [
      ...(trusted.length > 0 ? [`trusted arguments: ${list(trusted)}`] : []),
      ...(egressData
        ? [`sends: ${egressData.map((argument) => this.#data(argument, tool)).join(' + ')}`]
        : []),
      ...(recipients ? [`to: ${this.#recipients(recipients)}`] : []),
      ...(attaches ? ['objects: {attachments: attachments}'] : []),
      ...(flow && !tool.linkCheck ? ['links: allow'] : []),
      ...(tool.consequential === (policy.fides !== 'none')
        ? []
        : [`consequential: ${yes(tool.consequential)}`]),
      ...(tool.egress === (recipients !== undefined) ? [] : [`egress: ${yes(tool.egress)}`]),
    ];
  }

  /** A selector among the data stands for the stored object that it names. */
  #data(argument: string, tool: CollectedTool): string {
    const object = stored.get(argument);
    if (tool.args[argument]?.role !== 'selector' || object === undefined) return argument;
    this.#objects.set(object.directory, object.type);
    return `${object.directory}(${argument})`;
  }

  #recipients({ args, implicit, resolver }: NonNullable<CollectedTool['recipients']>): string {
    const named =
      resolver === 'literal'
        ? args
        : [
            resolver
              .replace(/^public$/, 'everyone')
              .replace(/^owner and shared_with of /, 'access of ')
              .replace(/^(\w+) of (\w+)$/, '$1($2)'),
          ];
    const terms = [...named, ...implicit.map(() => 'user')].join(' + ');
    this.#use(terms);
    return terms;
  }

  #result({ result }: CollectedTool): string | string[] {
    const readers = readersText(result.readers.expr);
    if (result.value) {
      this.#use(readers);
      return readers === 'joined' && result.value.fides === 'join'
        ? 'joined'
        : `${labelText(result.value.fides)} for ${readers}`;
    }
    const fields: Fields = new Map(Object.entries(result.fields ?? {}));
    const type = this.#types.get(shapeName(result.shape));
    if (type && sameFields(type.fields, fields)) {
      if (type.readers !== readers) this.#use(readers);
      const code = hasCode(result.shape) ? ' or trusted' : '';
      return `${type.name}${code}${type.readers === readers ? '' : ` for ${readers}`}`;
    }
    this.#use(readers);
    return [
      ...(type ? [`like: ${type.name}`] : []),
      ...grouped(type ? differing(type.fields, fields) : fields, 'fides'),
      ...(readers === 'user' ? [] : [`readers: ${readers}`]),
      ...(hasCode(result.shape) ? ['otherwise: trusted'] : []),
    ];
  }

  #strictTool(name: string, tool: CollectedTool): string[] {
    const { policy, result } = tool;
    const trusted = trustedArguments(tool, 'strict');
    const parts = [
      ...(policy.strict === policy.fides ? [] : [`rule: ${rules[policy.strict]}`]),
      ...(String(trusted) === String(trustedArguments(tool, 'fides'))
        ? []
        : [`trusted arguments: ${list(trusted)}`]),
    ];
    const value =
      result.value && result.value.fides !== result.value.strict ? labelText(result.value.strict) : '';
    const fields: Fields = new Map(Object.entries(result.fields ?? {}));
    const type = this.#types.get(shapeName(result.shape));
    const own = type && sameFields(type.fields, fields) ? new Map<string, Label>() : changed(fields);
    if (value !== '' && parts.length === 0) return [`${name}: ${value}`];
    if (value !== '') parts.push(`returns: ${value}`);
    if (own.size > 0) parts.push(`returns: {${grouped(own, 'strict').join(', ')}}`);
    return parts.length > 0 ? [`${name}: {${parts.join(', ')}}`] : [];
  }

  /** Look-ups are declared as they are used. */
  #use(terms: string): void {
    for (const [, name] of terms.matchAll(/(\w+)\(/g)) if (name !== 'keys') this.#directories.add(name);
  }
}

function strictType({ name, fields }: RecordType): string[] {
  const differs = changed(fields);
  return differs.size > 0 ? [`${name}: {${grouped(differs, 'strict').join(', ')}}`] : [];
}

function trustedArguments(tool: CollectedTool, profile: keyof Profiled<unknown>): string[] {
  return Object.entries(tool.args).flatMap(([name, { mustBeTrusted }]) =>
    mustBeTrusted[profile] ? [name] : [],
  );
}

/** A record or else a fixed code. */
function hasCode(shape: string): boolean {
  return shape.includes(' | ') && shapeName(shape) !== '';
}

function labelText(label: string): string {
  if (label === 'T') return 'trusted';
  if (label === 'U') return 'untrusted';
  return label === 'join' ? 'joined' : `as ${label.slice('arg:'.length)}`;
}

/** Fields by label: `trusted: [id, sender]`. */
function grouped(fields: Fields, profile: keyof Label): string[] {
  const groups = new Map<string, string[]>();
  const others: string[] = [];
  for (const [name, { [profile]: label }] of fields) {
    const text = labelText(label);
    const key = text === `as ${name}` ? 'as argument' : text;
    if (key.startsWith('as ') && key !== 'as argument') others.push(`${name}: ${text}`);
    else groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const lines = [...groups].map(([key, names]) => `${key}: ${list(names)}`);
  return others.length > 0 ? [...lines, `fields: {${others.join(', ')}}`] : lines;
}

function section(key: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [`${key}:`, ...indent(lines)] : [];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function list(names: readonly string[]): string {
  return names.length === 1 ? names[0] : `[${names.join(', ')}]`;
}

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}
