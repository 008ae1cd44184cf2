/** What is wrong with a command of the shell, and where in its line. */
import { AssayError } from '../../semiring/message/error.js';

export interface ShellErrorOptions extends ErrorOptions {
  /** Offset into the command's text, in UTF-16 units; its beginning by default. */
  readonly offset?: number;
  /** What would be right. */
  readonly hint?: string;
}

/** A hint for whoever asks a model and has none. */
export const howToHaveModel =
  'start with --model NAME (and --base-url URL for a server of your own), or set ASSAY_MODEL';

/**
 * Codes: `shell/unknown-command`, `shell/usage`, `shell/no-result`, `shell/no-row`, `shell/unknown-token`, …
 */
export class ShellError extends AssayError {
  readonly offset: number;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: ShellErrorOptions = {}) {
    super(code, message, options);
    this.offset = options.offset ?? 0;
    this.hint = options.hint;
  }
}
