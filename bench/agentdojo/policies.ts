/**
 * AgentDojo's collected policies as assay policies. The collection becomes text in assay's own format, one
 * file a suite with both profiles, and goes through the same loader as any other policy.
 */
import { loadPolicy } from '../../planner/agent/policy/load.js';
import type { Policy } from '../../planner/agent/policy/policy.js';
import type { Principal } from '../../semiring/label/label.js';
import { readCollection } from './policies-collection.js';
import { suiteText } from './policies-text.js';

export interface ImportOptions {
  /** For messages. */
  readonly source?: string;
  /** Other names of the user, by suite; `ownNames` where absent. */
  readonly aliases?: ReadonlyMap<string, readonly Principal[]>;
}

/** The bank knows the user by "me" and by the number of the user's account. */
export const ownNames: ReadonlyMap<string, readonly Principal[]> = new Map([
  ['banking', ['DE89370400440532013000']],
]);

/** Whether a text is the collection and not a policy. */
export function isPolicyCollection(text: string): boolean {
  return /^\s*\{/.test(text) && /"suites"\s*:/.test(text) && /"taxonomy"\s*:/.test(text);
}

/**
 * Policy files by suite.
 * @throws AssayError `policy/collection` naming the field that is not as it should be
 */
export function importPolicies(text: string, options: ImportOptions = {}): Map<string, string> {
  const source = options.source ?? 'policies.json';
  const { principals, suites } = readCollection(text, source);
  const files = new Map<string, string>();
  for (const [suite, { tools }] of Object.entries(suites)) {
    const user = principals[suite]?.user ?? '';
    const aliases = (options.aliases ?? ownNames).get(suite) ?? [];
    files.set(suite, suiteText({ user, aliases }, new Map(Object.entries(tools))));
  }
  return files;
}

/** Compiled policies by suite. @param options.profile `fides` or `strict` */
export function policiesOf(
  text: string,
  options: ImportOptions & { readonly profile: string },
): Map<string, Policy> {
  const policies = new Map<string, Policy>();
  for (const [suite, file] of importPolicies(text, options)) {
    const source = `${options.source ?? 'policies.json'}#${suite}`;
    policies.set(suite, loadPolicy(file, { source, profile: options.profile }));
  }
  return policies;
}
