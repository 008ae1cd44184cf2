/**
 * What all adapters do alike: names, duplicates, and a tool's own approvals. An adapter calls the foreign
 * tool's function directly, so a check that the framework would have made around it does not run; it is
 * refused rather than quietly lost, unless the caller says that the guard's policy takes its place.
 */
import { AssayError } from '../../semiring/message/error.js';
import type { Tool } from '../tool.js';
import type { ToJsonSchema } from './argument-schema.js';

export interface AdapterOptions {
  /** For schemas that do not say their JSON Schema. */
  readonly toJsonSchema?: ToJsonSchema;
  /**
   * What becomes of approvals and guardrails that a tool brings along: `refuse` (the default) fails where
   * there are any, `drop` leaves the decision to the guard's policy alone.
   */
  readonly ownChecks?: 'refuse' | 'drop';
}

/**
 * The tools, held to what model protocols demand.
 * @throws AssayError `adapter/bad-name`, `adapter/duplicate-name`
 */
export function checkedTools(tools: readonly Tool[]): Tool[] {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      const shown = JSON.stringify(name.slice(0, 80));
      throw new AssayError('adapter/bad-name', `a tool is named ${shown}: use 1 to 64 of A-Z a-z 0-9 _ -`);
    }
    if (names.has(name)) throw new AssayError('adapter/duplicate-name', `two tools are named "${name}"`);
    names.add(name);
  }
  return [...tools];
}

/** The error for a check of a tool's own that would be lost. */
export function ownCheckRefused(tool: string, what: string): AssayError {
  return new AssayError(
    'adapter/own-check',
    `tool "${tool}" brings ${what} of its own, which a guarded call passes by: say it in the policy, and pass ownChecks: 'drop'`,
  );
}
