/**
 * What is wrong with a policy file, and where. Checking goes on after an error, so that one run shows all
 * there is to mend; loading throws them all at once.
 */
import type { LineCounter } from 'yaml';
import { AssayError } from '../../../semiring/message/error.js';
import { shorten, visibleText } from '../../../semiring/message/visible-text.js';
import { yaml } from './yaml.js';

export interface Diagnostic {
  /** An error keeps the policy from loading. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** What would be right. */
  readonly hint?: string;
}

/** A policy that cannot be loaded; `diagnostics` holds everything that was found, warnings included. */
export class PolicyError extends AssayError {
  readonly source: string;
  readonly diagnostics: readonly Diagnostic[];

  constructor(source: string, diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter((found) => found.severity === 'error');
    super('policy/invalid', errors.map((found) => showDiagnostic(source, found)).join('\n'));
    this.source = source;
    this.diagnostics = diagnostics;
  }
}

/** `clinic.yaml:12:5: error: unknown key "retruns"; did you mean "returns"?` */
export function showDiagnostic(source: string, found: Diagnostic): string {
  const hint = found.hint === undefined ? '' : `; ${found.hint}`;
  return `${source}:${found.line}:${found.column}: ${found.severity}: ${found.message}${hint}`;
}

/** A name out of the file, for a message: quoted, safe for a terminal, not too long. */
export function quote(name: string): string {
  return `"${shorten(name, 60)}"`;
}

/** Collects what is found. Places are offsets into the text; one place has one error, the first. */
export class Report {
  readonly #lines: LineCounter = new (yaml().LineCounter)();
  readonly #found = new Map<string, { readonly at: number; readonly diagnostic: Diagnostic }>();

  constructor(text: string) {
    this.#lines.addNewLine(0);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
      this.#lines.addNewLine(at + 1);
  }

  error(at: number, message: string, hint?: string): void {
    this.#add('error', at, message, hint);
  }

  warning(at: number, message: string, hint?: string): void {
    this.#add('warning', at, message, hint);
  }

  get failed(): boolean {
    return [...this.#found.values()].some(({ diagnostic }) => diagnostic.severity === 'error');
  }

  /** In the order of the text. */
  diagnostics(): Diagnostic[] {
    return [...this.#found.values()].sort((a, b) => a.at - b.at).map(({ diagnostic }) => diagnostic);
  }

  #add(severity: Diagnostic['severity'], at: number, message: string, hint: string | undefined): void {
    const key = `${severity} ${at}`;
    if (this.#found.has(key)) return;
    const { line, col } = this.#lines.linePos(at);
    const diagnostic = {
      severity,
      message,
      line,
      column: col,
      ...(hint === undefined ? {} : { hint: visibleText(hint) }),
    };
    this.#found.set(key, { at, diagnostic });
  }
}
